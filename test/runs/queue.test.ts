// The directory queue: one answer for each request, whoever dies; hostile requests are answered and never run.
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { DirectoryQueue } from "../../src/runs/directory-queue.js";
import { makeRunId } from "../../src/runs/ids.js";
import { type PumpOptions, pumpOnce } from "../../src/runs/pump.js";
import { makeResponse, refusedResponse } from "../../src/runs/response.js";
import { type InteropRequest, responseSchema, schemaFindings } from "../../src/runs/schemas.js";
import { temporary } from "../../src/testing/temporary.js";
import { type RunsProject, runsProject } from "./story.js";

const answerTo = (id: string) => refusedResponse(id, "test", "");

test("enqueue, claim, renew, complete, and the answer is there", async () => {
  const p = runsProject();
  const queue = new DirectoryQueue(p.root);
  const request = p.request(p.run());
  await queue.enqueue(request);
  await assert.rejects(queue.enqueue(request), /exists already/);
  const claim = (await queue.claim())!;
  assert.equal(claim.id, request.request_id);
  assert.equal(claim.attempt, 1);
  assert.deepEqual(JSON.parse(claim.text!), request);
  assert.equal(await queue.claim(), undefined, "it is taken");
  assert.equal((await queue.list())[0]?.state, "claimed");
  const before = claim.token;
  assert.equal(await queue.renew(claim), true);
  assert.notEqual(claim.token, before);
  assert.equal(await queue.complete(claim, answerTo(claim.id)), true);
  assert.equal(await queue.complete(claim, answerTo(claim.id)), false);
  assert.equal((await queue.response(claim.id))?.status, "failed");
  assert.deepEqual(
    (await queue.list()).map((e) => [e.state, e.answered]),
    [["done", true]],
  );
  assert.deepEqual(readdirSync(join(p.root, "interop/claimed")), []);
});

test("high priority first, then by id", async () => {
  const p = runsProject();
  const queue = new DirectoryQueue(p.root);
  const run = p.run();
  for (const [requestId, priority] of [
    ["b", "low"],
    ["c", undefined],
    ["d", "high"],
    ["a", undefined],
  ] as const)
    await queue.enqueue(p.request(run, { requestId, priority }));
  const order: string[] = [];
  for (let claim = await queue.claim(); claim; claim = await queue.claim()) order.push(claim.id);
  assert.deepEqual(order, ["d", "a", "c", "b"]);
});

test("a request that has an answer is not handed out again", async () => {
  const p = runsProject();
  const queue = new DirectoryQueue(p.root);
  const request = p.request(p.run(), { requestId: "RQ1" });
  await queue.enqueue(request);
  await queue.complete((await queue.claim())!, answerTo("RQ1"));
  writeFileSync(join(p.root, "interop/requests/RQ1.json"), JSON.stringify(request));
  assert.equal(await queue.claim(), undefined);
  assert.equal(await queue.claim({ id: "RQ1" }), undefined);
  assert.deepEqual(readdirSync(join(p.root, "interop/requests")), []);
});

test("a lease that ran out goes to the next, and the slow worker's answer does not count", async () => {
  const p = runsProject();
  const slow = new DirectoryQueue(p.root, { leaseMs: 30 });
  const quick = new DirectoryQueue(p.root);
  await slow.enqueue(p.request(p.run(), { requestId: "RQ1" }));
  const late = (await slow.claim())!;
  await wait(60);
  const second = (await quick.claim())!;
  assert.equal(second.attempt, 2);
  assert.equal(await slow.renew(late), false);
  assert.equal(await slow.complete(late, answerTo("RQ1")), false);
  assert.equal(await quick.complete(second, makeResponse({ ...answerTo("RQ1"), notes: "second" })), true);
  assert.equal((await quick.response("RQ1"))?.notes, "second");
});

test("retries wait their time and end at the cap", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: Date.now() });
  const p = runsProject();
  const queue = new DirectoryQueue(p.root, { maxAttempts: 2 });
  await queue.enqueue(p.request(p.run(), { requestId: "RQ1" }));
  await queue.retry((await queue.claim())!, 60);
  assert.equal(await queue.claim(), undefined);
  assert.equal((await queue.list())[0]?.state, "retrying");
  t.mock.timers.setTime(Date.now() + 61);
  const second = (await queue.claim())!;
  assert.deepEqual([second.attempt, second.exhausted], [2, false]);
  await queue.retry(second, 0);
  const third = (await queue.claim())!;
  assert.deepEqual([third.attempt, third.exhausted], [3, true]);
});

test("fan-out is counted once per request", async () => {
  const p = runsProject();
  const queue = new DirectoryQueue(p.root);
  const run = makeRunId();
  assert.deepEqual(await Promise.all(["a", "b", "a", "c", "b"].map((id) => queue.admit(run, id, 2))), [
    true,
    true,
    true,
    false,
    true,
  ]);
  assert.equal(await queue.admit("../../x", "a", 2), false);
});

test("a link in place of a queue folder is refused", () => {
  const p = runsProject();
  mkdirSync(join(p.root, "interop"));
  symlinkSync(temporary("elsewhere"), join(p.root, "interop/responses"));
  assert.throws(() => new DirectoryQueue(p.root), /no folder of its own/);
});

test("300 requests, 8 workers, random kill -9: none lost, none answered twice, leases recovered", async () => {
  const p = runsProject();
  const marks = temporary("marks");
  mkdirSync(join(p.root, "results"));
  const run = p.run();
  const queue = new DirectoryQueue(p.root);
  const ids = [...Array(300)].map((_, i) => `RQ${String(i).padStart(3, "0")}`);
  for (const requestId of ids)
    await queue.enqueue(p.request(run, { requestId, deliverables: [`results/${requestId}.txt`] }));
  const program = fileURLToPath(new URL("worker.js", import.meta.url));
  const alive = new Set<ChildProcess>();
  const ended: Promise<void>[] = [];
  const start = () => {
    const worker = fork(program, [p.root, marks], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    alive.add(worker);
    ended.push(new Promise((done) => worker.once("exit", () => done(void alive.delete(worker)))));
  };
  const answers = () => readdirSync(join(p.root, "interop/responses")).filter((n) => n.endsWith(".json")).length;
  for (let i = 0; i < 8; i++) start();
  let kills = 0;
  for (const until = Date.now() + 240_000; answers() < 250 && Date.now() < until; ) {
    await wait(200 + Math.random() * 500);
    // Most often the one that is just running a child, else any: waiting, claiming or answering.
    const busy = [...alive].find((worker) => worker.pid === lastStarted(marks));
    const victim = (Math.random() < 0.7 && busy) || [...alive][Math.floor(Math.random() * alive.size)];
    if (victim?.kill("SIGKILL")) kills++;
    start();
  }
  await Promise.all(ended);
  const again = readFileSync(join(marks, "started"), "utf8").trimEnd().split("\n").length - 300;
  assert.ok(kills >= 5 && again >= 5, `${kills} workers killed, ${again} requests started again`);
  const list = await queue.list();
  assert.deepEqual(
    list.map((e) => `${e.id} ${e.state} ${e.answered}`).sort(),
    ids.map((id) => `${id} done true`),
  );
  for (const id of ids) {
    const response = (await queue.response(id))!;
    assert.deepEqual([response.request_id, response.status], [id, "ok"]);
    assert.deepEqual(response.deliverables, [`results/${id}.txt`]);
    assert.equal(
      readFileSync(join(p.root, "results", `${id}.txt`), "utf8"),
      response.child_run_id,
      "the answer is of the last run",
    );
  }
  const answered = readFileSync(join(marks, "answered"), "utf8").trimEnd().split("\n");
  assert.equal(new Set(answered).size, answered.length, "no worker was told twice that its answer counts");
  console.log(`# ${kills} workers killed, ${again} requests started again`);
});

function lastStarted(marks: string): number {
  const file = join(marks, "started");
  return existsSync(file) ? Number(readFileSync(file, "utf8").trimEnd().split(/\s/).at(-1)) : 0;
}

/** Each says what it is and writes itself into requests/. */
function hostile(p: RunsProject): [string, (name: string) => void][] {
  const run = p.run();
  const base = p.request(run);
  const put = (name: string, text: string) => writeFileSync(join(p.root, "interop/requests", name), text);
  const changed = (more: Partial<Record<keyof InteropRequest | "extra", unknown>>) => (name: string) =>
    put(name, JSON.stringify({ ...base, request_id: name.replace(/\.json$/, ""), ...more }));
  const secret = join(temporary("secret"), "s.json");
  writeFileSync(secret, JSON.stringify({ ...base, request_id: "linked" }));
  symlinkSync(temporary("escape"), join(p.root, "specs/escape"));
  const rooted = { run_id: run.id, action: "research.run", args: [] };
  return [
    ["a path up", changed({ args: ["../../../etc/passwd"] })],
    ["an absolute path", changed({ args: ["/etc/passwd"] })],
    ["a path below a link", changed({ args: ["specs/escape/x"] })],
    ["must_read up", changed({ must_read: ["specs/../../x"] })],
    ["deliverables everywhere", changed({ deliverables_expected: ["/**"] })],
    ["an option", changed({ args: ["--permission-mode=bypassPermissions"] })],
    ["a short option", changed({ args: ["-p"] })],
    ["a command in the action", changed({ action: "math.full; rm -rf ." })],
    ["an unknown action", changed({ action: "math.status" })],
    ["a prototype name", changed({ action: "__proto__.full" })],
    ["a forged depth", changed({ lineage: { depth: 0, ancestors: [] } })],
    ["a forged ancestor", changed({ lineage: { depth: 1, ancestors: [rooted] } })],
    ["a run that is not there", changed({ run_id: makeRunId() })],
    ["a run elsewhere", changed({ run_id: "../../../tmp" })],
    ["another's id", changed({ request_id: "victim" })],
    ["the parent's own work", changed({ to_kit: "research", action: "research.run", args: ["experiments/e.md"] })],
    ["a transcript", changed({ extra: "as I said" })],
    ["a budget without end", changed({ read_budget: { max_files: 1e9, max_total_bytes: 1e18, allowed_paths: [] } })],
    ["huge", (name) => put(name, `"${"x".repeat(300_000)}"`)],
    ["huge and valid", changed({ inputs: Array(5_000).fill("specs/lemma.md") })],
    ["deep", (name) => put(name, "[".repeat(30_000))],
    ["not JSON", (name) => put(name, "\0\u0001{")],
    ["nothing", (name) => put(name, "")],
    ["null", (name) => put(name, "null")],
    ["a link to a valid request", (name) => symlinkSync(secret, join(p.root, "interop/requests", name))],
    ["a link to nowhere", (name) => symlinkSync("/nonexistent/x", join(p.root, "interop/requests", name))],
    ["a link to a device", (name) => symlinkSync("/dev/zero", join(p.root, "interop/requests", name))],
    ["a folder", (name) => mkdirSync(join(p.root, "interop/requests", name))],
    ["a pipe", (name) => execFileSync("mkfifo", [join(p.root, "interop/requests", name)])],
  ];
}

/** Every kind with every kind of name, nightly several times. */
const hostileRequests = process.env["INTERLOCK_NIGHTLY"] ? 500 : 145;

test(`${hostileRequests} hostile requests: none executed, each answered with a reason`, async () => {
  const p = runsProject();
  const queue = new DirectoryQueue(p.root);
  const rows = hostile(p);
  const oddNames = (n: number) => [
    `h${n}.json`,
    `h${n}.json`,
    `h@${n}@9@0@@x@y.json`,
    `h ${n};rm -rf.json`,
    `${"h".repeat(200)}${n}.json`,
  ];
  const wanted = new Map<string, string>();
  for (let n = 0; n < hostileRequests; n++) {
    const [what, put] = rows[n % rows.length]!;
    const name = oddNames(n)[n % 5]!;
    put(name);
    wanted.set(name, what);
  }
  let executed = 0;
  const options: PumpOptions = {
    ...p.rules,
    queue,
    runChild: async () => {
      executed++;
      return { exitCode: 0 };
    },
  };
  let pumped = 0;
  for (let one = await pumpOnce(options); one; one = await pumpOnce(options)) {
    pumped++;
    assert.equal(one.outcome, "refused", JSON.stringify(one));
    assert.equal(one.response?.status, "failed");
    assert.ok(one.response?.notes.length, "a reason is given");
    assert.deepEqual(schemaFindings(responseSchema, one.response), []);
  }
  assert.equal(executed, 0);
  assert.equal(pumped, hostileRequests);
  assert.equal(wanted.size, hostileRequests);
  assert.equal(readdirSync(join(p.root, "interop/responses")).length, hostileRequests);
  assert.equal((await queue.list()).filter((e) => e.state !== "done" || !e.answered).length, 0);
  assert.equal(await queue.response("victim"), undefined);
});
