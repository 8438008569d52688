// interlock logs: the newest records, one line each.
// Invariant: reads a bounded tail; foreign text is made inert.
import { probeSession } from "../../facts/probe-session.js";
import { asString, isObject, type JsonObject } from "../../model/json.js";
import type { LedgerRecord } from "../../store/index.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { dim, red, shown } from "../lib/paint.js";
import { cutLine, say } from "../lib/wrap.js";

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
  const { store } = await openHere(values);
  const { seq } = store.read();
  const from = Math.max(1, seq - (values.refused ? 5_000 : last * 3));
  const rows = [...store.records({ from })].filter(isCall).map(rowOf);
  const wanted = rows.filter((row) => !values.refused || row.outcome === "deny").slice(-last);
  if (values.json) printJson({ records: wanted });
  else if (!wanted.length) say("No record yet: start your agent in this project.");
  else for (const row of wanted) say(lineOf(row));
  return 0;
}

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
}

function rowOf({ seq, time, type, body }: LedgerRecord): LogRow {
  const { hostEvent, tool, verdict, opinions } = body as JsonObject;
  const said = isObject(verdict) ? verdict : {};
  const name = isObject(tool) ? asString(tool["name"]) : undefined;
  const parts = { tool: name, id: asString(said["id"]), gate: asString(said["gate"]) };
  const reason = Array.isArray(opinions) ? opinions.find((o) => isObject(o) && o["gate"] === parts.gate) : undefined;
  const what = isObject(reason) ? asString(reason["what"]) : undefined;
  return {
    seq,
    time,
    event: typeof hostEvent === "string" ? hostEvent : type,
    outcome: asString(said["outcome"]) ?? "",
    ...Object.fromEntries(Object.entries({ ...parts, what }).filter(([, value]) => value !== undefined)),
  };
}

function lineOf({ seq, time, event, tool, outcome, id, gate, what }: LogRow): string {
  const refused = outcome === "deny" || outcome === "ask";
  const verdict = refused ? red(`${outcome} ${gate ?? ""} ${id ?? ""} ${shown(what ?? "", 100)}`) : dim(outcome);
  const name = `${event}${tool ? ` ${shown(tool, 40)}` : ""}`;
  return cutLine(`${String(seq).padStart(6)} ${time.slice(11, 19)} ${name.padEnd(26)} ${verdict}`.trimEnd());
}
