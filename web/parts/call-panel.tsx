// The selected call: facts, every gate's opinion, what the agent was told, what it did next.
import type { CallDetail, GateOpinion } from "../../src/dashboard/call-view.js";
import { addressOf } from "../router.js";
import { Empty, Panel, Shown } from "./blocks.js";
import { MarkIcon, markWords } from "./marks.js";
import { AskToAllow } from "./overrides-panel.js";
import { useView } from "./use-view.js";
import { moment } from "./words.js";

export function CallPanel({ seq, session }: { seq: number; session: string }) {
  const view = useView<CallDetail>("sessions/call", { seq }, { skip: !seq });
  if (!seq)
    return (
      <Panel title="The selected call">
        <Empty title="Choose a call">Click a mark or a line, or press j.</Empty>
      </Panel>
    );
  return (
    <Panel title={`Record ${seq}`} hint={view.value?.verdict}>
      <Shown view={view}>{(call) => <Call call={call} session={session || call.session} />}</Shown>
    </Panel>
  );
}

function Call({ call, session }: { call: CallDetail; session: string }) {
  return (
    <div class="detail">
      <p class={`verdict ${call.mark}`}>
        <MarkIcon mark={call.mark} />{" "}
        <b>
          {call.tool || call.hostEvent}: {markWords[call.mark]}
          {call.gate && ` by ${call.gate}`}
        </b>
      </p>
      {call.told && (
        <>
          <h3>What the agent was told</h3>
          <pre>{call.told}</pre>
        </>
      )}
      {call.mark === "deny" && <AskToAllow verdict={call.verdict} fixed={fixedBy(call.opinions)} />}
      <h3>Facts</h3>
      <dl class="facts">
        <Fact name="when">{moment(call.at)}</Fact>
        <Fact name="event">{call.hostEvent}</Fact>
        <Fact name="agent">{call.agent || "main agent"}</Fact>
        {call.input.map(({ name, text }) => (
          <Fact key={name} name={name}>
            <code>{text}</code>
          </Fact>
        ))}
        {call.effects.map(({ kind, about, hazard }, i) => (
          <Fact key={`${i} ${about}`} name={i ? "" : "would do"}>
            {kind} <code>{about}</code> {hazard && <span class="refused">{hazard}</span>}
          </Fact>
        ))}
        {call.effectsOmitted > 0 && <Fact name="">and {call.effectsOmitted} more</Fact>}
        {call.found.map(({ op, path, predicted }, i) => (
          <Fact key={`${i} ${path}`} name={i ? "" : "changed"}>
            {op} <code>{path}</code> {!predicted && <span class="overridden">not predicted</span>}
          </Fact>
        ))}
        {call.outcome && (
          <Fact name="outcome">
            {call.outcome.ok ? "worked" : "failed"}
            {call.outcome.exitCode !== undefined && `, exit ${call.outcome.exitCode}`}{" "}
            {call.outcome.text && <code>{call.outcome.text}</code>}
          </Fact>
        )}
        <Fact name="folder">
          <code>{call.cwd}</code>
        </Fact>
        <Fact name="judged in">{call.ms} ms</Fact>
      </dl>
      <h3>What each gate said</h3>
      {call.opinions.length ? (
        <ul class="opinions">
          {call.opinions.map((opinion, i) => (
            <Opinion key={`${i} ${opinion.gate}`} opinion={opinion} />
          ))}
        </ul>
      ) : (
        <p class="soft">No gate had an opinion.</p>
      )}
      {call.faults.map(({ gate, message }) => (
        <p key={gate} class="refused">
          {gate} failed: {message}
        </p>
      ))}
      <h3>What it did next</h3>
      {call.next.length ? (
        <ul class="next">
          {call.next.map((row) => (
            <li key={row.seq}>
              <a href={addressOf("sessions", session, row.seq)}>
                <MarkIcon mark={row.mark} /> {row.tool || row.event}
              </a>{" "}
              {row.what} <small>{row.how}</small>
            </li>
          ))}
        </ul>
      ) : (
        <p class="soft">Nothing yet.</p>
      )}
      <details>
        <summary>the whole record</summary>
        <pre>{call.raw}</pre>
      </details>
    </div>
  );
}

const fixedBy = (opinions: GateOpinion[]): string | undefined => opinions.find((o) => o.overridable === false)?.gate;

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Opinion = ({ opinion: o }: { opinion: GateOpinion }) => (
  <li>
    <b class={o.kind === "deny" && !o.lifted ? "refused" : o.lifted ? "overridden" : ""}>{o.kind}</b>{" "}
    <a href={addressOf("gates", o.gate)}>{o.gate}</a> <small>{o.mode}</small>
    {o.lifted && <p class="overridden">lifted: {o.lifted}</p>}
    {o.what && <p>what: {o.what}</p>}
    {o.why && <p>why: {o.why}</p>}
    {o.next && <p>next: {o.next}</p>}
    {o.text && <p>{o.text}</p>}
    {o.rules.map((rule) => (
      <p key={rule} class="soft">
        rule: {rule}
      </p>
    ))}
  </li>
);
