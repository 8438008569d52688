// interlock logs: the newest records, one line each.
// Invariant: reads a bounded tail; foreign text is made inert.
import { probeSession } from "../../facts/probe-session.js";
import { asString, isObject, type JsonObject } from "../../model/json.js";
import type { LedgerRecord } from "../../store/index.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { clock, dim, red, shown, yellow } from "../lib/paint.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock logs [--last <number>] [--refused] [--json]

  --last     how many records, 20 by default and at most 1000
  --refused  only refusals
`;

export async function run(args: string[]): Promise<number> {
  const spec = { last: "text", refused: "flag", json: "flag", cwd: "text", home: "text" } as const;
  const { values } = parseOptions(args, spec, usage);
  const last = Number(values.last ?? 20);
  if (!Number.isInteger(last) || last < 1 || last > 1000)
    throw new UsageError(`--last takes a number from 1 to 1000, not "${values.last}"\n${usage}`);
  const { store, repository } = await openHere(values);
  const { seq } = store.read();
  const from = Math.max(1, seq - (values.refused ? 5_000 : last * 3));
  const rows = [...store.records({ from })].filter(isCall).map(rowOf);
  const wanted = rows.filter((row) => !values.refused || row.outcome === "deny").slice(-last);
  if (values.json) printJson({ records: wanted });
  else if (!wanted.length) say("No record yet: start your agent in this project.");
  else for (const row of wanted) say(lineOf(row, repository.root), hang);
  return 0;
}

/** Below the verdict: number, time and event stand before it. */
const hang = 40;

/** Our own probes are no calls. */
const isCall = ({ session }: LedgerRecord): boolean => !session?.startsWith(probeSession);

interface LogRow {
  seq: number;
  time: string;
  event: string;
  tool?: string;
  outcome: string;
  id?: string;
  gate?: string;
  what?: string;
  /** What was called: the command, file or pattern. */
  input?: string;
  /** Gates that only observe and would have refused. */
  would?: string[];
}

function rowOf({ seq, time, type, body }: LedgerRecord): LogRow {
  const { hostEvent, tool, verdict, opinions } = body as JsonObject;
  const said = isObject(verdict) ? verdict : {};
  const name = isObject(tool) ? asString(tool["name"]) : undefined;
  const parts = { tool: name, id: asString(said["id"]), gate: asString(said["gate"]) };
  const reason = Array.isArray(opinions) ? opinions.find((o) => isObject(o) && o["gate"] === parts.gate) : undefined;
  const what = isObject(reason) ? asString(reason["what"]) : undefined;
  const input =
    isObject(tool) && isObject(tool["input"])
      ? calledWith(tool["input"])
      : type === "event"
        ? undefined
        : personDid(body as JsonObject);
  const would = Array.isArray(opinions) ? wouldRefuse(opinions) : [];
  const more = { ...parts, what, input, would: would.length ? would : undefined };
  return {
    seq,
    time,
    event: typeof hostEvent === "string" ? hostEvent : type,
    outcome: asString(said["outcome"]) ?? "",
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
  };
}

/** Records of what a person did: allow v-12, pause, feedback v-12 wrong. */
const personDid = (body: JsonObject): string | undefined =>
  ["do", "verdict", "said", "reason"].flatMap((key) => asString(body[key]) ?? []).join(" ") || undefined;

const calledWith = (input: JsonObject): string | undefined =>
  ["command", "file_path", "notebook_path", "pattern", "url", "query", "description"]
    .map((key) => asString(input[key]))
    .find((text) => text !== undefined);

const wouldRefuse = (opinions: readonly unknown[]): string[] =>
  opinions.flatMap((o) =>
    isObject(o) && (o["kind"] === "deny" || o["kind"] === "ask") && o["mode"] !== "enforce" && !o["lifted"]
      ? [asString(o["gate"]) ?? ""]
      : [],
  );

function lineOf(row: LogRow, root: string): string {
  const { seq, time, event, tool, outcome, id, gate, what, would } = row;
  const refused = outcome === "deny" || outcome === "ask";
  const input = shown((row.input ?? "").replaceAll(`${root}/`, ""), 100);
  const verdict = refused
    ? red(`${outcome} ${gate ?? ""} ${id ?? ""} ${shown(what ?? "", 100)}`)
    : [outcome, input && dim(input), would && yellow(`would be refused by ${would.join(", ")}`)]
        .filter(Boolean)
        .join(" ");
  const name = `${event}${tool ? ` ${shown(tool, 40)}` : ""}`;
  return `${String(seq).padStart(5)} ${clock(Date.parse(time))} ${name.padEnd(23)}  ${verdict}`.trimEnd();
}
