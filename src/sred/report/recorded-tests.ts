// Test runs in Interlock's record, and the commits they came before.
// Invariant: a run belongs to a commit only where the record shows both in one session; no time is compared.
import { testRunOf } from "../../facts/test-run.js";
import type { Event } from "../../model/event.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { inert } from "../../model/text.js";
import { analyse } from "../../shell/index.js";
import type { LedgerRecord } from "../../store/index.js";
import type { ReportTestRun } from "./report-schema.js";

/** By commit hash: the runs since the session's commit before it. */
export type RecordedTests = ReadonlyMap<string, readonly ReportTestRun[]>;

export function recordedTests(records: Iterable<LedgerRecord>): RecordedTests {
  const found = new Map<string, readonly ReportTestRun[]>();
  const waiting = new Map<string, ReportTestRun[]>();
  for (const record of records) {
    if (record.type !== "event") continue;
    const session = `${record.session ?? ""}\n${record.agent ?? ""}`;
    const run = runIn(record);
    if (run) waiting.set(session, [...(waiting.get(session) ?? []), run]);
    const made = commitMadeIn(record.body);
    if (!made) continue;
    const runs = waiting.get(session);
    if (runs?.length) found.set(made, [...(found.get(made) ?? []), ...runs]);
    waiting.delete(session);
  }
  return found;
}

/** HEAD after a call that moved it. */
function commitMadeIn(body: JsonObject): string | undefined {
  const head = isObject(body["observed"]) && isObject(body["observed"]["head"]) ? body["observed"]["head"] : undefined;
  return typeof head?.["after"] === "string" ? head["after"] : undefined;
}

/** Long texts are cut in the record: what was cut off is not known, so no command and no output is read in part. */
const cutOff = /… \(\d+ characters\)$/;

function runIn({ body, seq, hash, time }: LedgerRecord): ReportTestRun | undefined {
  const { event, tool, outcome } = body;
  if ((event !== "tool.after" && event !== "tool.failed") || !isObject(tool) || !isObject(outcome)) return undefined;
  const command = tool["kind"] === "shell" && isObject(tool["input"]) ? tool["input"]["command"] : undefined;
  if (typeof command !== "string" || cutOff.test(command)) return undefined;
  const text = typeof outcome["text"] === "string" && !cutOff.test(outcome["text"]) ? outcome["text"] : "";
  const seen = {
    tool: {
      name: "Bash",
      kind: "shell",
      input: {},
      command,
      background: isObject(tool["input"]) && tool["input"]["run_in_background"] === true,
    },
    outcome: { ...outcome, text, ok: outcome["ok"] === true },
  } as unknown as Event;
  const run = testRunOf(seen, analyse(command, { cwd: typeof body["cwd"] === "string" ? body["cwd"] : "/" }).commands);
  if (run?.level !== "test") return undefined;
  return {
    ...{ record: seq, recordHash: hash, time, runner: run.runner, command: inert(command, 200) },
    verdict: run.ok === undefined ? "proves nothing" : run.ok ? "passed" : "failed",
    ...(run.why && { why: run.why }),
  };
}
