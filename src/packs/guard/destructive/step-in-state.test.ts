// The step a refusal names can be done in the state the repository is in, and opens the gate: while merging, rebasing,
// picking, reverting, bisecting, before the first commit, on no branch, with submodules, sparse, in another work tree.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Stage, stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const env = {
  PATH: process.env["PATH"],
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_EDITOR: "true",
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "user.name",
  GIT_CONFIG_VALUE_0: "t",
  GIT_CONFIG_KEY_1: "user.email",
  GIT_CONFIG_VALUE_1: "t@example.invalid",
  GIT_CONFIG_KEY_2: "protocol.file.allow",
  GIT_CONFIG_VALUE_2: "always",
};

/** Runs a script in the project, as a person in a terminal does. */
const sh = (s: Stage, script: string) =>
  execFileSync("sh", ["-ec", script], { cwd: s.root, env: { ...env, HOME: s.userHome }, stdio: "pipe" }).toString();

const diverged = `echo base > f.txt; echo other > g.txt; git add .; git commit -qm base
  git checkout -qb side; echo side > f.txt; git commit -qam side
  git checkout -q main; echo main > f.txt; git commit -qam main`;
const linear = "for i in 1 2 3 4; do echo $i > f.txt; git add .; git commit -qm $i; done";
const library = `git init -q -b main ../lib; echo s > ../lib/s.txt
  git -C ../lib add .; git -C ../lib commit -qm s; git submodule add -q "$PWD/../lib" lib; git commit -qm lib`;

const states = {
  ordinary: `${linear}; echo work > f.txt`,
  "before the first commit": "echo a > f.txt; git add f.txt; echo work >> f.txt",
  "an announced file": `${linear}; echo work > n.txt; git add -N n.txt`,
  "merge conflict, edited": `${diverged}; git merge -q side || echo work >> f.txt`,
  "merge conflict, as git left it": `${diverged}; git merge -q side || true`,
  "merge conflict beside work": `${diverged}; echo work > g.txt; git merge -q side || true`,
  "merge resolved": `${diverged}; git merge -q side || echo work > f.txt; git add f.txt; echo more > g.txt`,
  "rebase conflict, edited": `${diverged}; git rebase -q side || echo work >> f.txt`,
  "rebase conflict, as git left it": `${diverged}; git rebase -q side || true`,
  "pick conflict, edited": `${diverged}; git cherry-pick side || echo work >> f.txt`,
  "revert conflict, edited": `${linear}; git revert --no-edit HEAD~1 || echo work >> f.txt`,
  "stash conflict, edited": `${diverged}; echo a > f.txt; git stash -q; echo b > f.txt; git commit -qam b
    git stash pop || echo work >> f.txt`,
  bisect: `${linear}; git bisect start -q HEAD HEAD~3; echo work > f.txt`,
  "no branch": `${linear}; git checkout -q HEAD~1; echo work > f.txt`,
  sparse: `mkdir a b; echo 1 > a/x; echo 2 > b/y; echo o > f.txt; git add .; git commit -qm 1
    git sparse-checkout set a; echo work > f.txt`,
  "submodule with work": `${linear}; ${library}; echo work > lib/s.txt`,
  "another repository with work": `${linear}; git init -q -b main other; echo 1 > other/f.txt
    git -C other add .; git -C other commit -qm 1; echo other > .gitignore; git add .gitignore; git commit -qm i
    echo work > other/f.txt`,
  "another work tree with work": `${linear}; git worktree add -q wt; echo wt > .gitignore; git add .gitignore
    git commit -qm i; echo work > wt/f.txt`,
  "a stash": `${linear}; echo work > f.txt; git stash -q`,
  "two stashes": `${linear}; echo work > f.txt; git stash -q; echo more > f.txt; git stash -q`,
} as const;

const rows: [state: keyof typeof states, outcome: "deny" | "pass", ...commands: string[]][] = [
  ["ordinary", "deny", "git checkout HEAD -- f.txt", "git restore f.txt", "git reset --hard", "git checkout -f"],
  ["ordinary", "deny", "git checkout .", "git checkout HEAD~1 -- f.txt", "git checkout --theirs -- f.txt"],
  ["before the first commit", "deny", "git restore f.txt", "git reset --hard", "git checkout -- f.txt"],
  ["an announced file", "deny", "git restore n.txt", "git checkout -f"],
  ["merge conflict, edited", "deny", "git checkout HEAD -- f.txt", "git checkout side -- f.txt", "git reset --hard"],
  ["merge conflict, edited", "deny", "git checkout --ours -- f.txt", "git switch -f side"],
  ["merge conflict, as git left it", "pass", "git checkout side -- f.txt", "git checkout --ours -- f.txt"],
  [
    "merge conflict, as git left it",
    "pass",
    "git reset --hard",
    "git checkout --theirs .",
    "git restore -s side f.txt",
  ],
  ["merge conflict beside work", "deny", "git reset --hard", "git checkout ."],
  ["merge conflict beside work", "pass", "git checkout side -- f.txt"],
  ["merge resolved", "deny", "git checkout HEAD -- f.txt", "git reset --hard", "git restore g.txt"],
  ["rebase conflict, edited", "deny", "git checkout side -- f.txt", "git reset --hard"],
  ["rebase conflict, as git left it", "pass", "git checkout --theirs -- f.txt"],
  ["pick conflict, edited", "deny", "git checkout HEAD -- f.txt", "git reset --hard"],
  ["revert conflict, edited", "deny", "git checkout HEAD -- f.txt"],
  ["stash conflict, edited", "deny", "git checkout HEAD -- f.txt", "git reset --hard"],
  ["bisect", "deny", "git checkout HEAD -- f.txt", "git reset --hard"],
  ["no branch", "deny", "git restore f.txt", "git checkout -f main"],
  ["sparse", "deny", "git restore f.txt", "git reset --hard"],
  // A reset leaves the files of submodules alone, unless it is told to go into them.
  ["submodule with work", "pass", "git reset --hard", "git checkout ."],
  ["submodule with work", "deny", "git -C lib checkout .", "cd lib && git checkout -- s.txt"],
  ["submodule with work", "deny", "git reset --hard --recurse-submodules", "git submodule deinit -f lib"],
  ["another repository with work", "deny", "git -C other reset --hard", "git -C other checkout -- f.txt"],
  ["another repository with work", "deny", "git -C other restore f.txt", "cd other && git reset --hard"],
  ["another repository with work", "pass", "git reset --hard", "git checkout -- f.txt"],
  ["another work tree with work", "deny", "git -C wt reset --hard", "git worktree remove --force wt"],
  ["a stash", "deny", "git stash drop", "git stash clear"],
  ["two stashes", "deny", "git stash drop", "git stash drop stash@{1}", "git stash clear"],
];

/** The commands of the named step, with names instead of the words in capitals. */
function stepOf(text: string, at: number): string[] {
  const next = /^next: (.*)$/m.exec(text)?.[1] ?? "";
  const inserted = next
    .replaceAll("FILE", "$(git diff --name-only --diff-filter=UM)")
    .replaceAll("FOLDER", text.includes("deinit") ? "lib" : "wt")
    .replaceAll("{N}", `{${at}}`)
    .replaceAll("NAME", `n${at}`)
    .replaceAll("COMMIT", "HEAD");
  return [...inserted.matchAll(/`([^`]+)`/g)].map((match) => match[1]!);
}

const play = (t: Parameters<typeof stage>[0], state: keyof typeof states): Stage => {
  const s = stage(t, { packs: [guard] });
  mkdirSync(join(s.userHome), { recursive: true });
  writeFileSync(join(s.userHome, ".gitconfig"), "[init]\n  defaultBranch = main\n");
  sh(s, `git symbolic-ref HEAD refs/heads/main; ${states[state]}`);
  return s;
};

for (const [state, outcome, ...commands] of rows)
  for (const command of commands)
    test(`${state}: ${command} is ${outcome === "pass" ? "no loss" : "refused, the step can be done"}`, async (t) => {
      const s = play(t, state);
      const said = await s.call("Bash", { command });
      assert.equal(said.outcome, outcome, said.text);
      if (outcome === "pass") return;
      const all = command.includes("clear") ? Number(sh(s, "git stash list | wc -l")) : 1;
      const first = Number(/\{(\d)\}/.exec(command)?.[1] ?? 0);
      for (let i = first; i < first + all; i++) for (const step of stepOf(said.text!, i)) sh(s, step);
      // Where the option itself is the harm, the step is to leave it out.
      const forced = /(?:deinit -f|remove --force)/.test(command);
      const again = await s.call("Bash", { command: forced ? command.replace(/ (?:-f|--force)/, "") : command });
      assert.equal(again.outcome, "pass", again.text);
    });
