// interlock restore: puts back observed changes and lost work, and keeps what it replaces.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { keepWork } from "../../src/packs/guard/destructive/keep-work.js";
import { guardPack as guard } from "../../src/packs/guard/index.js";
import { compile } from "../../src/packs/rules/config.js";
import { rulesPack as rules } from "../../src/packs/rules/index.js";
import { stage } from "../../src/testing/stage.js";

const script = join(process.cwd(), "dist/interlock.cjs");
const build = { command: "./build.sh" };

function project(t: TestContext) {
  const s = stage(t, {
    packs: [guard, rules],
    settings: {
      rules: {
        options: compile({ rules: [{ on: ["write", "delete"], where: "locked/**", action: "deny", message: "no" }] }),
      },
    },
    files: {
      "locked/committed": "old",
      "locked/dirty": "old",
      ".gitignore": ".claude\n",
      ".claude/settings.json": "{}",
    },
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", s.root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
      encoding: "utf8",
    });
  git("add", ".");
  git("commit", "-qm", "first");
  s.write("locked/dirty", "mine, not committed");
  const env = { PATH: process.env["PATH"]!, HOME: s.userHome, INTERLOCK_HOME: s.home };
  const restore = (...args: string[]) =>
    spawnSync(process.execPath, [script, "restore", ...args], { cwd: s.root, env, encoding: "utf8" });
  const read = (path: string) =>
    existsSync(join(s.root, path)) ? readFileSync(join(s.root, path), "utf8") : undefined;
  return { s, git, restore, read };
}

test("every kind of observed change is put back, and the restore can be undone", async (t) => {
  const { s, restore, read } = project(t);
  await s.call("Bash", build);
  s.write("locked/committed", "changed");
  s.write("locked/dirty", "changed");
  s.write("locked/new", "new");
  s.write(".claude/settings.json", '{"disableAllHooks":true}');
  s.write(".claude/settings.local.json", '{"env":{}}');
  const { id } = await s.done("Bash", build, "");
  const listed = restore();
  assert.match(listed.stdout, new RegExp(`${id} .*locked/committed`));
  const run = restore(id);
  assert.equal(run.status, 0, run.stdout + run.stderr);
  const now = () =>
    ["locked/committed", "locked/dirty", "locked/new", ".claude/settings.json", ".claude/settings.local.json"].map(
      read,
    );
  assert.deepEqual(now(), ["old", "mine, not committed", undefined, "{}", undefined]);
  assert.equal([...s.store.records()].at(-1)!.type, "restore");
  assert.equal(restore(`${id}.undo`, "--json").status, 0);
  assert.deepEqual(now(), ["changed", "changed", "new", '{"disableAllHooks":true}', '{"env":{}}']);
});

test("deleted files are restored", async (t) => {
  const { s, restore, read } = project(t);
  await s.call("Bash", build);
  for (const path of ["locked/committed", "locked/dirty"]) rmSync(join(s.root, path));
  const { id } = await s.done("Bash", build, "");
  assert.equal(restore(id).status, 0);
  assert.deepEqual(["locked/committed", "locked/dirty"].map(read), ["old", "mine, not committed"]);
});

test("kept work is restored, and newer work is kept first", (t) => {
  const { s, git, restore, read } = project(t);
  const kept = keepWork(
    { repo: s.root, id: "git-reset-hard" },
    { now: Date.now(), folder: join(s.home, "projects", s.store.place.id) },
  );
  git("reset", "-q", "--hard");
  writeFileSync(join(s.root, "since"), "new work");
  s.write("locked/dirty", "other new work");
  const run = restore(String(kept["id"]), "--json");
  assert.equal(run.status, 0, run.stdout + run.stderr);
  assert.equal(read("locked/dirty"), "mine, not committed");
  assert.equal(read("since"), "new work");
  const { undo } = JSON.parse(run.stdout) as { undo: string };
  assert.equal(restore(undo).status, 0);
  assert.equal(read("locked/dirty"), "other new work");
});

test("restore explains what it cannot restore and who may not use it", (t) => {
  const { s, restore } = project(t);
  assert.match(restore().stdout, /Nothing is kept/);
  assert.match(restore("v-99").stderr, /nothing is kept under v-99/);
  assert.match(restore("refs/heads/main").stderr, /nothing is kept under/);
  const env = { PATH: process.env["PATH"]!, HOME: s.userHome, INTERLOCK_HOME: s.home, CLAUDECODE: "1" };
  const agent = spawnSync(process.execPath, [script, "restore", "v-1"], { cwd: s.root, env, encoding: "utf8" });
  assert.match(agent.stderr, /only a person may do this/);
});
