import assert from "node:assert/strict";
import { test } from "node:test";
import { probeSession } from "../../facts/probe-session.js";
import type { LedgerRecord, Store } from "../../store/index.js";
import { completeness } from "./completeness.js";

let seq = 0;
const record = (event: string, id: string | undefined, outcome = "pass", session = "s") =>
  ({ seq: ++seq, type: "event", session, body: { event, tool: { name: "Bash", id }, verdict: { outcome } } }) as never;

test("the numbers add up, and our own probes are no calls", () => {
  const records: LedgerRecord[] = [
    record("tool.before", "a"),
    record("tool.after", "a"),
    record("tool.before", "b", "deny"),
    record("tool.before", "c"),
    record("tool.before", "c"), // asked twice: one call
    record("tool.before", undefined),
    record("tool.before", "p", "deny", `${probeSession}-1`),
    record("tool.before", "q", "pass", `${probeSession}-1`),
    { seq: ++seq, type: "unrecorded", body: { events: [{ hostEvent: "Stop" }, { hostEvent: "Stop" }] } } as never,
  ];
  const { open, ...counts } = completeness({ records: () => records } as unknown as Store);
  assert.deepEqual(counts, { calls: 4, refused: 1, ended: 1, untracked: 1, unrecorded: 2 });
  assert.equal(open.length, 1);
});
