// interlock trace blame: each line with its author, and the refused attempts on the way to it.

import { interlockHome } from "../../../hook/folders.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { identify } from "../../../project/identify.js";
import { openStore } from "../../../store/index.js";
import { type BlamedLine, blameFile } from "../../../trace/blame.js";
import { UsageError } from "../args.js";
import { printJson } from "../current-project.js";
import { bold, dim, green, red, shown, yellow } from "../paint.js";
import { withProgress } from "../progress.js";
import { say } from "../wrap.js";
import { pathBelow, type TraceOptions, tracePlace } from "./trace-place.js";

interface RefusedAttempt {
  verdict: string;
  time: string;
  gate: string;
  what: string;
  session?: string;
}

const newestRecords = 20_000;
const mostAttempts = 10;

export async function showBlame(values: TraceOptions, words: readonly string[], usage: string): Promise<number> {
  const [given, ...more] = words;
  if (given === undefined || more.length) throw new UsageError(`say which file: src/a.ts or src/a.ts:12\n${usage}`);
  const place = tracePlace(values);
  const [, name = given, line] = /^(.+?)(?::(\d+))?$/.exec(given) ?? [];
  const path = pathBelow(place, values, name);
  const lines = await withProgress("reading the trace", () => blameFile(place, path));
  if (!lines) throw new UsageError(`${shown(name, 200)} is no text file in the work tree`);
  const wanted = line === undefined ? lines : lines.filter((one) => one.line === Number(line));
  if (!wanted.length && line !== undefined)
    throw new UsageError(`${shown(name, 200)} has ${lines.length} lines, not ${line}`);
  const sessions = new Set(wanted.flatMap(({ session }) => session ?? []));
  const refused = refusedAttempts(values, place.root, path, sessions);
  if (values.json) printJson({ path, lines: wanted, refused });
  else if (line !== undefined) showOne(path, wanted[0]!, refused);
  else showAll(wanted, refused);
  return 0;
}

function showAll(lines: readonly BlamedLine[], refused: readonly RefusedAttempt[]): void {
  for (const one of lines) {
    const who = one.by === "ai" ? green("agent  ") : one.by === "outside" ? yellow("outside") : dim("unknown");
    const about = [one.intent ?? "-", one.model ?? "-", one.commit?.slice(0, 8) ?? "uncommitted"].map((word) =>
      shown(word, 24),
    );
    say(
      `${who} ${about[0]!.padEnd(10)} ${about[1]!.padEnd(18)} ${about[2]!.padEnd(11)} ` +
        `${String(one.line).padStart(5)}  ${shown(one.text, 100)}`,
    );
  }
  showRefused(refused);
}

function showOne(path: string, one: BlamedLine, refused: readonly RefusedAttempt[]): void {
  say(`${bold(`${shown(path, 200)}:${one.line}`)} ${shown(one.text, 120)}`);
  const who = { ai: "an agent wrote it", outside: "changed outside the observed calls", unknown: "unknown" }[one.by];
  say(`  who      ${who}${one.why ? ` (${one.why})` : ""}`);
  const rows = [
    ["model", one.model],
    ["session", one.session],
    ["agent", one.agent],
    ["tool", one.tool],
    ["intent", one.intent],
    ["run", one.run],
    ["phase", one.phase],
    ["when", one.at],
    ["record", one.record],
    ["commit", one.commit && `${one.commit}${one.committer ? ` by ${one.committer}` : ""}`],
  ] as const;
  for (const [name, value] of rows) if (value) say(`  ${name.padEnd(8)} ${shown(value, 160)}`);
  if (!one.commit) say("  commit   not committed yet");
  showRefused(refused);
}

function showRefused(refused: readonly RefusedAttempt[]): void {
  for (const { verdict, gate, what, time } of refused)
    say(`${red(`refused  ${verdict}`)} ${shown(gate, 60)}: ${shown(what, 120)} ${dim(time)}`);
}

/** Refused calls of the sessions in question that name the file. */
function refusedAttempts(
  values: TraceOptions,
  root: string,
  path: string,
  sessions: ReadonlySet<string>,
): RefusedAttempt[] {
  const found: RefusedAttempt[] = [];
  try {
    const store = openStore({ home: interlockHome(process.env, values.home), id: identify(root).id });
    const { seq } = store.read();
    for (const record of store.records({ from: Math.max(1, seq - newestRecords) })) {
      if (record.type !== "event" || (sessions.size && !sessions.has(record.session ?? ""))) continue;
      const body = record.body as JsonObject;
      const verdict = isObject(body["verdict"]) ? body["verdict"] : {};
      if (verdict["outcome"] !== "deny" || !JSON.stringify([body["effects"], body["tool"]]).includes(path)) continue;
      const opinions = (Array.isArray(body["opinions"]) ? body["opinions"] : []).filter(isObject);
      const own = opinions.find((o) => o["gate"] === verdict["gate"]);
      found.push({
        verdict: String(verdict["id"]),
        time: record.time,
        gate: String(verdict["gate"] ?? ""),
        what: String(own?.["what"] ?? ""),
        ...(record.session && { session: record.session }),
      });
    }
  } catch {
    return found; // no record here: nothing was refused that anyone could name
  }
  return found.slice(-mostAttempts);
}
