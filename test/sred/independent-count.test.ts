// The report's figures against a second count, written differently: git's own trailer parser, git's own calendar days,
// and plain comparison of lines.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import * as v from "valibot";
import { reportSchema } from "../../src/sred/report/report-schema.js";
import { reportProject, year } from "./report-project.js";

const project = reportProject();

interface Counted {
  hash: string;
  day: string;
  author: string;
  lines: string[];
  projects: string[];
  types: string[];
}

function countedByGit(): Counted[] {
  const log = project.git(["log", "--date=format-local:%Y-%m-%d", "--format=%H%n%ad%n%an%n%B%x00"], {
    TZ: "America/Toronto",
  });
  return log
    .split("\0")
    .filter((one) => one.trim() !== "")
    .map((one) => {
      const [hash = "", day = "", author = "", ...lines] = one.trimStart().split("\n");
      const parsed = execFileSync("git", ["interpret-trailers", "--parse"], { input: lines.join("\n") }).toString();
      // Forges leave the trailers of squashed commits in the middle, where git's parser does not look.
      const all = [...parsed.split("\n"), ...lines.filter((line) => line.startsWith("SRED-"))];
      const values = (key: string) =>
        [
          ...new Set(all.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2))),
        ].filter((value) => value !== "none");
      return { hash, day, author, lines, projects: values("SRED-Claim"), types: values("SRED-Type") };
    });
}

const commits = countedByGit();
/** A merge has no files of its own: `git log` shows none either. */
const changed = new Map(
  project
    .git(["log", "--format=%x00%H", "--name-only"])
    .split("\0")
    .map((one) => one.split("\n").filter(Boolean))
    .map(([hash = "", ...files]) => [hash, files]),
);
const number = (list: readonly unknown[]): number => list.length;
const said = (c: Counted, start: string): boolean => c.lines.some((line) => line.startsWith(start));

function compare(from: string, to: string): void {
  const report = project.report("--from", from, "--to", to, "--tz", "America/Toronto", "--fiscal-year-end", "03-31");
  v.parse(reportSchema, report);
  const inPeriod = commits.filter((c) => c.day >= from && c.day <= to);
  const tagged = inPeriod.filter((c) => c.projects.length);
  assert.equal(report.totals.commits, inPeriod.length);
  assert.equal(report.totals.tagged, tagged.length);
  assert.equal(report.totals.notSred, number(inPeriod.filter((c) => said(c, "SRED-Claim: none"))));
  assert.deepEqual(
    report.projects.map((p) => p.id),
    [...new Set(tagged.flatMap((c) => c.projects))].sort(),
  );
  for (const p of report.projects) {
    const own = tagged.filter((c) => c.projects.includes(p.id));
    assert.deepEqual([...p.commits].sort(), own.map((c) => c.hash).sort(), p.id);
    const days = own.map((c) => c.day).sort();
    assert.deepEqual([p.first, p.last], [days[0], days.at(-1)]);
    const experiments = own.filter((c) => said(c, "HYPOTHESIS: "));
    assert.equal(p.experiments.length, experiments.length);
    for (const word of ["SUCCESS", "FAILED", "PARTIAL"])
      assert.equal(p.outcomes[word] ?? 0, number(experiments.filter((c) => said(c, `RESULT: ${word}`))), word);
    for (const type of p.types) assert.equal(type.commits, number(own.filter((c) => c.types.includes(type.type))));
    for (const person of p.contributors)
      assert.equal(person.commits, number(own.filter((c) => c.author === person.name)));
    assert.equal(p.files, new Set(own.flatMap((c) => changed.get(c.hash) ?? [])).size);
    const quarter = (day: string) => `${Math.floor(((Number(day.slice(5, 7)) + 8) % 12) / 3) + 1}`;
    for (const q of p.quarters) assert.equal(q.commits, number(days.filter((d) => quarter(d) === String(q.quarter))));
  }
  for (const { day, commits: n } of report.days) assert.equal(n, number(tagged.filter((c) => c.day === day)));
}

test("400 commits in 6 projects: every figure of the year", () => {
  assert.equal(commits.length, 400);
  assert.equal(new Set(commits.flatMap((c) => c.projects)).size, 6);
  compare("2025-04-01", "2026-03-31");
});

test("a quarter whose first and last days have commits near midnight", () => {
  const days = [...new Set(commits.map((c) => c.day))].sort();
  compare(days[40]!, days[90]!);
});

test("sred projects and sred list count the same", () => {
  const { projects } = JSON.parse(project.sred("projects", "--json").stdout) as {
    projects: { project: string; commits: number }[];
  };
  for (const p of projects)
    assert.equal(p.commits, number(commits.filter((c) => c.projects.includes(p.project))), p.project);
  const list = JSON.parse(project.sred("list", ...year, "--json").stdout) as { commits: { hash: string }[] };
  const expected = commits.filter((c) => c.projects.length && c.day >= "2025-04-01" && c.day <= "2026-03-31");
  assert.deepEqual(list.commits.map((c) => c.hash).sort(), expected.map((c) => c.hash).sort());
  const lines = project
    .sred("list", ...year)
    .stdout.trimEnd()
    .split("\n");
  assert.equal(lines.length, expected.length, "one line for each commit");
});
