import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { constructedHistory, fastImport } from "../../testing/sred-history.js";
import { temporary } from "../../testing/temporary.js";
import { readSredMessage } from "../message.js";
import { readHistory } from "./history.js";
import { rankProjects } from "./rank.js";

const now = Date.UTC(2026, 5, 30);

test("on 400 commits of 6 projects, 100 held-out commits get their project", (t) => {
  const root = temporary("sred");
  const made = constructedHistory(500, now);
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  execFileSync("git", ["-C", root, "fast-import", "--quiet"], { input: fastImport(made.slice(0, 400)) });
  const { commits, cut } = readHistory({ root, now, ms: 60_000 });
  assert.equal(commits.length, 400);
  assert.equal(cut, false);
  assert.equal(new Set(commits.flatMap((c) => c.claims)).size, 6);
  let first = 0;
  let amongThree = 0;
  for (const held of made.slice(400)) {
    // The message as it is before anybody tagged it.
    const { scope, issueKeys } = readSredMessage(held.message.split("\n")[0]!);
    const { projects } = rankProjects(commits, {
      scope,
      issueKeys,
      paths: held.paths,
      branch: held.branch,
      author: `${held.author}@example.com`,
      now: held.at,
    });
    const place = projects.findIndex((p) => p.project === held.project);
    if (place === 0) first++;
    if (place >= 0 && place < 3) amongThree++;
  }
  t.diagnostic(`right first ${first} of 100, within three ${amongThree}`);
  assert.ok(first >= 90, `right first: ${first}`);
  assert.ok(amongThree >= 98, `within three: ${amongThree}`);
});

test("confidence is high for a clear match and low without one", () => {
  const commit = (claim: string, scope: string, path: string) => ({
    hash: scope,
    at: now,
    committedAt: now,
    author: "a@example.com",
    claims: [claim],
    scope,
    issueKeys: [],
    failed: false,
    paths: [path],
  });
  const history = [
    ...Array(5).fill(commit("CACHE", "cache", "src/cache/a.ts")),
    commit("PLAN", "plan", "src/plan/b.ts"),
  ];
  const of = (scope: string | undefined, paths: string[]) =>
    rankProjects(history, { scope, paths, issueKeys: [], now });
  assert.equal(of("cache", ["src/cache/a.ts"]).projects[0]!.project, "CACHE");
  assert.ok(of("cache", ["src/cache/a.ts"]).confidence >= 0.8);
  assert.equal(of("plan", ["src/plan/x.ts"]).projects[0]!.project, "PLAN");
  assert.ok(of("brand-new", ["web/x.ts"]).confidence < 0.5);
  assert.equal(rankProjects([], { paths: [], issueKeys: [], now }).confidence, 0);
});
