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

/** Runs of commits that are gone go to the commit that has the same patch now. */
export function followRewrites(
  tests: RecordedTests,
  links: readonly { commit: string; patchId?: string }[],
  present: ReadonlySet<string>,
  patches: () => ReadonlyMap<string, string>,
): RecordedTests {
  const gone = links.filter((l) => l.patchId && tests.has(l.commit) && !present.has(l.commit));
  if (!gone.length) return tests;
  const now = new Map([...patches()].map(([commit, patchId]) => [patchId, commit]));
  const followed = new Map(tests);
  for (const { commit, patchId } of gone) {
    const to = now.get(patchId!);
    if (!to || to === commit) continue;
    const runs = tests.get(commit)!.map((run) => ({ ...run, via: commit }));
    followed.set(to, [...(followed.get(to) ?? []), ...runs]);
    followed.delete(commit);
  }
  return followed;
}

/** The commit a call made: as the gate sred/commit-link recorded it, or HEAD after a call that commits. */
function commitMadeIn(body: JsonObject): string | undefined {
  for (const act of Array.isArray(body["acts"]) ? body["acts"] : []) {
    const link = isObject(act) && act["act"] === "sred-link" ? act["link"] : undefined;
    if (isObject(link) && typeof link["commit"] === "string") return link["commit"];
  }
  const head = isObject(body["observed"]) && isObject(body["observed"]["head"]) ? body["observed"]["head"] : undefined;
  const after = head?.["after"];
  const command = commandOf(body);
  if (typeof after !== "string" || command === undefined) return undefined;
  // A switch of branches moves HEAD as well and makes nothing.
  return analysed(command, body).effects.some((e) => e.kind === "commit") ? after : undefined;
}

const analysed = (command: string, { cwd }: JsonObject) =>
  analyse(command, { cwd: typeof cwd === "string" ? cwd : "/" });

/** Long texts are cut in the record: what was cut off is not known, so no command and no output is read in part. */
const cutOff = /… \(\d+ characters\)$/;

/** A quick look before the real one: most calls run no tests. */
const mayTest = /test|spec|check|verify|build|jest|mocha|ava|tox|nox|pest|cypress|npm|pnpm|yarn|bun|rake|just/i;

function commandOf({ tool }: JsonObject): string | undefined {
  if (!isObject(tool) || tool["kind"] !== "shell" || !isObject(tool["input"])) return undefined;
  const { command } = tool["input"];
  return typeof command === "string" && !cutOff.test(command) ? command : undefined;
}

function runIn({ body, seq, hash, time }: LedgerRecord): ReportTestRun | undefined {
  const { event, tool, outcome } = body;
  if ((event !== "tool.after" && event !== "tool.failed") || !isObject(outcome)) return undefined;
  const command = commandOf(body);
  if (command === undefined || !mayTest.test(command)) return undefined;
  const background = isObject(tool) && isObject(tool["input"]) && tool["input"]["run_in_background"] === true;
  const text = typeof outcome["text"] === "string" && !cutOff.test(outcome["text"]) ? outcome["text"] : "";
  const seen = {
    tool: { name: "Bash", kind: "shell", input: {}, command, background },
    outcome: { ...outcome, text, ok: outcome["ok"] === true },
  } as unknown as Event;
  const run = testRunOf(seen, analysed(command, body).commands);
  if (run?.level !== "test") return undefined;
  return {
    ...{ record: seq, recordHash: hash, time, runner: run.runner, command: inert(command, 200) },
    verdict: run.ok === undefined ? "proves nothing" : run.ok ? "passed" : "failed",
    ...(run.why && { why: run.why }),
  };
}
