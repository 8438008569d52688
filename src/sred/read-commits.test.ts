// Reading commits from real repositories: merges, empty and foreign messages, odd paths, mailmap, shallow clones.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporary } from "../testing/temporary.js";
import { NoHistory, readCommits, withFiles } from "./read-commits.js";

function repository() {
  const root = temporary("commits");
  const git = (args: string[], input?: string | Buffer, env: Record<string, string> = {}) =>
    execFileSync("git", args, {
      cwd: root,
      input,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1", ...person, ...env },
    })
      .toString()
      .trim();
  git(["init", "-q", "-b", "main"]);
  let written = 0;
  return {
    root,
    git,
    put(path: string, text = `${++written}\n`) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      git(["add", "-A"]);
    },
    commit(message: string | Buffer, env: Record<string, string> = {}) {
      git(["commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-F", "-"], message, env);
      return git(["rev-parse", "HEAD"]);
    },
  };
}

const person = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Bo",
  GIT_COMMITTER_EMAIL: "bo@example.org",
  GIT_AUTHOR_DATE: "1700000000 +0530",
  GIT_COMMITTER_DATE: "1700000100 -0800",
};

test("both people, both dates with their zones, parents and files", () => {
  const { root, put, commit } = repository();
  put("src/a b.ts", "1\n2\n");
  put("odd\n\tname", "x");
  put("image.bin", "\0\0");
  const first = commit("feat(core): one\n\nbody\n");
  put("src/a b.ts", "1\n");
  const second = commit("two", { GIT_AUTHOR_DATE: "1700000050 +0000" });
  const { commits, head, branch, shallow } = readCommits(root);
  assert.deepEqual([head, branch, shallow], [second, "main", false]);
  assert.deepEqual(
    commits.map((c) => c.hash),
    [first, second],
  );
  const [a, b] = withFiles(root, commits);
  assert.deepEqual(a!.author, { name: "Ada", email: "ada@example.org" });
  assert.deepEqual(a!.committer, { name: "Bo", email: "bo@example.org" });
  assert.deepEqual(
    [a!.authored, a!.committed],
    [
      { seconds: 1_700_000_000, offset: "+0530" },
      { seconds: 1_700_000_100, offset: "-0800" },
    ],
  );
  assert.equal(a!.message, "feat(core): one\n\nbody\n");
  assert.equal(a!.messageHash, createHash("sha256").update("feat(core): one\n\nbody\n").digest("hex"));
  assert.deepEqual(b!.parents, [first]);
  assert.deepEqual(
    a!.files.sort((x, y) => (x.path < y.path ? -1 : 1)),
    [
      { path: "image.bin" },
      { path: "odd\n\tname", added: 1, removed: 0 },
      { path: "src/a b.ts", added: 2, removed: 0 },
    ],
  );
  assert.deepEqual(b!.files, [{ path: "src/a b.ts", added: 0, removed: 1 }]);
});

test("messages that look like other commits or like files stay messages", () => {
  const { root, put, commit } = repository();
  const texts = [
    "",
    "\n\n",
    `${"a".repeat(40)}`,
    "\n1\t0\tfile",
    "1\t0\tfile\n",
    "%x00%H\n",
    "x\n\n---\n\0".slice(0, 6),
  ];
  for (const [i, text] of texts.entries()) {
    put("f");
    commit(text, { GIT_AUTHOR_DATE: `${1_700_000_000 + i} +0000` });
  }
  const read = withFiles(root, readCommits(root).commits);
  assert.deepEqual(
    read.map((c) => c.message),
    texts,
  );
  for (const c of read)
    assert.deepEqual(
      c.files.map((f) => f.path),
      ["f"],
    );
});

test("a merge has two parents and no files of its own", () => {
  const { root, git, put, commit } = repository();
  put("a");
  commit("one");
  git(["switch", "-qc", "side"]);
  put("b");
  commit("two");
  git(["switch", "-q", "main"]);
  put("c");
  commit("three");
  git(["merge", "-q", "--no-ff", "-m", "Merge side\n\nSRED-Claim: ALPHA", "side"]);
  const merge = withFiles(root, readCommits(root).commits).find((c) => c.parents.length === 2);
  assert.match(merge!.message, /^Merge side\n\nSRED-Claim: ALPHA/);
  assert.deepEqual(merge!.files, []);
});

test("messages in other encodings are read by the name the commit gives, else marked as a guess", () => {
  const { root, git, commit } = repository();
  git(["config", "i18n.commitEncoding", "ISO-8859-1"]);
  commit(Buffer.from("caf\u00e9 named", "latin1"));
  git(["config", "--unset", "i18n.commitEncoding"]);
  const tree = git(["write-tree"]);
  const raw = Buffer.concat([
    Buffer.from(`tree ${tree}\nauthor A <a@b> 1700000001 +0000\ncommitter A <a@b> 1700000001 +0000\n\n`),
    Buffer.from("caf\u00e9 unnamed\n", "latin1"),
  ]);
  const odd = git(["hash-object", "-t", "commit", "-w", "--stdin"], raw);
  git(["update-ref", "refs/heads/main", odd]);
  const unnamed = readCommits(root).commits;
  assert.deepEqual(
    unnamed.map((c) => [c.message, c.guessedEncoding]),
    [["caf\u00e9 unnamed\n", true]],
  );
  assert.equal(
    unnamed[0]!.messageHash,
    createHash("sha256").update(Buffer.from("caf\u00e9 unnamed\n", "latin1")).digest("hex"),
  );
  const all = readCommits(root, { all: true }).commits;
  assert.equal(all.length, 1, "the unreachable commit is in no ref");
  git(["update-ref", "refs/pull/7/head", `${git(["rev-parse", "main@{1}"])}`]);
  const named = readCommits(root, { all: true }).commits.find((c) => c.hash !== odd);
  assert.deepEqual([named!.message, named!.guessedEncoding], ["caf\u00e9 named", undefined]);
});

test("mailmap unites a person's addresses; settings of the repository change nothing", () => {
  const { root, git, put, commit } = repository();
  put(".mailmap", "Ada Lovelace <ada@example.org> <old@example.org>\n");
  commit("one", { GIT_AUTHOR_EMAIL: "old@example.org" });
  for (const [name, value] of [
    ["log.showSignature", "true"],
    ["log.date", "iso"],
    ["format.pretty", "oneline"],
    ["diff.renames", "copies"],
    ["color.ui", "always"],
    ["log.decorate", "full"],
  ] as const)
    git(["config", name, value]);
  const [only] = withFiles(root, readCommits(root).commits);
  assert.deepEqual(only!.author, { name: "Ada Lovelace", email: "ada@example.org" });
  assert.deepEqual(only!.files, [{ path: ".mailmap", added: 1, removed: 0 }]);
});

test("no commits, no repository, and a shallow clone are told apart", () => {
  const { root, put, commit } = repository();
  assert.deepEqual(readCommits(root), { commits: [], refs: "HEAD", shallow: false, branch: "main" });
  assert.throws(() => readCommits(temporary("no-repository")), NoHistory);
  put("a");
  commit("one");
  put("a");
  const second = commit("two");
  const clone = join(temporary("shallow"), "clone");
  execFileSync("git", ["clone", "-q", "--depth", "1", pathToFileURL(root).href, clone]);
  const read = readCommits(clone);
  assert.deepEqual([read.shallow, read.head, read.commits.length], [true, second, 1]);
});
