import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../testing/temporary.js";
import { commitRange, UnknownRange } from "./commit-range.js";

function repository() {
  const folder = temporary("range");
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const commit = (subject: string) => {
    git("commit", "-q", "--allow-empty", "-m", subject);
    return git("rev-parse", "HEAD");
  };
  git("init", "-q", "-b", "main");
  return { folder, git, commit };
}

test("the range comes from the pull request, the push, the merge request, or the default branch", () => {
  const { folder, git, commit } = repository();
  const base = commit("base");
  git("update-ref", "refs/remotes/origin/main", base);
  git("switch", "-q", "-c", "work");
  const one = commit("one");
  const two = commit("two");
  const event = join(folder, "event.json");
  const github = (value: unknown, env: Record<string, string> = {}) => {
    writeFileSync(event, typeof value === "string" ? value : JSON.stringify(value));
    const { from, to } = commitRange(folder, undefined, { GITHUB_ACTIONS: "true", GITHUB_EVENT_PATH: event, ...env });
    return [from, to];
  };
  // The runner checks out the merge of both, so HEAD is no commit of the pull request.
  git("switch", "-q", "--detach", base);
  git("merge", "-q", "--no-ff", "-m", "Merge two into base", two);
  const pull = { pull_request: { base: { sha: base }, head: { sha: two } } };
  assert.deepEqual(github(pull, { GITHUB_BASE_REF: "main" }), [base, two]);
  git("switch", "-q", "work");
  assert.deepEqual(github({ before: one, after: two }), [one, two]);
  const fresh = { before: "0".repeat(40), after: two, repository: { default_branch: "main" } };
  assert.deepEqual(github(fresh), [base, two], "a new branch");
  assert.deepEqual(github({ ...fresh, before: "f".repeat(40) }), [base, two], "the old head is not in the clone");
  assert.deepEqual(github("no json"), [one, two], "the newest commit");
  assert.deepEqual(github({ before: 7, after: "--all" } as object), [one, two]);
  assert.throws(() => github({}, { GITHUB_BASE_REF: "gone" }), UnknownRange);
  const gitlab = { GITLAB_CI: "true", CI_COMMIT_SHA: two };
  assert.equal(commitRange(folder, undefined, { ...gitlab, CI_MERGE_REQUEST_DIFF_BASE_SHA: base }).from, base);
  assert.equal(commitRange(folder, undefined, { ...gitlab, CI_COMMIT_BEFORE_SHA: one }).from, one);
  assert.equal(commitRange(folder, undefined, {}).from, base);
  assert.equal(commitRange(folder, undefined, {}).source, "not on origin/main");
});

test("a named range: two dots, three dots, one end left out; unknown names and options are errors", () => {
  const { folder, git, commit } = repository();
  const base = commit("base");
  git("switch", "-q", "-c", "work");
  const one = commit("one");
  git("switch", "-q", "main");
  const main = commit("main");
  const ends = (range: string) => {
    const { from, to } = commitRange(folder, range, {});
    return [from, to];
  };
  assert.deepEqual(ends("main..work"), [main, one]);
  assert.deepEqual(ends("main...work"), [base, one]);
  assert.deepEqual(ends(base), [base, main]);
  assert.deepEqual(ends(`${base}..`), [base, main]);
  for (const bad of ["nowhere..main", "main..nowhere", "--all", "--output=x..main", "main..-x", "main:file"])
    assert.throws(() => ends(bad), UnknownRange, bad);
});

test("a repository without commits and a folder without repository are errors", () => {
  assert.throws(() => commitRange(temporary("plain"), undefined, {}), UnknownRange);
  assert.throws(() => commitRange(repository().folder, undefined, {}), /no commit yet/);
});
