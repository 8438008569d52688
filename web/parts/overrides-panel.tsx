// Asks and overrides. The page asks; a person confirms in a terminal. Nothing is granted here.
import { useState } from "preact/hooks";
import type { Overrides } from "../../src/dashboard/overrides-view.js";
import { doAction } from "../api.js";
import { addressOf } from "../router.js";
import { Command, Panel } from "./blocks.js";
import { useView } from "./use-view.js";
import { clock } from "./words.js";

/** Shown only where something waits or is open. */
export function OverridesPanel() {
  const { value } = useView<Overrides>("overrides");
  if (!value || !(value.wishes.length || value.open.length || value.pause || value.asks.length)) return null;
  return (
    <Panel title="Asks and overrides">
      <ul class="wishes">
        {value.pause && (
          <li class="overridden">
            All refusals are paused until {clock(value.pause.until)} by {value.pause.by}: {value.pause.reason}{" "}
            <Command text="interlock resume" />
          </li>
        )}
        {value.wishes.map((wish) => (
          <li key={wish.id} data-wish={wish.status}>
            <b>{wish.status}</b> {wish.verdict}: {wish.what} <small>{wish.answer ?? wish.reason}</small>{" "}
            {wish.status === "waiting" && <HowToConfirm terminal={value.terminal} verdict={wish.verdict} />}
          </li>
        ))}
        {value.open.map((one) => (
          <li key={one.verdict} class="overridden">
            {one.verdict} may be repeated once until {clock(one.until)}, by {one.by}: {one.reason}
          </li>
        ))}
        {value.asks.map((ask) => (
          <li key={ask.seq}>
            <a href={addressOf("sessions", ask.session, ask.seq)}>{ask.tool}</a> {ask.what}{" "}
            <small>waits for an answer in the agent's own dialog</small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const HowToConfirm = ({ terminal, verdict }: { terminal: boolean; verdict: string }) =>
  terminal ? (
    <span>: answer in the terminal where interlock dashboard runs.</span>
  ) : (
    <span>
      : no terminal listens. Type in one: <Command text={`interlock allow ${verdict} --reason "..."`} />
    </span>
  );

export function AskToAllow({ verdict, fixed }: { verdict: string; fixed: string | undefined }) {
  const [reason, setReason] = useState("");
  const [said, setSaid] = useState<string>();
  const { value, again } = useView<Overrides>("overrides");
  if (fixed) return <p class="soft">{fixed} can't be overridden.</p>;
  if (value?.file) return null;
  const ask = async (event: Event) => {
    event.preventDefault();
    const answer = await doAction<{ asked: boolean; why?: string }>("wish", { verdict, reason });
    setSaid(answer.asked ? "Asked. A person has to confirm it in a terminal." : `Not possible: ${answer.why}.`);
    again();
  };
  return (
    <form class="row bar" onSubmit={(event) => void ask(event)}>
      <input
        class="grow"
        aria-label="reason for letting it through"
        placeholder="reason for letting it through once"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <button type="submit">ask to allow</button>
      {said && <p role="status">{said}</p>}
    </form>
  );
}
