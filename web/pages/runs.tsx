// Runs: the tree of runs and handoffs, and the selected run with its capsule, manifest, budget, logs and story.
import { useState } from "preact/hooks";
import type { RunLogAnswer, RunsView, RunView } from "../../src/dashboard/runs-view.js";
import type { RunNode } from "../../src/runs/story.js";
import { fetchView } from "../api.js";
import type { PageProps } from "../pages.js";
import { Command, Empty, Lead, Panel, Shown } from "../parts/blocks.js";
import { useKeys } from "../parts/keys.js";
import { useView } from "../parts/use-view.js";
import { count, plural } from "../parts/words.js";
import { addressOf, go } from "../router.js";

const marks: Record<string, [mark: string, tone: string]> = {
  ok: ["✓", "good"],
  failed: ["✕", "refused"],
  "ended without a result": ["✕", "refused"],
  blocked: ["◆", "refused"],
  running: ["…", "soft"],
};

const Status = ({ status }: { status: string }) => {
  const [mark, tone] = marks[status] ?? ["•", "soft"];
  return (
    <span class={`status ${tone}`}>
      {mark} {status}
    </span>
  );
};

const inOrder = (nodes: readonly RunNode[]): string[] =>
  nodes.flatMap((node) => [node.run_id, ...inOrder(node.handoffs.flatMap(({ child }) => (child ? [child] : [])))]);

export function RunsPage({ parts: [id] }: PageProps) {
  const view = useView<RunsView>("runs");
  const ids = inOrder(view.value?.runs ?? []);
  const step = (by: number) => {
    const at = ids.indexOf(id ?? "");
    const next = ids[at < 0 ? 0 : Math.min(ids.length - 1, Math.max(0, at + by))];
    if (next) go(["runs", next], true);
  };
  useKeys({ j: () => step(1), k: () => step(-1) });
  return (
    <Shown view={view}>
      {(runs) =>
        runs.runs.length ? (
          <>
            <RunsLead runs={runs} />
            <div class="columns side">
              <Panel title="Runs and handoffs" hint="newest first">
                <ul class="tree">
                  {runs.runs.map((node) => (
                    <Node key={node.run_id} node={node} selected={id} />
                  ))}
                </ul>
                {runs.total > runs.shown && <p class="soft">and {count(runs.total - runs.shown)} older</p>}
              </Panel>
              {id ? <OneRun key={id} id={id} /> : <Panel title="Run">Select a run, or press j.</Panel>}
            </div>
          </>
        ) : runs.project ? (
          <Empty title="No run of a kit yet." command="interlock kit tdd red">
            A run keeps its capsule, manifest and logs, and names the runs it handed work to.
          </Empty>
        ) : (
          <Empty title="Runs are read from a project; this is a ledger alone." command="interlock dashboard" />
        )
      }
    </Shown>
  );
}

function RunsLead({ runs }: { runs: RunsView }) {
  const { counts } = runs;
  const bad = (counts["failed"] ?? 0) + (counts["ended without a result"] ?? 0) + (counts["blocked"] ?? 0);
  if (bad)
    return (
      <Lead figure={`${count(bad)} of ${plural(runs.shown, "run")} failed`} tone="bad">
        blocked runs and those that ended without a result included
      </Lead>
    );
  return (
    <Lead figure={`${plural(runs.total, "run")}, none failed`} tone="good">
      {counts["running"] ? `${counts["running"]} running now` : ""}
    </Lead>
  );
}

function Node({ node, selected }: { node: RunNode; selected: string | undefined }) {
  return (
    <li>
      <a href={addressOf("runs", node.run_id)} aria-current={node.run_id === selected ? "true" : undefined}>
        <b>{node.action}</b> <span class="soft">{node.args.join(" ")}</span> <Status status={node.status} />
        {node.doubt && <em class="refused"> {node.doubt}</em>}
      </a>
      {node.handoffs.length > 0 && (
        <ul>
          {node.handoffs.map((handoff) => (
            <li key={handoff.request_id} class="handoff">
              <div class="edge">
                <span class="soft">handed over in {handoff.request_id}</span> <Status status={handoff.status} />
                {handoff.reason && <p class="soft">{handoff.reason}</p>}
                {node.capsule.map((line) => (
                  <p class="capsule" key={line}>
                    {line}
                  </p>
                ))}
              </div>
              {handoff.child && (
                <ul>
                  <Node node={handoff.child} selected={selected} />
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const kilobytes = (bytes: number): string =>
  bytes < 10_000 ? plural(bytes, "byte") : `${count(Math.round(bytes / 1000))} KB`;

function OneRun({ id }: { id: string }) {
  const view = useView<RunView>("runs/run", { id });
  return (
    <Shown view={view}>
      {(run) => (
        <div>
          <Panel title={`${run.summary.action} ${run.summary.args.join(" ")}`}>
            <dl class="facts">
              <Fact name="state">
                <Status status={run.summary.status} />
                {run.summary.exit_code != null && ` exit code ${run.summary.exit_code}`}
              </Fact>
              <Fact name="run">{run.summary.run_id}</Fact>
              <Fact name="from">{run.summary.started_at ?? "?"}</Fact>
              {run.summary.finished_at && <Fact name="to">{run.summary.finished_at}</Fact>}
              {run.summary.parent_run_id && (
                <Fact name="asked by">
                  <a href={addressOf("runs", run.summary.parent_run_id)}>{run.summary.parent_run_id}</a>
                </Fact>
              )}
              {run.budget && (
                <Fact name="may read">
                  {plural(run.budget.files, "file")}, {kilobytes(run.budget.bytes)}
                  {run.budget.paths.length ? ` of ${run.budget.paths.join(", ")}` : ""}
                </Fact>
              )}
              {run.timeoutSeconds !== undefined && <Fact name="time">at most {count(run.timeoutSeconds)} s</Fact>}
            </dl>
            {run.doubt && (
              <p class="trouble">
                {run.doubt.kind}: {run.doubt.what} {run.doubt.remedy}
              </p>
            )}
          </Panel>
          <Panel title="Capsule" hint={run.capsule?.path}>
            {run.capsule ? (
              <>
                <pre>{run.capsule.text}</pre>
                <Findings list={run.capsule.findings} />
              </>
            ) : (
              <p class="soft">none was written</p>
            )}
          </Panel>
          <Panel title="Manifest" hint={run.manifest?.path}>
            {run.manifest ? (
              <>
                <p>
                  {plural(run.manifest.listed, "file")} with hashes
                  {run.manifest.omitted.files > 0 &&
                    `, ${count(run.manifest.omitted.files)} more (${kilobytes(run.manifest.omitted.bytes)}) not listed`}
                </p>
                <ul class="plain">
                  {run.manifest.truth.map((path) => (
                    <li key={path}>
                      <code>{path}</code>
                    </li>
                  ))}
                </ul>
                <Findings list={run.manifest.findings} />
              </>
            ) : (
              <p class="soft">none was written</p>
            )}
          </Panel>
          <Logs id={id} logs={run.logs} />
          <Panel title="Story" hint={run.damagedEvents ? `${run.damagedEvents} damaged lines left out` : undefined}>
            <ol class="plain story">
              {run.events.map((event, i) => (
                <li key={i} class={`depth-${Math.min(event.depth, 4)}`}>
                  <time>{event.at.slice(11, 19)}</time> <b>{event.what}</b> <span class="soft">{event.told}</span>
                </li>
              ))}
            </ol>
            <Command text={`interlock run replay ${id}`} />
          </Panel>
        </div>
      )}
    </Shown>
  );
}

const Findings = ({ list }: { list: readonly string[] }) => (
  <>
    {list.map((finding) => (
      <p class="refused" key={finding}>
        {finding}
      </p>
    ))}
  </>
);

const Fact = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const questions = ["tail", "errors", "tests", "grep", "lean-summary"] as const;

/** Asks a log a question instead of showing all of it. */
function Logs({ id, logs }: { id: string; logs: RunView["logs"] }) {
  const [path, setPath] = useState(logs[0]?.path ?? "");
  const [query, setQuery] = useState<string>("tail");
  const [pattern, setPattern] = useState("");
  const [answer, setAnswer] = useState<RunLogAnswer & { trouble?: string }>();
  if (!logs.length)
    return (
      <Panel title="Logs">
        <p class="soft">this run named none</p>
      </Panel>
    );
  const ask = (event: Event) => {
    event.preventDefault();
    fetchView<RunLogAnswer>("runs/log", { id, path, query, ...(query === "grep" && { pattern }) }).then(
      setAnswer,
      (error: Error) => setAnswer({ text: "", truncated: false, trouble: error.message }),
    );
  };
  return (
    <Panel title="Logs" hint="ask instead of reading all of it">
      <form class="row" onSubmit={ask}>
        <select aria-label="log" value={path} onChange={({ currentTarget }) => setPath(currentTarget.value)}>
          {logs.map((log) => (
            <option key={log.path} value={log.path}>
              {log.path}
              {log.gone ? " (gone)" : ""}
            </option>
          ))}
        </select>
        <select aria-label="question" value={query} onChange={({ currentTarget }) => setQuery(currentTarget.value)}>
          {questions.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {query === "grep" && (
          <input
            data-search
            aria-label="pattern"
            placeholder="pattern"
            value={pattern}
            onInput={({ currentTarget }) => setPattern(currentTarget.value)}
          />
        )}
        <button type="submit">ask</button>
      </form>
      {answer?.trouble && <p class="trouble">{answer.trouble}</p>}
      {answer && !answer.trouble && (
        <>
          <pre class="log">{answer.text || "nothing found"}</pre>
          {answer.truncated && <p class="soft">there is more than is shown</p>}
        </>
      )}
    </Panel>
  );
}
