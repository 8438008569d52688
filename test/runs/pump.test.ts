// The pump with real child processes: what the child gets, what the response says, and that time and leases end it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { kitProcess } from "../../src/runs/child-process.js";
import { DirectoryQueue } from "../../src/runs/directory-queue.js";
import { makeRunId } from "../../src/runs/ids.js";
import { type Pumped, type PumpOptions, pumpOnce } from "../../src/runs/pump.js";
import type { NewRequest } from "../../src/runs/request.js";
import { type Run, readEvents } from "../../src/runs/run.js";
import { responseSchema, schemaFindings } from "../../src/runs/schemas.js";
import { replayOf, treeOf } from "../../src/runs/story.js";
import { fileFindings } from "../../src/runs/validate-files.js";
import { takeTurn } from "../../src/runs/worktree-turn.js";
import { until } from "../../src/testing/until.js";
import type { Script } from "./fake-kit.js";
import { type RunsProject, runsProject } from "./story.js";

const onePump = fileURLToPath(new URL("one-pump.js", import.meta.url));
const fakeKit = fileURLToPath(new URL("fake-kit.js", import.meta.url));

interface Place extends RunsProject {
  parent: Run;
  options: PumpOptions;
  pump(script: Script, more?: Partial<NewRequest>): Promise<Pumped>;
}

function place(more: Partial<PumpOptions> = {}): Place {
  const p = runsProject();
  const parent = p.run();
  const queue = new DirectoryQueue(p.root, { leaseMs: 5_000 });
  const options: PumpOptions = {
    ...p.rules,
    queue,
    renewMs: 500,
    runChild: kitProcess([process.execPath, fakeKit]),
    ...more,
  };
  return {
    ...p,
    parent,
    options,
    async pump(script, given = {}) {
      p.write("specs/script.json", JSON.stringify(script));
      const request = p.request(parent, { args: ["specs/script.json"], ...given });
      await queue.enqueue(request);
      return (await pumpOnce(options, { id: request.request_id }))!;
    },
  };
}

test("the response names what the child made, and only that", async () => {
  const p = place();
  p.write("results/old.txt", "old");
  p.write("results/same.txt", "same");
  p.write("results/changed.txt", "before");
  const write = {
    "results/new.txt": "new",
    "results/same.txt": "same",
    "results/changed.txt": "after",
    "other/x.txt": "x",
  };
  const { response, outcome, childRunId } = await p.pump(
    { write },
    { deliverables: ["results/**", "specs/proof.lean"] },
  );
  assert.equal(outcome, "answered");
  assert.deepEqual(schemaFindings(responseSchema, response), []);
  assert.equal(response?.status, "ok");
  assert.deepEqual(response?.deliverables, ["results/changed.txt", "results/new.txt"]);
  assert.deepEqual(response?.missing_deliverables, ["specs/proof.lean"]);
  assert.equal(response?.capsule_path, `runs/${childRunId}/capsules/math_full.md`);
  assert.equal(response?.manifest_path, `runs/${childRunId}/manifests/math_full.json`);
  for (const [kind, path] of [
    ["capsule", response!.capsule_path!],
    ["manifest", response!.manifest_path!],
  ] as const)
    assert.deepEqual(fileFindings(p.root, kind, join(p.root, path), { checkFiles: true }), []);
});

test("capsules of other runs are no deliverables of this one", async () => {
  const p = place();
  await p.pump({});
  const { response, childRunId } = await p.pump({}, { deliverables: ["runs/*/capsules/*.md"] });
  assert.deepEqual(response?.deliverables, [`runs/${childRunId}/capsules/math_full.md`]);
});

test("the child gets request, pointers, must-read list and budget, nothing of the parent's session", async () => {
  const secret = {
    CLAUDECODE: "1",
    TDD_PHASE: "green",
    RUN_ID: "parent",
    TRANSCRIPT: "as I said",
    READ_ALLOW_GLOBS: "**",
  };
  const p = place({
    baseEnv: { ...secret, PATH: process.env["PATH"], HOME: "/home/x", ANTHROPIC_BASE_URL: "http://localhost" },
  });
  const { childRunId } = await p.pump(
    {},
    { mustRead: ["specs/lemma.md"], allowedPaths: ["docs/**"], maxFiles: 3, maxTotalBytes: 999 },
  );
  const env = JSON.parse(readFileSync(join(p.root, "runs", childRunId!, "artifacts/env.json"), "utf8")) as Record<
    string,
    string
  >;
  for (const name of ["CLAUDECODE", "TDD_PHASE", "TRANSCRIPT"]) assert.equal(env[name], undefined, name);
  assert.equal(env["RUN_ID"], childRunId);
  assert.equal(env["RUN_ROOT"], `runs/${childRunId}`);
  assert.equal(env["PARENT_RUN_ID"], p.parent.id);
  assert.equal(env["MUST_READ_ALLOWLIST"], "specs/lemma.md");
  assert.equal(env["READ_ALLOW_GLOBS"], "specs/lemma.md,docs/**");
  assert.equal(env["READ_BUDGET_MAX_FILES"], "3");
  assert.equal(env["READ_BUDGET_MAX_TOTAL_BYTES"], "999");
  assert.equal(env["HOME"], "/home/x");
  assert.deepEqual(
    fileFindings(p.root, "request", join(p.root, env["REQUEST_FILE"]!), {}).map((f) => f.problem),
    ["it is not the file's name request"],
  );
});

const refused = { event: "gate_refused", gate: "kits/math-prove", reason: "signature changed" };
const rows: [string, Script, string, string | undefined][] = [
  ["exit 0 with run_finished is ok", {}, "ok", undefined],
  ["a refusal it got over is ok", { events: [refused] }, "ok", undefined],
  ["a refusal and exit 1 is blocked", { events: [refused], exit: 1 }, "blocked", "gate_refused"],
  [
    "a blocked phase is blocked whatever the exit code",
    { events: [{ event: "phase_blocked" }] },
    "blocked",
    "phase_blocked",
  ],
  ["exit 1 alone is failed", { exit: 1 }, "failed", "child_failed"],
  ["BLOCKED: in its output means nothing", { print: "BLOCKED: not at all", exit: 1 }, "failed", "child_failed"],
  ["exit 0 without run_finished is failed", { silent: true }, "failed", "no_run_finished"],
];
for (const [what, script, status, reason] of rows)
  test(`status: ${what}`, async () => {
    const { response } = await place().pump(script);
    assert.deepEqual([response?.status, response?.reason], [status, reason]);
    assert.doesNotMatch(JSON.stringify(response), /not at all/);
  });

test("an answered request is not run again", async () => {
  const p = place();
  const first = await p.pump({}, { requestId: "RQ1" });
  assert.equal(first.outcome, "answered");
  assert.equal(await pumpOnce(p.options, { id: "RQ1" }), undefined);
  assert.equal(readdirSync(join(p.root, "runs")).length, 2);
});

test("a child out of time is ended with all it started", async () => {
  const p = place();
  const { response } = await p.pump({ sleepMs: 60_000, linger: "late.txt" }, { timeoutSeconds: 1 });
  assert.deepEqual([response?.status, response?.reason], ["failed", "timeout"]);
  await wait(1_500);
  assert.equal(existsSync(join(p.root, "late.txt")), false);
});

test("a child that can't be started is tried again, then answered", async () => {
  const p = place({ runChild: kitProcess(["/nonexistent/interlock"]), retryDelayMs: 1 });
  assert.equal((await p.pump({}, { requestId: "RQ1" })).outcome, "retrying");
  await wait(20);
  let last: Pumped | undefined;
  for (let i = 0; i < 5 && last?.outcome !== "refused"; i++) {
    last = await pumpOnce(p.options, { id: "RQ1" });
    await wait(20);
  }
  assert.equal(last?.response?.reason, "gave_up");
});

test("a lost lease ends the child and leaves the answer to the other worker", async () => {
  const p = place({ renewMs: 100 });
  const slow = p.pump({ sleepMs: 60_000 }, { requestId: "RQ1" });
  await until(() => readdirSync(join(p.root, "interop/claimed")).length, "the request is claimed");
  const other = new DirectoryQueue(p.root);
  // As another worker would after the lease ran out.
  const { renameSync } = await import("node:fs");
  await wait(500);
  const [name] = readdirSync(join(p.root, "interop/claimed"));
  const [id, attempt, , ...rest] = name!.split("@");
  renameSync(
    join(p.root, "interop/claimed", name!),
    join(p.root, "interop/claimed", [id, attempt, "1", ...rest].join("@")),
  );
  const claim = (await other.claim({ id: "RQ1" }))!;
  assert.equal(claim.attempt, 2);
  assert.equal((await slow).outcome, "lost");
  assert.equal(await other.response("RQ1"), undefined);
});

test("a child ends with its pump, and the next pump waits for one that lives on", async () => {
  const p = place();
  const pidFile = join(p.root, "agent.pid");
  p.write("specs/script.json", JSON.stringify({ sleepMs: 600_000, pid: "agent.pid" }));
  await p.options.queue.enqueue(p.request(p.parent, { requestId: "RQ1", args: ["specs/script.json"] }));
  const pump = spawn(process.execPath, [onePump, p.root], { stdio: "ignore" });
  await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", "the agent runs");
  const orphan = Number(readFileSync(pidFile, "utf8"));
  process.kill(pump.pid!, "SIGKILL");
  await until(() => !isRunning(orphan), "the agent ends with its pump");
  // One that does not end: the next pump waits until it is gone.
  const stubborn = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  const turn = await takeTurn({ project: p.root, childRunId: makeRunId(), requestId: "RQ0", above: [] });
  turn!.started(stubborn.pid!);
  const held = readdirSync(join(p.root, "interop/turn")).filter((name) => name.startsWith("child-"));
  assert.equal(held.length, 1);
  const note = readFileSync(join(p.root, "interop/turn", held[0]!), "utf8");
  turn!.end();
  p.write(`interop/turn/${held[0]}`, note);
  p.write("specs/script.json", "{}");
  let isDone = false;
  const next = pumpOnce(p.options, { id: "RQ1" }).finally(() => (isDone = true));
  const waits = () => readEvents(p.root, p.parent.id).events.some((e) => e.event === "request_waiting");
  await until(waits, "the next pump waits");
  assert.equal(isDone, false);
  stubborn.kill("SIGKILL");
  assert.equal((await next)?.response?.status, "ok");
});

/** A zombie nobody collects has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = `/proc/${pid}/stat`;
  return !existsSync(stat) || !/^\d+ \(.*\) Z/.test(readFileSync(stat, "utf8"));
}

test("fan-out ends at the limit", async () => {
  const p = place({ maxFanOut: 2 });
  assert.equal((await p.pump({})).response?.status, "ok");
  assert.equal((await p.pump({})).response?.status, "ok");
  assert.equal((await p.pump({})).response?.reason, "fan_out");
});

test("a request of the running child does not wait for its turn to end", async () => {
  const p = place();
  const nested: PumpOptions["runChild"] = async (job) => {
    const inner = { ...p.options, runChild: kitProcess([process.execPath, fakeKit]) };
    const { createRun } = await import("../../src/runs/run.js");
    const run = createRun(p.root, {
      kit: "math",
      phase: "full",
      runId: job.childRunId,
      parentRunId: p.parent.id,
      requestId: job.request.request_id,
    });
    p.write("experiments/script.json", "{}");
    await p.options.queue.enqueue(
      p.request(run, { requestId: "inner", action: "research.run", args: ["experiments/script.json"] }),
    );
    const pumped = await pumpOnce(inner, { id: "inner" });
    run.append({ event: "run_finished", exit_code: pumped?.response?.status === "ok" ? 0 : 1 });
    return { exitCode: 0 };
  };
  const outer = { ...p.options, runChild: nested };
  await p.options.queue.enqueue(p.request(p.parent, { requestId: "outer" }));
  assert.equal((await pumpOnce(outer, { id: "outer" }))?.response?.status, "ok");
  const tree = treeOf(p.root, p.parent.id);
  assert.deepEqual(
    tree.handoffs.map((h) => [
      h.request_id,
      h.status,
      h.child?.action,
      h.child?.handoffs.map((i) => [i.request_id, i.status, i.child?.action]),
    ]),
    [["outer", "ok", "math.full", [["inner", "ok", "research.run"]]]],
  );
  assert.ok(tree.handoffs[0]?.child?.handoffs[0]?.child?.capsule.some((line) => line.startsWith("Goal:")));
});

test("parent and child run both tell the story, and no word of the child's output is in it", async () => {
  const p = place();
  const { childRunId, id } = await p.pump({ print: "a secret thought of the child" });
  const names = (run: string) => readEvents(p.root, run).events.map((e) => e.event);
  assert.deepEqual(names(p.parent.id), ["run_started", "request_started", "request_completed"]);
  assert.deepEqual(names(childRunId!), ["request_accepted", "run_started", "run_finished", "request_completed"]);
  const { lines, damaged } = replayOf(p.root, p.parent.id);
  assert.equal(damaged, 0);
  assert.deepEqual(lines.map((l) => `${l.depth} ${l.event.event}`).slice(0, 4), [
    "0 run_started",
    "0 request_started",
    "1 request_accepted",
    "1 run_started",
  ]);
  const told = [
    readFileSync(join(p.root, "interop/responses", `${id}.json`), "utf8"),
    readFileSync(join(p.root, "interop/done", `${id}.json`), "utf8"),
    JSON.stringify(lines),
  ];
  for (const text of told) assert.doesNotMatch(text, /secret thought/);
});
