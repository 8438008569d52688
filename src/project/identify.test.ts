// Repository identity against real git: the same answers as `git rev-parse`, without starting it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { headBranch, identify, identifyTarget, type Repository } from "./identify.js";

const root = realpathSync(mkdtempSync(join(tmpdir(), "interlock-repository-")));
after(() => rmSync(root, { recursive: true, force: true }));
const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always", ...args],
    { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
  ).trim();

const main = join(root, "main");
mkdirSync(join(main, "src/deep"), { recursive: true });
git(main, "init", "-q", "-b", "trunk");
writeFileSync(join(main, "a"), "a");
git(main, "add", ".");
git(main, "commit", "-qm", "first");
const linked = join(root, "linked");
git(main, "worktree", "add", "-q", "-b", "feature/x", linked);
git(main, "worktree", "add", "-q", join(main, ".worktrees/inner"));
const library = join(root, "library");
git(root, "clone", "-q", main, library);
git(main, "submodule", "add", "-q", library, "lib");
git(root, "clone", "-q", "--bare", main, "bare.git");
mkdirSync(join(main, "nested"));
git(join(main, "nested"), "init", "-q");
mkdirSync(join(root, "plain/sub"), { recursive: true });
mkdirSync(join(root, "broken/.git"), { recursive: true });
mkdirSync(join(root, "pointless"));
writeFileSync(join(root, "pointless/.git"), "gitdir: /nowhere/at/all\n");
symlinkSync(main, join(root, "alias"));
git(root, "init", "-q", `--separate-git-dir=${join(root, "apart.git")}`, join(root, "apart"));

const id = identify(main).id;
const layouts: [name: string, cwd: string, expected: Partial<Repository>][] = [
  ["the top of a repository", main, { root: main, id, kind: "git", worktree: false, gitDir: join(main, ".git") }],
  ["a folder inside", join(main, "src/deep"), { root: main, id }],
  ["a folder that was deleted", join(main, "src/gone/away"), { root: main, id }],
  ["a link to the repository", join(root, "alias/src"), { root: main, id }],
  ["inside .git", join(main, ".git/hooks"), { root: main, id }],
  ["a linked worktree", linked, { root: linked, id, worktree: true, commonDir: join(main, ".git") }],
  [
    "a worktree inside the repository",
    join(main, ".worktrees/inner"),
    { root: join(main, ".worktrees/inner"), id, worktree: true },
  ],
  [
    "a submodule",
    join(main, "lib"),
    { root: join(main, "lib"), submodule: true, worktree: false, gitDir: join(main, ".git/modules/lib") },
  ],
  ["a nested repository", join(main, "nested"), { root: join(main, "nested"), worktree: false }],
  ["a separate git directory", join(root, "apart"), { root: join(root, "apart"), gitDir: join(root, "apart.git") }],
  ["a bare repository", join(root, "bare.git/refs"), { root: join(root, "bare.git"), bare: true }],
  ["no repository at all", join(root, "plain/sub"), { root: join(root, "plain/sub"), kind: "plain", worktree: false }],
  ["an empty .git folder", join(root, "broken"), { root: join(root, "broken"), kind: "plain" }],
  ["a .git file that points nowhere", join(root, "pointless"), { root: join(root, "pointless"), kind: "plain" }],
];
for (const [name, cwd, expected] of layouts) {
  test(name, () => {
    const found = identify(cwd);
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((k) => [k, found[k as keyof Repository]])), expected);
  });
}

test("git agrees about root and common directory wherever it has an opinion", () => {
  for (const cwd of [
    main,
    join(main, "src/deep"),
    linked,
    join(main, ".worktrees/inner"),
    join(main, "lib"),
    join(main, "nested"),
    join(root, "apart"),
  ]) {
    const [top, common] = git(cwd, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir").split(
      "\n",
    );
    const found = identify(cwd);
    assert.deepEqual([found.root, found.commonDir], [top, common], cwd);
  }
});

test("submodule, clone and nested repository are repositories of their own", () => {
  const ids = [main, join(main, "lib"), join(main, "nested"), library, join(root, "bare.git"), join(root, "apart")].map(
    (d) => identify(d).id,
  );
  assert.equal(new Set(ids).size, ids.length);
});

test("the repository of a target is where the file is, not where the agent is", () => {
  assert.equal(identifyTarget("../main/src/new.ts", join(root, "plain")).id, id);
  assert.equal(identifyTarget(join(linked, "src/new/file.ts"), main).root, linked);
  assert.equal(identifyTarget("alias/x.ts", root).root, main);
});

test("the branch is read from HEAD", () => {
  assert.equal(headBranch(identify(main).gitDir!), "trunk");
  assert.equal(headBranch(identify(linked).gitDir!), "feature/x");
  git(linked, "checkout", "-q", "--detach");
  assert.equal(headBranch(identify(linked).gitDir!), "HEAD");
  assert.equal(headBranch(join(root, "plain")), undefined);
  assert.equal(
    headBranch(identify(join(main, "nested")).gitDir!),
    git(join(main, "nested"), "symbolic-ref", "--short", "HEAD"),
  );
});
