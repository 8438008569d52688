// Recording, committing and blaming in a real repository, through the functions that hooks call.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { takeSnapshot } from "../project/tree-snapshot.js";
import { TracedRepository } from "../testing/traced-repository.js";
import { changesOfCall, endBefore, takeBefore } from "./before-images.js";
import { finaliseCommit } from "./finalise.js";
import { reconcile } from "./reconcile.js";
import { recordChanges } from "./record-change.js";
import { carryOverNotes, parseRewritten } from "./rewrite.js";
import { checkTrace, parseTraceLine } from "./trace-record.js";
import { verifyTrace } from "./verify-trace.js";

class Repository extends TracedRepository {
  async commit(message: string): Promise<void> {
    this.commitAll(message);
    await finaliseCommit(this.place, "HEAD", Date.now());
  }

  async rewritten(work: () => void): Promise<void> {
    const hook = join(this.root, ".git/hooks/post-rewrite");
    mkdirSync(dirname(hook), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\ncat >> "$(git rev-parse --git-dir)/rewritten"\n', { mode: 0o755 });
    work();
    const text = this.read(".git/rewritten") ?? "";
    rmSync(join(this.root, ".git/rewritten"), { force: true });
    await carryOverNotes(this.place, parseRewritten(text), Date.now());
  }

  /** A call whose texts before it are kept, as the hooks do it. */
  async call(paths: readonly string[], work: () => void, session = "s1"): Promise<void> {
    const name = `${session}-${Math.random()}`;
    takeBefore(this.place, name, paths);
    const snapshot = await takeSnapshot(this.root, { keepUncommitted: true });
    work();
    const { changes, headBefore } = changesOfCall(this.place, endBefore(this.place, name), paths, snapshot);
    const author = { session, tool: "Bash", intent: { id: "INT-001" } };
    await recordChanges(this.place, author, changes, Date.now(), headBefore);
  }
}

test("lines the agent wrote are its own, before and after the commit", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three");
  await r.commit("start");
  await r.agent("a.ts", "one", "agent line", "two", "three");
  assert.equal(await r.letters("a.ts"), "?a??");
  await r.commit("agent");
  assert.equal(await r.letters("a.ts"), "?a??");
  const [line] = (await r.lines("a.ts")).slice(1);
  assert.equal(line!.intent, "INT-001");
  assert.equal(line!.session, "s1");
  assert.equal(line!.commit, r.git("rev-parse", "HEAD").trim());
  const records = r
    .read(".orchestration/agent_trace.jsonl")!
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));
  assert.deepEqual(records.flatMap(checkTrace), []);
  assert.equal(records.length, 2);
  assert.equal(records[1].vcs.revision, line!.commit);
  assert.deepEqual(records[1].metadata["dev.interlock"].finalises, [records[0].id]);
});

test("lines a person typed between two calls are not the agent's", async () => {
  const r = new Repository();
  await r.agent("a.ts", "first agent line", "second agent line");
  r.person("a.ts", "first agent line", "typed by a person", "second agent line");
  await r.agent("a.ts", "first agent line", "typed by a person", "second agent line", "third agent line");
  assert.equal(await r.letters("a.ts"), "aoaa");
  r.person("a.ts", "typed after", "first agent line", "typed by a person", "second agent line", "third agent line");
  await r.commit("all");
  assert.equal(await r.letters("a.ts"), "?aoaa");
});

test("an equal line beside an inserted block is nobody's", async () => {
  const r = new Repository();
  r.person("a.ts", "f {", "}", "tail");
  await r.commit("start");
  await r.agent("a.ts", "f {", "}", "g {", "}", "tail");
  assert.equal(await r.letters("a.ts"), "??a??");
});

test("attribution follows an amend and a rebase", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three");
  await r.commit("start");
  r.git("checkout", "-q", "-b", "work");
  await r.agent("a.ts", "one", "two", "three", "agent four");
  await r.commit("agent");
  r.person("a.ts", "one", "two", "three", "agent four", "person five");
  await r.rewritten(() => r.git("commit", "-q", "-a", "--amend", "-m", "better"));
  assert.equal(await r.letters("a.ts"), "???a?");
  r.git("checkout", "-q", "main");
  r.person("a.ts", "zero", "one", "two", "three");
  await r.commit("upstream");
  r.git("checkout", "-q", "work");
  await r.rewritten(() => r.git("rebase", "-q", "main"));
  assert.equal(await r.letters("a.ts"), "????a?");
});

test("a partial commit leaves the rest in the working log", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine");
  await r.commit("start");
  const rest = ["two", "three", "four", "five", "six", "seven", "eight", "nine"];
  await r.agent("a.ts", "one", "agent top", ...rest, "agent bottom");
  const whole = r.read("a.ts")!;
  r.person("a.ts", "one", "agent top", ...rest);
  r.git("add", "a.ts");
  writeFileSync(join(r.root, "a.ts"), whole);
  r.git("commit", "-q", "-m", "half");
  await finaliseCommit(r.place, "HEAD", Date.now());
  assert.equal(await r.letters("a.ts"), "?a????????a");
  await r.commit("rest");
  assert.equal(await r.letters("a.ts"), "?a????????a");
});

test("texts that git brought during a call are not the agent's", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two");
  await r.commit("start");
  r.person("a.ts", "one", "two", "stashed by a person");
  r.git("stash", "-q");
  await r.call(["a.ts"], () => r.git("stash", "pop", "-q"));
  assert.equal(await r.letters("a.ts"), "???");
  r.git("checkout", "-q", "-b", "other");
  await r.commit("person");
  r.git("checkout", "-q", "main");
  await r.call(["a.ts"], () => r.git("merge", "-q", "other"));
  assert.equal(await r.letters("a.ts"), "???");
});

test("a file checked out of another branch during a call is not the agent's, one it wrote and added is", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two");
  await r.commit("start");
  r.git("checkout", "-q", "-b", "other");
  r.person("a.ts", "one", "two", "by a person on another branch");
  await r.commit("person");
  r.git("checkout", "-q", "main");
  await r.call(["a.ts"], () => r.git("checkout", "other", "--", "a.ts"));
  assert.equal(await r.letters("a.ts"), "???");
  await r.call(["b.ts"], () => {
    r.person("b.ts", "written and added by the agent");
    r.git("add", "b.ts");
  });
  assert.equal(await r.letters("b.ts"), "a");
});

test("the text before a shell call comes from the snapshot or the commit", async () => {
  const r = new Repository();
  r.person("clean.ts", "committed");
  r.person("dirty.ts", "committed");
  await r.commit("start");
  r.person("dirty.ts", "committed", "uncommitted by a person");
  const snapshot = await takeSnapshot(r.root, { keepUncommitted: true });
  for (const path of ["clean.ts", "dirty.ts", "new.ts"])
    r.person(path, ...(r.read(path) ?? "").split("\n").slice(0, -1), "sed");
  const { changes } = changesOfCall(r.place, undefined, ["clean.ts", "dirty.ts", "new.ts"], snapshot);
  assert.deepEqual(
    changes.map(({ before }) => before),
    ["committed\n", "committed\nuncommitted by a person\n", undefined],
  );
  await recordChanges(r.place, { session: "s1", tool: "Bash" }, changes, Date.now());
  assert.deepEqual(
    [await r.letters("clean.ts"), await r.letters("dirty.ts"), await r.letters("new.ts")],
    ["?a", "??a", "a"],
  );
});

test("a call that writes and commits at once is attributed", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two");
  await r.commit("start");
  await r.call(["a.ts"], () => {
    r.person("a.ts", "one", "written and committed", "two");
    r.commitAll("at once");
  });
  assert.equal(await r.letters("a.ts"), "?a?");
  assert.match(r.git("notes", "--ref", "interlock", "show"), /a\.ts/);
});

test("moving a file makes nobody its author", async () => {
  const r = new Repository();
  r.person("a.ts", "const first = compute(1);", "}", "const second = compute(2);");
  await r.commit("start");
  await r.call(["a.ts", "b.ts"], () => {
    renameSync(join(r.root, "a.ts"), join(r.root, "b.ts"));
    writeFileSync(join(r.root, "b.ts"), `${r.read("b.ts")}const third = compute(3);\n`);
  });
  assert.equal(await r.letters("b.ts"), "???a");
  await r.commit("moved");
  assert.equal(await r.letters("b.ts"), "???a");
});

test("a text before the call that nobody kept attributes nothing", async () => {
  const r = new Repository();
  r.person("a.ts", "one");
  const { changes } = changesOfCall(r.place, undefined, ["a.ts"]);
  assert.equal(changes[0]!.beforeUnknown, true);
  await recordChanges(r.place, { session: "s1", tool: "Bash" }, changes, Date.now());
  assert.equal(await r.letters("a.ts"), "?");
  const [record] = r.read(".orchestration/agent_trace.jsonl")!.trim().split("\n").map(parseTraceLine);
  assert.deepEqual(record!.files[0]!.conversations[0]!.ranges, []);
});

test("two agents in one file at the same time keep their own lines", async () => {
  const r = new Repository();
  r.person("a.ts", "one", "two", "three");
  await r.commit("start");
  await r.call(["a.ts"], () => r.person("a.ts", "one", "two", "three"), "s1");
  const place = r.place;
  takeBefore(place, "slow", ["a.ts"]);
  await r.agentAs({ session: "fast", intent: "INT-002" }, "a.ts", "one", "by the fast one", "two", "three");
  r.person("a.ts", "one", "by the fast one", "two", "three", "by the slow one");
  const { changes } = changesOfCall(place, endBefore(place, "slow"), ["a.ts"]);
  await recordChanges(place, { session: "slow", tool: "Bash" }, changes, Date.now());
  assert.deepEqual(
    (await r.lines("a.ts")).map(({ session }) => session),
    [undefined, "fast", undefined, undefined, "slow"],
  );
});

test("a stash, a pick, a revert, a squash and a reset keep the agent's lines", async () => {
  const r = new Repository();
  const start = ["one();", "two();", "three();", "four();", "five();"];
  r.person("a.ts", ...start);
  await r.commit("start");
  await r.agent("a.ts", ...start, "const byAgent = compute(1);");
  r.git("stash", "-q");
  r.person("a.ts", "zero();", ...start);
  await r.commit("meanwhile");
  await r.agent("a.ts", "zero();", "const another = compute(2);", ...start);
  await r.commit("another");
  r.git("stash", "pop", "-q");
  assert.equal(await r.letters("a.ts"), "?a?????a");
  await r.commit("popped");
  assert.equal(await r.letters("a.ts"), "?a?????a");
  r.git("revert", "--no-edit", "HEAD");
  await finaliseCommit(r.place, "HEAD", Date.now());
  assert.equal(await r.letters("a.ts"), "?a?????");
  r.git("revert", "--no-edit", "HEAD");
  await finaliseCommit(r.place, "HEAD", Date.now());
  assert.equal(await r.letters("a.ts"), "?a?????a");
  r.git("reset", "-q", "--soft", "HEAD~3");
  await r.commit("squashed by a reset");
  assert.equal(await r.letters("a.ts"), "?a?????a");
  r.git("checkout", "-q", "-b", "other", "HEAD~2");
  r.git("cherry-pick", "-x", "main");
  await finaliseCommit(r.place, "HEAD", Date.now());
  assert.match(await r.letters("a.ts"), /^\?+a$/);
});

test("a squash merge made elsewhere is reconciled in a fresh clone, with or without the branch", async () => {
  const r = new Repository();
  r.person("a.ts", "one();", "two();");
  await r.commit("start");
  r.git("checkout", "-q", "-b", "work");
  await r.agent("a.ts", "one();", "const byAgent = compute(1);", "}", "const alsoAgent = compute(2);", "two();");
  await r.commit("agent");
  r.person(
    "a.ts",
    "one();",
    "const byAgent = compute(1);",
    "}",
    "const alsoAgent = compute(2);",
    "two();",
    "person();",
  );
  await r.commit("person");
  r.git("checkout", "-q", "main");
  r.git("merge", "-q", "--squash", "work");
  r.git("commit", "-q", "-m", "Squashed on a server (#12)");
  for (const withBranch of [true, false]) {
    const clone = new Repository();
    clone.git("remote", "add", "origin", r.root);
    clone.git(
      "fetch",
      "-q",
      "origin",
      withBranch ? "+refs/heads/*:refs/remotes/origin/*" : "main:refs/remotes/origin/main",
    );
    clone.git("fetch", "-q", "origin", "refs/notes/interlock:refs/notes/interlock");
    clone.git("reset", "-q", "--hard", "origin/main");
    assert.equal(await clone.letters("a.ts"), "??????");
    const found = await reconcile(clone.place, "HEAD~1..HEAD", Date.now());
    assert.deepEqual(
      found!.changed.map(({ lines }) => lines),
      [3],
    );
    assert.equal(await clone.letters("a.ts"), "?aaa??");
    assert.deepEqual((await reconcile(clone.place, "HEAD", Date.now()))!.changed, []);
    assert.deepEqual((await verifyTrace(clone.place)).findings, []);
  }
  assert.equal(await reconcile(r.place, "no-such-branch", Date.now()), undefined);
});

test("verify names a changed record and a changed note", async () => {
  const r = new Repository();
  await r.agent("a.ts", "const byAgent = compute(1);", "const second = compute(2);");
  await r.commit("start");
  assert.deepEqual((await verifyTrace(r.place)).findings, []);
  const file = join(r.root, ".orchestration/agent_trace.jsonl");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll('"end_line":2', '"end_line":1'));
  assert.match((await verifyTrace(r.place)).findings[0]!.problem, /a\.ts:1-1 .* has other content/);
  writeFileSync(file, `${text}{"torn`);
  assert.match((await verifyTrace(r.place)).findings[0]!.problem, /no Agent Trace record/);
  await r.agent("a.ts", "const byAgent = compute(1);", "const second = compute(2);", "const third = compute(3);");
  const [torn, ...others] = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .reverse()
    .filter((line) => !parseTraceLine(line));
  assert.equal(torn, '{"torn');
  assert.deepEqual(others, []);
  writeFileSync(file, text);
  const note = r.git("notes", "--ref", "interlock", "show");
  r.git("notes", "--ref", "interlock", "add", "-f", "-m", note.replace(/ 1-2#/, " 1-3#"));
  assert.match((await verifyTrace(r.place)).findings[0]!.problem, /has no line 3/);
});

test("a tracked agent_trace.jsonl is not changed by a commit", async () => {
  const r = new Repository();
  writeFileSync(join(r.root, ".git/info/exclude"), "");
  await r.agent("a.ts", "const byAgent = compute(1);");
  await r.commit("start");
  assert.equal(r.git("status", "--porcelain"), "");
  await r.agent("a.ts", "const byAgent = compute(1);", "const next = compute(2);");
  const records = r.read(".orchestration/agent_trace.jsonl")!.trim().split("\n").map(parseTraceLine);
  assert.deepEqual(
    records.map((record) => record?.vcs !== undefined),
    [false, true, false],
  );
});

test("parallel writers of two work trees leave whole records", async () => {
  const r = new Repository();
  r.person("a.ts", "one");
  await r.commit("start");
  r.git("worktree", "add", "-q", "../second", "-b", "second");
  const second = join(r.folder, "second");
  mkdirSync(join(second, ".orchestration"));
  const module = new URL("./record-change.js", import.meta.url).href;
  const script = `const { recordChanges } = await import(${JSON.stringify(module)});
    const [root, folder, name] = process.argv.slice(1);
    for (let n = 0; n < 10; n++)
      await recordChanges({ root, folder }, { session: name, tool: "Write" },
        [{ path: name + ".ts", before: "x\\n".repeat(n), after: "x\\n".repeat(n + 1) }], Date.now());`;
  const { folder } = r.place;
  const writers = [r.root, r.root, second, second].map((root, k) =>
    once(
      spawn(process.execPath, ["--input-type=module", "-e", script, root, folder, `w${k}`], { stdio: "inherit" }),
      "exit",
    ),
  );
  for (const [code] of await Promise.all(writers)) assert.equal(code, 0);
  for (const root of [r.root, second]) {
    const lines = readFileSync(join(root, ".orchestration/agent_trace.jsonl"), "utf8").trim().split("\n");
    assert.equal(lines.length, 20);
    assert.deepEqual(
      lines.flatMap((line) => checkTrace(JSON.parse(line))),
      [],
    );
  }
});
