// Each commit is walked once: proved by taking away an old commit that a second walk would stumble over.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore, type StorePlace } from "../store/index.js";
import { anchorsIn } from "./commit-anchors.js";

const trailer = (seq: number) => `Work\n\nInterlock-Checkpoint: ${seq}:0123456789ab:01234567\n`;

function repository(t: TestContext, commits: number) {
  const base = mkdtempSync(join(tmpdir(), "interlock-walk-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "work");
  const place: StorePlace = { home: join(base, "home"), id: "0123456789abcdef" };
  openStore(place).append(() => ({ type: "note", body: {} }));
  const git = (...args: string[]) => {
    const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    return execFileSync("git", ["-C", root, ...author, ...args], { encoding: "utf8", stdio: "pipe" }).trim();
  };
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  const stream = Array.from({ length: commits }, (_, i) => {
    const message = i === commits - 10 ? trailer(1) : "Work\n";
    const head = `commit refs/heads/main\ncommitter a <a@example.com> ${1_700_000_000 + i} +0000`;
    return `${head}\ndata ${message.length}\n${message}\n`;
  });
  execFileSync("git", ["-C", root, "fast-import", "--quiet"], { input: stream.join("") });
  const commit = (message: string) => git("commit", "--allow-empty", "-qm", message);
  const seqs = (afresh = false) => anchorsIn(root, place, afresh).map(({ seq }) => seq);
  return { root, place, git, commit, seqs };
}

test("a second look walks only what is new", (t) => {
  const { root, git, commit, seqs } = repository(t, 40);
  assert.deepEqual(seqs(), [1]);
  // So few commits lie in files of their own, and one of them can be taken away.
  const [oldest = ""] = git("rev-list", "--max-parents=0", "main").split("\n");
  rmSync(join(root, ".git/objects", oldest.slice(0, 2), oldest.slice(2)));
  commit(trailer(2));
  assert.deepEqual(seqs().sort(), [1, 2]);
  assert.deepEqual(seqs(true), [], "a whole walk stumbles over the commit that is gone");
  assert.deepEqual(seqs().sort(), [1, 2]);
});

test("a rewritten history is walked again, and an altered memory is not believed", (t) => {
  const { place, git, commit, seqs } = repository(t, 20);
  commit(trailer(2));
  assert.deepEqual(seqs().sort(), [1, 2]);
  git("reset", "-q", "--hard", "HEAD~1");
  assert.deepEqual(seqs(), [1]);
  appendFileSync(join(place.home, "projects", place.id, "walked-commits.json"), " ");
  commit(trailer(3));
  assert.deepEqual(seqs().sort(), [1, 3]);
});

const nightly = !process.env["INTERLOCK_NIGHTLY"] && "nightly: writes 300,000 commits";
test("300,000 commits: the second look takes a small part of the first", { skip: nightly }, (t) => {
  const { commit, seqs } = repository(t, 300_000);
  const time = (expected: number[]) => {
    const start = performance.now();
    assert.deepEqual(seqs().sort(), expected);
    return performance.now() - start;
  };
  const first = time([1]);
  commit(trailer(2));
  const second = time([1, 2]);
  t.diagnostic(`first look ${Math.round(first)} ms, second ${Math.round(second)} ms`);
  assert.ok(second < first / 4, `${second} ms after ${first} ms`);
});
