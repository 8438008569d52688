// Gates: what each session still owes, loops on one error, when each rule last fired, latency, false alarms.
import { useEffect, useState } from "preact/hooks";
import type { ErrorSignature, GateProgress, GateRow, Gates } from "../../src/dashboard/gates-view.js";
import type { PageProps } from "../pages.js";
import { Command, Empty, Lead, Panel, SearchField, Shown } from "../parts/blocks.js";
import { Histogram } from "../parts/histogram.js";
import { useKeys } from "../parts/keys.js";
import { useView } from "../parts/use-view.js";
import { ago, clock, count, plural } from "../parts/words.js";
import { addressOf, go } from "../router.js";

export function GatesPage({ parts: [chosen] }: PageProps) {
  const view = useView<Gates>("gates");
  return <Shown view={view}>{(gates) => <All gates={gates} chosen={chosen} />}</Shown>;
}

function All({ gates: { gates, progress, signatures, latency, marks }, chosen }: { gates: Gates; chosen?: string }) {
  const fired = gates.filter((gate) => gate.last).sort((a, b) => b.last!.at - a.last!.at);
  const silent = gates.filter((gate) => !gate.last);
  const loop = signatures.find((one) => one.attempts.length >= 3);
  const tripped = progress.find((one) => one.breaker === "tripped");
  const wrong = marks.filter((mark) => mark.said === "wrong").length;
  return (
    <>
      {tripped ? (
        <Lead figure="Breaker tripped" tone="bad">
          {tripped.trippedWhy} · <a href={addressOf("sessions", tripped.session)}>its session</a>
        </Lead>
      ) : loop ? (
        <Lead figure={`${loop.attempts.length} times the same error`} tone="warn">
          {loop.shown}
        </Lead>
      ) : (
        <Lead figure={`${count(fired.length)} of ${gates.length} rules fired`} tone="plain">
          {plural(silent.length, "rule")} never did · {plural(wrong, "false alarm")} marked · 99 % judged within{" "}
          {latency.p99} ms
        </Lead>
      )}
      <div class="columns two">
        <Panel title="Progress" hint="research, plan, verification, breaker of the newest sessions">
          {progress.length ? (
            progress.slice(0, 4).map((one) => <Progress key={one.session} one={one} />)
          ) : (
            <Empty title="No session under the discipline pack yet" command="interlock enable discipline" />
          )}
        </Panel>
        <Panel title="Errors" hint="one row per error signature, a dot per failed attempt">
          {signatures.length ? (
            <Signatures rows={signatures} />
          ) : (
            <Empty title="No failed attempt is counted">
              A call that fails twice the same way shows here, before it becomes a loop.
            </Empty>
          )}
        </Panel>
      </div>
      <Panel
        title="How long judging takes"
        hint={`${count(latency.judged)} events; dashed: median ${latency.median} ms; line: 99 %, ${latency.p99} ms`}
      >
        {latency.judged ? <Histogram latency={latency} /> : <Empty title="Nothing was judged yet" />}
      </Panel>
      <Rules fired={fired} silent={silent} chosen={chosen} />
      <Panel title="False alarms" hint="what people said about refusals">
        {marks.length ? (
          <ul class="bare">
            {marks.map((mark) => (
              <li key={mark.verdict}>
                <b class={mark.said === "wrong" ? "overridden" : "good"}>
                  {mark.said === "wrong" ? "✗ wrong" : "✓ right"}
                </b>{" "}
                {mark.verdict} of {mark.gate} <small>{ago(mark.at)}</small>
              </li>
            ))}
          </ul>
        ) : (
          <p>
            Nobody has said yet whether a refusal was right. <Command text="interlock feedback v-12 wrong" />
          </p>
        )}
      </Panel>
    </>
  );
}

function Progress({ one }: { one: GateProgress }) {
  const done = one.research.filter((r) => r.done).length;
  return (
    <article class="progress">
      <h3>
        <a href={addressOf("sessions", one.session)}>{one.title.slice(0, 90) || one.session}</a>{" "}
        <small>{ago(one.at)}</small>
      </h3>
      <dl class="facts">
        <div>
          <dt>research</dt>
          <dd class="rings">
            {one.research.map(({ category, done: has }) => (
              <span key={category} class={has ? "ring done" : "ring"}>
                {has ? "●" : "○"} {category}
              </span>
            ))}
            <small>
              {done} of {one.research.length}
            </small>
          </dd>
        </div>
        <div>
          <dt>plan</dt>
          <dd>{one.plan}</dd>
        </div>
        <div>
          <dt>verified</dt>
          <dd>
            {one.unverified.length ? (
              <span class="refused">
                {plural(one.unverified.length, "file")} unproved: {one.unverified.slice(0, 3).join(", ")}
              </span>
            ) : (
              <span class="good">{one.edits ? `all of ${plural(one.edits, "edit")}` : "nothing was edited"}</span>
            )}{" "}
            {one.runs.map((run) => (
              <span key={run.at} class={run.ok === true ? "good" : "refused"} title={`${clock(run.at)} ${run.command}`}>
                {run.ok === true ? "✓" : run.ok === false ? "✗" : "?"}
              </span>
            ))}
          </dd>
        </div>
        <div>
          <dt>breaker</dt>
          <dd class={one.breaker === "closed" ? "good" : "refused"}>
            {one.breaker} {one.trippedWhy}
          </dd>
        </div>
      </dl>
    </article>
  );
}

const Signatures = ({ rows }: { rows: ErrorSignature[] }) => (
  <ul class="bare signatures">
    {rows.map((row) => (
      <li key={`${row.session} ${row.signature}`}>
        <span class="dots" role="img" aria-label={plural(row.attempts.length, "attempt")}>
          {row.attempts.slice(-12).map(({ at, command }) => (
            <span key={at} title={`${clock(at)} ${command}`}>
              ●
            </span>
          ))}
        </span>
        <b class={row.attempts.length >= 3 ? "refused" : ""}>{row.attempts.length}×</b>{" "}
        <a href={addressOf("sessions", row.session)}>{row.shown}</a> <small>{row.tool}</small>
      </li>
    ))}
  </ul>
);

function Rules({ fired, silent, chosen }: { fired: GateRow[]; silent: GateRow[]; chosen?: string }) {
  const [q, setQ] = useState("");
  const matches = ({ id, title }: GateRow) => `${id} ${title}`.toLowerCase().includes(q.toLowerCase());
  const shown = fired.filter(matches);
  const never = silent.filter(matches);
  const all = [...shown, ...never];
  const at = all.findIndex((gate) => gate.id === chosen);
  const step = (by: number) => {
    const next = all[Math.min(all.length - 1, Math.max(0, at < 0 ? 0 : at + by))];
    if (next) go(["gates", next.id], true);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  useEffect(() => document.querySelector("[data-chosen]")?.scrollIntoView({ block: "nearest" }), [chosen]);
  return (
    <Panel title="Rules" hint={`${fired.length} fired, ${silent.length} never`}>
      <div class="row bar">
        <SearchField what="rules" value={q} change={setQ} />
      </div>
      {shown.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>rule</th>
                <th class="number">refused</th>
                <th class="number extra">would</th>
                <th class="number extra">lifted</th>
                <th class="number extra">right / wrong</th>
                <th>last</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((gate) => (
                <tr key={gate.id} data-chosen={gate.id === chosen ? "" : undefined}>
                  <td>
                    <a href={addressOf("gates", gate.id)}>{gate.id}</a> <small>{gate.mode}</small>
                    {gate.id === chosen && <About gate={gate} />}
                  </td>
                  <td class="number">{count(gate.refused)}</td>
                  <td class="number extra">{count(gate.would)}</td>
                  <td class="number extra">{count(gate.lifted)}</td>
                  <td class="number extra">
                    {gate.right} / {gate.wrong}
                  </td>
                  <td class="nowrap">
                    <a href={addressOf("sessions", gate.last!.session, gate.last!.seq)}>{ago(gate.last!.at)}</a>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {never.length > 0 && (
        <>
          <h3>Never fired</h3>
          <ul class="never">
            {never.map((gate) => (
              <li key={gate.id} data-chosen={gate.id === chosen ? "" : undefined}>
                <a href={addressOf("gates", gate.id)}>{gate.id}</a> <small>{gate.mode}</small>
                {gate.id === chosen && <About gate={gate} />}
              </li>
            ))}
          </ul>
        </>
      )}
      {!all.length && <p class="soft">No rule matches.</p>}
    </Panel>
  );
}

const About = ({ gate }: { gate: GateRow }) => (
  <div class="about">
    <p>{gate.title || "This version does not know the rule."}</p>
    {gate.remedy && <p class="soft">What opens it: {gate.remedy}</p>}
  </div>
);
