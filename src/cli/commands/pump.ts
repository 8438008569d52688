// interlock pump: runs requests of one kit to another. Exits 1 when a request was refused, blocked or failed.
import { kitProcess } from "../../runs/child-process.js";
import { DirectoryQueue } from "../../runs/directory-queue.js";
import { isRequestId } from "../../runs/ids.js";
import { type Pumped, type PumpOptions, pumpOnce, pumpWatch } from "../../runs/pump.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { printJson, schemaVersion } from "../lib/current-project.js";
import { green, red, shown, yellow } from "../lib/paint.js";
import { countOption, runRecordsHere, runsProjectRoot } from "../lib/runs-here.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock pump [--once | --watch] [--request <id>] [--json]

  --once               run one request and end (what it does unless told)
  --watch              run requests as they come, until stopped
  --request <id>       this request: its id, its file name or its path
  --timeout <seconds>  for requests that name none (3600)
  --lease <seconds>    how long a pump that no longer answers keeps a request (60)
  --attempts <n>       how often a request is tried before it is answered as failed (3)

Each request is answered once, in interop/responses/<id>.json. The child starts with the request, its pointers,
its must-read list and its budget, nothing else.

Examples:
  interlock pump --request RQ123
  interlock pump --watch
`;

const spec = {
  once: "flag",
  watch: "flag",
  request: "text",
  timeout: "text",
  lease: "text",
  attempts: "text",
  json: "flag",
  cwd: "text",
} as const;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, spec, usage);
  if (values.watch && (values.once || values.request !== undefined))
    throw new UsageError(`--watch goes with neither --once nor --request\n${usage}`);
  const project = runsProjectRoot(values);
  const leaseMs = 1_000 * (countOption("lease", values.lease, usage) ?? 60);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const pump: PumpOptions = {
    project,
    records: runRecordsHere(project),
    queue: new DirectoryQueue(project, { leaseMs, maxAttempts: countOption("attempts", values.attempts, usage) }),
    runChild: kitProcess([process.execPath, process.argv[1]!]),
    renewMs: leaseMs / 4,
    timeoutSeconds: countOption("timeout", values.timeout, usage),
    signal: stop.signal,
  };
  if (values.watch) {
    if (!values.json) sayError("waiting for requests; stop with Ctrl-C");
    await pumpWatch(pump, (pumped) => tell(pumped, values.json ? "line" : "text"));
    return 0;
  }
  const id = values.request === undefined ? undefined : idIn(values.request);
  const pumped = await pumpOnce(pump, { id });
  if (!pumped) return nothing(pump, id, values.json);
  tell(pumped, values.json ? "json" : "text");
  return pumped.response?.status === "ok" ? 0 : 1;
}

function idIn(given: string): string {
  const id = given.replace(/^.*\//, "").replace(/\.json$/, "");
  if (!isRequestId(id)) throw new UsageError(`"${given}" names no request\n${usage}`);
  return id;
}

/** Nothing to take: no request at all, or the named one is answered, held by another pump, or unknown. */
async function nothing({ queue }: PumpOptions, id: string | undefined, json = false): Promise<number> {
  if (id === undefined) {
    if (json) printJson({ pumped: null });
    else say("no request is waiting");
    return 0;
  }
  const response = await queue.response(id);
  if (response) {
    if (json) printJson({ pumped: { id, outcome: "answered before", response } });
    else say(`${id} was answered before: ${response.status}, interop/responses/${id}.json`);
    return response.status === "ok" ? 0 : 1;
  }
  const entry = (await queue.list()).find((e) => e.id === id);
  const why = entry
    ? `${id} is held by process ${entry.ownerPid ?? "of another pump"}; wait for it`
    : `there is no request ${id}; they lie in interop/requests/`;
  if (json) printJson({ pumped: null, why });
  else sayError(`interlock: ${why}`);
  return 1;
}

function tell(pumped: Pumped, how: "json" | "line" | "text"): void {
  if (how === "json") return printJson({ pumped });
  if (how === "line") return console.log(JSON.stringify({ schema: schemaVersion, pumped }));
  const { id, outcome, response } = pumped;
  const status = response?.status ?? outcome;
  const paint = status === "ok" ? green : status === "failed" ? red : yellow;
  say(`${id}: ${paint(status)}${response?.notes ? ` (${shown(response.notes, 300)})` : ""}`);
  if (response?.child_run_id) say(`  run ${response.child_run_id}, see: interlock run show ${response.child_run_id}`);
  for (const path of response?.missing_deliverables ?? []) say(`  missing: ${shown(path, 200)}`);
}
