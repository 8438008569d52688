// Runs on disk: ids, layout, events appended by many, lineage from the parent's record.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../testing/temporary.js";
import { isRequestId, isRunId, makeRequestId, makeRunId } from "./ids.js";
import {
  appendEvent,
  createRun,
  fileRunRecords,
  listRuns,
  openRun,
  readEvents,
  recordFile,
  runFolders,
} from "./run.js";
import { eventSchema, schemaFindings } from "./schemas.js";

test("ids carry a UTC stamp and random hex", () => {
  const now = Date.UTC(2026, 1, 13, 9, 15, 0);
  assert.match(makeRunId(now), /^20260213T091500Z-[0-9a-f]{8}$/);
  assert.match(makeRequestId(now), /^rq-20260213T091500Z-[0-9a-f]{6}$/);
  for (const bad of [
    "",
    "../x",
    "20260213T091500Z-1A2B3C4D",
    "20260213T091500Z-1a2b3c4d/..",
    "x\n20260213T091500Z-1a2b3c4d",
  ])
    assert.equal(isRunId(bad), false, bad);
  for (const bad of ["", ".hidden", "-x", "a/b", "a@b", "a".repeat(81), "a\n"])
    assert.equal(isRequestId(bad), false, bad);
});

test("a run has its folders, its record and a first event", () => {
  const project = temporary("run");
  const run = createRun(project, { kit: "tdd", phase: "red", args: ["docs/a.md"] });
  for (const folder of runFolders) assert.ok(existsSync(join(project, "runs", run.id, folder)), folder);
  const { events } = readEvents(project, run.id);
  assert.equal(events[0]?.event, "run_started");
  assert.ok(events[0]?.ts.endsWith("Z"));
  assert.deepEqual(openRun(project, run.id)?.record, run.record);
  assert.deepEqual(listRuns(project), [run.id]);
  assert.throws(() => createRun(project, { kit: "tdd", phase: "red", runId: run.id }), /exists already/);
  assert.throws(() => createRun(project, { kit: "tdd", phase: "red", runId: "../x" }), /no run id/);
});

test("lineage comes from the parent's record", () => {
  const project = temporary("run");
  const root = createRun(project, { kit: "research", phase: "run", args: ["experiments/a.md"] });
  const child = createRun(project, { kit: "math", phase: "full", args: ["specs/a.md"], parentRunId: root.id });
  const grandchild = createRun(project, { kit: "tdd", phase: "green", parentRunId: child.id, requestId: "RQ1" });
  assert.equal(grandchild.record.depth, 2);
  assert.deepEqual(
    grandchild.record.ancestors.map((a) => `${a.run_id} ${a.action} ${a.args}`),
    [`${root.id} research.run experiments/a.md`, `${child.id} math.full specs/a.md`],
  );
  assert.throws(() => createRun(project, { kit: "tdd", phase: "red", parentRunId: makeRunId() }), /there is no run/);
});

test("a record that is not valid, or of another run, is no record", () => {
  const project = temporary("run");
  const run = createRun(project, { kit: "tdd", phase: "red" });
  const records = fileRunRecords(project);
  const other = makeRunId();
  mkdirSync(join(project, "runs", other));
  writeFileSync(recordFile(project, other), JSON.stringify(run.record));
  assert.equal(records.read(other), undefined);
  writeFileSync(recordFile(project, run.id), JSON.stringify({ ...run.record, extra: 1 }));
  assert.equal(records.read(run.id), undefined);
  assert.equal(records.read("../../etc"), undefined);
});

test("a torn last line costs only itself", () => {
  const project = temporary("run");
  const run = createRun(project, { kit: "tdd", phase: "red" });
  appendFileSync(join(run.root, "events.jsonl"), '{"ts":"2026-');
  run.append({ event: "phase_started", kit: "tdd", phase: "red" });
  const log = readEvents(project, run.id);
  assert.deepEqual(
    log.events.map((e) => e.event),
    ["run_started", "phase_started"],
  );
  assert.deepEqual(log.damaged, [2]);
});

test("every line is valid and short, whatever the event holds", () => {
  const project = temporary("run");
  const run = createRun(project, { kit: "tdd", phase: "red" });
  run.append({ event: "gate_refused", gate: "kits/tdd-green", reason: `a\nb${"x".repeat(9_000)}` });
  run.append({ event: "artifact_indexed", data: { names: Array(500).fill("y".repeat(100)) } });
  run.append({
    event: "artifact_indexed",
    pointers: Object.fromEntries([...Array(50)].map((_, i) => [`p${i}`, "z".repeat(900)])),
  });
  assert.throws(() => run.append({ event: "Not an event" }), /would not be valid/);
  assert.throws(() => appendEvent(project, "../x", { event: "run_started" }), /no run id/);
  const lines = readFileSync(join(run.root, "events.jsonl"), "utf8").trimEnd().split("\n");
  assert.equal(lines.length, 4);
  for (const line of lines) {
    assert.ok(line.length < 4_096);
    assert.deepEqual(schemaFindings(eventSchema, JSON.parse(line)), []);
  }
  assert.equal(readEvents(project, run.id).events[2]?.truncated, true);
});
