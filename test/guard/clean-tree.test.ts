// Commands that lose work pass when there is provably nothing to lose.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { guardPack as guard } from "../../src/packs/guard/index.js";
import { stage } from "../../src/testing/stage.js";

const losing = [
  "git reset --hard",
  "git checkout -f main",
  "git clean -fd",
  "git checkout -- a.txt",
  "git restore a.txt",
];

test("they pass on a clean tree, are refused with uncommitted work, and always refused in strict", async (t) => {
  for (const preset of ["standard", "strict"]) {
    const s = stage(t, { packs: [guard], settings: { guard: { options: { preset } } }, files: { "a.txt": "a" } });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", s.root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args]);
    const outcomes = async () =>
      Promise.all(losing.map(async (command) => (await s.call("Bash", { command })).outcome));
    assert.deepEqual(
      await outcomes(),
      losing.map(() => "deny"),
      "no commit yet",
    );
    git("add", ".");
    git("commit", "-qm", "first");
    assert.deepEqual(
      await outcomes(),
      losing.map(() => (preset === "standard" ? "pass" : "deny")),
      preset,
    );
    assert.equal((await s.call("Bash", { command: "echo x > a.txt; git reset --hard" })).outcome, "deny");
    s.write("a.txt", "changed");
    s.write("new.txt", "new");
    assert.deepEqual(
      await outcomes(),
      losing.map(() => "deny"),
      "something to lose",
    );
  }
});

test("dropping commits passes only if another ref has them", async (t) => {
  const s = stage(t, { packs: [guard], files: { "a.txt": "a" } });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", s.root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args]);
  for (const name of ["one", "two"]) {
    git("add", ".");
    git("commit", "-q", "--allow-empty", "-m", name);
  }
  const back = () => s.call("Bash", { command: "git reset --hard HEAD~1" });
  assert.equal((await back()).outcome, "deny");
  git("branch", "keep/two");
  assert.equal((await back()).outcome, "pass");
});

test("a remote branch may be deleted when other refs have its commits; a tag may not", async (t) => {
  const s = stage(t, { packs: [guard], files: { "a.txt": "a" } });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", s.root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args]);
  git("init", "-q", "--bare", `${s.root}/.git/remote.git`);
  git("remote", "add", "origin", `${s.root}/.git/remote.git`);
  git("add", ".");
  git("commit", "-qm", "one");
  git("push", "-q", "origin", "HEAD:done");
  git("tag", "v1");
  git("commit", "-q", "--allow-empty", "-m", "two");
  git("push", "-q", "origin", "HEAD:open", "v1");
  git("reset", "-q", "--hard", "HEAD~1");
  const rows: [outcome: string, command: string][] = [
    ["pass", "git push origin --delete done"],
    ["pass", "git push origin :done"],
    ["pass", "git push origin :refs/heads/done"],
    ["deny", "git push origin --delete open"],
    ["deny", "git push origin --delete done open"],
    ["deny", "git push origin --delete elsewhere"],
    ["deny", "git push origin :refs/tags/v1"],
    ["deny", "git push git@example.org:o/r.git --delete done"],
    ["deny", "git push origin --delete main"],
  ];
  for (const [outcome, command] of rows) assert.equal((await s.call("Bash", { command })).outcome, outcome, command);
});
