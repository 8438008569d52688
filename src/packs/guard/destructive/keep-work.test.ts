// Kept work trees on real git: everything uncommitted comes back, nothing of the user's is touched by keeping it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dropKeptWork, keptRef, keptStore, listKeptWork } from "../../../project/kept-work.js";
import { keepWork } from "./keep-work.js";

function repository(t: { after(done: () => void): void }, commit = true) {
  const root = mkdtempSync(join(tmpdir(), "interlock-keep-"));
  const folder = mkdtempSync(join(tmpdir(), "interlock-kept-"));
  t.after(() => [root, folder].forEach((path) => void rmSync(path, { recursive: true, force: true })));
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
      cwd: root,
      env,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  writeFileSync(join(root, ".gitignore"), "ignored\n");
  writeFileSync(join(root, "a"), "committed");
  if (commit) {
    git("add", ".");
    git("commit", "-qm", "first");
  }
  const keep = (id = "git-reset-hard") => keepWork({ repo: root, id }, { now: Date.now(), folder });
  /** Of the repository the work is kept in. */
  const inKept = (...args: string[]) =>
    execFileSync("git", ["--git-dir", keptStore(folder), ...args], { encoding: "utf8" }).trim();
  return { root, git, keep, inKept, folder };
}

test("staged, changed and new files are kept; index, work tree and HEAD stay as they are", (t) => {
  const { root, git, keep, inKept } = repository(t);
  writeFileSync(join(root, "a"), "changed");
  writeFileSync(join(root, "staged"), "staged");
  git("add", "staged");
  mkdirSync(join(root, "new"));
  writeFileSync(join(root, "new/file"), "new");
  writeFileSync(join(root, "ignored"), "ignored");
  const before = [git("status", "--porcelain"), git("rev-parse", "HEAD"), git("stash", "list")];
  const kept = keep();
  assert.equal(kept["kept"], true);
  assert.deepEqual([git("status", "--porcelain"), git("rev-parse", "HEAD"), git("stash", "list")], before);

  git("reset", "-q", "--hard");
  git("clean", "-qfd");
  inKept("--work-tree", root, "restore", "--source", keptRef(String(kept["id"])), "--worktree", ".");
  for (const [file, text] of [
    ["a", "changed"],
    ["staged", "staged"],
    ["new/file", "new"],
  ])
    assert.equal(readFileSync(join(root, file!), "utf8"), text);
  assert.doesNotMatch(inKept("ls-tree", "-r", "--name-only", keptRef(String(kept["id"]))), /ignored$/m);
});

test("a change git can only see by reading the file again is kept", (t) => {
  const { root, git, keep, inKept } = repository(t);
  const file = join(root, "a");
  // As when a file is changed in the very moment its index entry was written: same size, same time.
  git("config", "core.trustctime", "false");
  git("config", "core.checkStat", "minimal");
  const past = 1_700_000_000;
  for (const path of [file, join(root, ".gitignore")]) utimesSync(path, past, past);
  git("update-index", "--refresh");
  writeFileSync(file, "Committed");
  utimesSync(file, past, past);
  utimesSync(join(root, ".git/index"), past, past);
  assert.equal(statSync(file).size, "committed".length);
  const kept = keep();
  assert.equal(inKept("show", `${keptRef(String(kept["id"]))}:a`), "Committed");
});

test("a clean tree needs no keeping, a repository without commits can be kept", (t) => {
  assert.deepEqual(repository(t).keep(), { kept: false, why: "nothing uncommitted" });
  assert.equal(repository(t, false).keep()["kept"], true);
});

test("stashes survive being dropped", (t) => {
  const { root, git, keep, inKept } = repository(t);
  for (const text of ["one", "two"]) {
    writeFileSync(join(root, "a"), text);
    git("stash", "push", "-q");
  }
  const kept = keep("git-stash-clear");
  assert.equal(kept["stashes"], 2);
  git("stash", "clear");
  git("gc", "-q", "--prune=now");
  assert.equal(inKept("show", `${keptRef(String(kept["id"]))}-stash-1:a`), "one");
});

test("a hook of the repository is not run by keeping", (t) => {
  const { root, keep, inKept } = repository(t);
  const trap = join(root, ".git/ran");
  writeFileSync(join(root, ".git/hooks/reference-transaction"), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
  writeFileSync(join(root, "a"), "changed");
  assert.equal(keep()["kept"], true);
  assert.throws(() => readFileSync(trap));
  assert.match(inKept("for-each-ref"), /commit/);
});

test("outside git there is nothing to keep", (t) => {
  const { root, keep } = repository(t);
  rmSync(join(root, ".git"), { recursive: true });
  assert.equal(keep()["kept"], false);
});

test("the project's repository never sees kept work, and credential files are not kept", (t) => {
  const { root, git, keep, inKept, folder } = repository(t);
  const before = [git("for-each-ref"), git("count-objects", "-v"), git("log", "--all", "--format=%H")];
  writeFileSync(join(root, "a"), "changed");
  writeFileSync(join(root, ".env"), "KEY=planted");
  writeFileSync(join(root, "server.pem"), "planted");
  const kept = keep();
  assert.equal(kept["credentials"], 2);
  assert.deepEqual([git("for-each-ref"), git("count-objects", "-v"), git("log", "--all", "--format=%H")], before);
  assert.equal(inKept("ls-tree", "-r", "--name-only", keptRef(String(kept["id"]))), ".gitignore\na");
  assert.deepEqual(
    listKeptWork(folder, root).map(({ id }) => id),
    [kept["id"]],
  );
  assert.deepEqual(
    dropKeptWork(folder, root, ({ at }) => at > Date.now()),
    [],
  );
  assert.deepEqual(
    dropKeptWork(folder, root, () => true),
    [kept["id"]],
  );
  assert.deepEqual(listKeptWork(folder, root), []);
});
