// What a command takes along without naming it: credentials into a commit, settings out of the tree, work by emptying.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { guardPack as guard } from "../../src/packs/guard/index.js";
import { stage } from "../../src/testing/stage.js";

type Played = ReturnType<typeof stage>;
const git = (s: Played, ...words: string[]) =>
  execFileSync("git", ["-C", s.root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...words]);
const outcome = async (s: Played, command: string) => (await s.call("Bash", { command })).outcome;

function committed(t: Parameters<typeof stage>[0], files: Record<string, string>): Played {
  const s = stage(t, { packs: [guard], files });
  git(s, "add", ".");
  git(s, "commit", "-qm", "first");
  return s;
}

test("git add takes in an untracked credential file only where it is ignored or not there", async (t) => {
  const s = committed(t, { "a.txt": "a", "sub/b.txt": "b" });
  const adding = ["git add -A", "git add .", "git add --all", "git add *", "git commit -am x && git add ."];
  for (const command of adding) assert.equal(await outcome(s, command), "pass", command);
  s.write("sub/.env", "KEY=1");
  for (const command of adding.slice(0, 3)) assert.equal(await outcome(s, command), "deny", command);
  assert.equal(await outcome(s, "git add sub"), "deny");
  assert.equal(await outcome(s, "git add -u"), "pass");
  assert.equal(await outcome(s, "git add a.txt"), "pass");
  const refusal = await s.call("Bash", { command: "git add -A" });
  assert.match(JSON.stringify(refusal), /sub\/\.env/);
  s.write(".gitignore", ".env\n");
  for (const command of adding) assert.equal(await outcome(s, command), "pass", `${command}, ignored`);
});

test("untracked settings of the agent are neither committed nor stashed away", async (t) => {
  const s = committed(t, { "a.txt": "a" });
  assert.equal(await outcome(s, "git stash -u"), "pass");
  s.write(".claude/settings.local.json", "{}");
  assert.equal(await outcome(s, "git add -A"), "deny");
  for (const command of ["git stash -u", "git stash push --include-untracked", "git stash -a"])
    assert.equal(await outcome(s, command), "deny", command);
  assert.equal(await outcome(s, "git stash"), "pass");
});

const emptying = ["> a.txt", ": > a.txt", "cp /dev/null a.txt", "truncate -s0 a.txt", "tee a.txt < /dev/null"];

test("a file may be emptied where git can give it back or ignores it, or it is not there", async (t) => {
  const s = committed(t, { "a.txt": "a", ".gitignore": "ignored\n" });
  for (const command of emptying) assert.equal(await outcome(s, command), "pass", command);
  s.write("a.txt", "changed");
  s.write("new.txt", "new");
  s.write("ignored", "x");
  for (const command of [...emptying, "> new.txt"]) assert.equal(await outcome(s, command), "deny", command);
  for (const command of ["> ignored", "> absent.txt", "echo x > a.txt", ": > run.log"])
    assert.equal(await outcome(s, command), "pass", command);
});

test("a variant of .env that git keeps may be read, others may not", async (t) => {
  const s = committed(t, { ".env.ports": "PORT=1", "a.txt": "a" });
  s.write(".env.local", "KEY=1");
  assert.equal(await outcome(s, "cat .env.ports"), "pass");
  assert.equal(await outcome(s, "cat .env.local"), "deny");
});

test("a cd that fails stays where it is, unless the command ends there", async (t) => {
  const s = committed(t, { "a.txt": "a", "build/x": "x" });
  assert.equal(await outcome(s, "cd /no/such/folder; rm -rf *"), "deny");
  assert.equal(await outcome(s, 'cd "$NOBODY_SET_THIS" && rm -rf *'), "deny");
  assert.equal(await outcome(s, "cd missing && rm -rf *"), "pass");
  assert.equal(await outcome(s, "mkdir -p made; cd made; rm -rf x"), "pass");
});

test("changed files are not deleted by the list git makes of them", async (t) => {
  const s = committed(t, { "a.txt": "a" });
  const losing = ["git diff --name-only | xargs rm", "git diff | git apply -R", "git ls-files -m | xargs rm -f"];
  for (const command of losing) assert.equal(await outcome(s, command), "pass", command);
  s.write("a.txt", "changed");
  for (const command of losing) assert.equal(await outcome(s, command), "deny", command);
});
