// Test runs from a real record: hooks of a session in which tests are run and commits are made by real git.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { guardPack } from "../../packs/guard/index.js";
import { stage } from "../../testing/stage.js";
import { followRewrites, recordedTests } from "./recorded-tests.js";

const passed = " Test Files  1 passed (1)\n      Tests  3 passed (3)\n";
const failed = " Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n";

test("runs go to the next commit of their session, with their verdict; a switch of branches gets none", async (t) => {
  const s = stage(t, { packs: [guardPack] });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: s.root })
      .toString()
      .trim();
  const call = async (command: string, output: string, work: () => void = () => {}) => {
    await s.call("Bash", { command });
    work();
    await s.done("Bash", { command }, output);
  };
  const commit = async (command = "git commit --allow-empty -m x") => {
    await call(command, "", () => git("commit", "-q", "--allow-empty", "-m", "x"));
    return git("rev-parse", "HEAD");
  };
  await call("ls", passed);
  await call("npx vitest run", passed);
  await call("npx vitest run | tail -1", "");
  const first = await commit();
  const second = await commit();
  await call("npx vitest run", failed);
  git("branch", "other", first);
  await call("git switch other", "", () => git("switch", "-q", "other"));
  await call("git switch main", "", () => git("switch", "-q", "main"));
  s.session = "session-2";
  await call("npx vitest run", passed);
  s.session = "session-1";
  const third = await commit();
  const found = recordedTests(s.store.records());
  assert.deepEqual([...found.keys()], [first, third]);
  assert.ok(!found.has(second));
  assert.deepEqual(
    found.get(first)!.map((run) => [run.runner, run.verdict, run.command]),
    [
      ["vitest", "passed", "npx vitest run"],
      ["vitest", "proves nothing", "npx vitest run | tail -1"],
    ],
  );
  assert.match(found.get(first)![1]!.why!, /hidden by the pipe/);
  assert.deepEqual(
    found.get(third)!.map((run) => run.verdict),
    ["failed"],
    "the run of another session is not counted",
  );
  const record = s.store.find(`v-${found.get(third)![0]!.record}`);
  assert.equal(record?.hash, found.get(third)![0]!.recordHash);
});

test("output that was cut in the record is not read in part", async (t) => {
  const s = stage(t, { packs: [guardPack] });
  await s.call("Bash", { command: "npx vitest run" });
  await s.done("Bash", { command: "npx vitest run" }, `${passed}${"x".repeat(1000)}\n${failed}`);
  await s.call("Bash", { command: "git commit --allow-empty -m x" });
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"], {
    cwd: s.root,
  });
  await s.done("Bash", { command: "git commit --allow-empty -m x" }, "");
  const [runs] = [...recordedTests(s.store.records()).values()];
  assert.deepEqual(
    runs!.map((run) => run.verdict),
    ["passed"],
    "the exit code alone decides",
  );
});

test("runs of a rewritten commit follow its patch, and say so", () => {
  const run = { record: 1, recordHash: "r", time: "t", runner: "vitest", command: "c", verdict: "passed" as const };
  const tests = new Map([["old", [run]]]);
  const links = [{ commit: "old", patchId: "p" }];
  const patches = () => new Map([["new", "p"]]);
  const moved = followRewrites(tests, links, new Set(["new"]), patches);
  assert.deepEqual([...moved], [["new", [{ ...run, via: "old" }]]]);
  assert.equal(followRewrites(tests, links, new Set(["old"]), patches), tests, "a commit that is there stays");
  assert.deepEqual([...followRewrites(tests, links, new Set(), () => new Map())], [...tests], "no counterpart");
});
