// The commands of the report through the built program: what the seed's shell lines got wrong, bad options, odd
// repositories, output files.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { makeCommits, type PlannedCommit } from "../../src/testing/evidence-history.js";
import { reportProject, year } from "./report-project.js";

const at = (iso: string): number => Date.parse(iso) / 1000;
const tagged = (iso: string, body = "", id = "ALPHA"): PlannedCommit => ({
  message: `feat(x): on ${iso}\n\n${body}SRED-Type: applied-research\nSRED-Claim: ${id}\n`,
  at: at(iso),
});
const made = (...commits: PlannedCommit[]) => reportProject((root) => makeCommits(root, commits));

test("the seed's extraction drops the evening of the last day and splits commits; sred list does neither", () => {
  const project = made(
    tagged("2026-03-31T23:30:00-04:00"),
    {
      message: "feat: two\n\nSRED-Type: basic-research\nSRED-Claim: ALPHA\nSRED-Claim: BETA\n",
      at: at("2026-02-01T12:00:00Z"),
    },
    { message: "feat: untagged", at: at("2026-02-02T12:00:00Z") },
  );
  // `--until` with a bare date takes the time of day of now, so the seed's line depends on when it is run.
  const seeds = project.git([
    "log",
    "--since=2026-01-01 12:00",
    "--until=2026-03-31 12:00",
    "--date=short",
    "--format=%ad|%an|%s|%(trailers:key=SRED-Type,valueonly)|%(trailers:key=SRED-Claim,valueonly)",
  ]);
  assert.ok(!seeds.includes("23:30"), "the evening is lost");
  assert.ok(seeds.trimEnd().split("\n").length > 3, "one commit takes several lines");
  const lines = project.sred("list", "--from", "2026-01-01", "--to", "2026-03-31", "--tz", "America/Toronto");
  assert.equal(lines.status, 0, lines.stderr);
  assert.deepEqual(
    lines.stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/\s+[0-9a-f]{10}\s+/, " ").replace(/\s+/g, " ")),
    [
      "2026-02-01 Amina Osei basic-research ALPHA, BETA feat: two",
      "2026-03-31 Amina Osei applied-research ALPHA feat(x): on 2026-03-31T23:30:00-04:00",
    ],
  );
  const grouped = JSON.parse(project.sred("projects", "--json").stdout) as {
    projects: { project: string; commits: number }[];
  };
  assert.deepEqual(
    grouped.projects.map((p) => [p.project, p.commits]),
    [
      ["ALPHA", 2],
      ["BETA", 1],
    ],
  );
  const alpha = project.sred("list", "--project", "BETA").stdout;
  assert.equal(alpha.trimEnd().split("\n").length, 1);
});

test("the last day ends at midnight of the claimant's zone, whatever zone the machine and the author are in", () => {
  const moments = ["2026-04-01T03:59:59Z", "2026-04-01T04:00:00Z", "2026-01-01T04:59:59Z", "2026-01-01T05:00:00Z"];
  const project = made(...moments.sort().map((m) => ({ ...tagged(m), offset: "+1400" })));
  const days = (...args: string[]) => project.report(...args).evidence.map((e) => e.authored);
  assert.deepEqual(days("--from", "2026-01-01", "--to", "2026-03-31", "--tz", "America/Toronto"), [
    "2026-01-01T05:00:00Z",
    "2026-04-01T03:59:59Z",
  ]);
  assert.deepEqual(days("--from", "2026-01-01", "--to", "2026-03-31", "--tz", "Pacific/Kiritimati"), [
    "2026-01-01T04:59:59Z",
    "2026-01-01T05:00:00Z",
  ]);
  assert.deepEqual(days("--from", "2026-01-01", "--to", "2026-03-31", "--tz", "Etc/GMT+12"), [
    "2026-04-01T03:59:59Z",
    "2026-04-01T04:00:00Z",
  ]);
});

test("bad options are usage errors that name the remedy", () => {
  const project = made(tagged("2026-01-10T12:00:00Z"));
  const rows: [string[], RegExp][] = [
    [["report", "--to", "2026-03-31"], /--from is missing/],
    [["report", ...year, "--tz", "Nowhere/City"], /--tz wants a time zone/],
    [["report", ...year, "--format", "pdf"], /unknown format "pdf"; did you mean/],
    [["report", ...year, "--fiscal-year-end", "13-01"], /--fiscal-year-end wants/],
    [["report", ...year, "--project", "ALHPA"], /did you mean ALPHA\?/],
    [["report", ...year, "surprise"], /it takes no word "surprise"/],
    [["list", "--from", "yesterday"], /--from wants a day/],
    [["list", "--form", "2026-01-01"], /did you mean --from/],
    [["projects", "--project", "ZULU-NINE"], /List them: interlock sred projects|did you mean/],
  ];
  for (const [args, text] of rows) {
    const { status, stderr, stdout } = project.sred(...args);
    assert.deepEqual([status, stdout], [2, ""], args.join(" "));
    assert.match(stderr, text);
  }
  for (const name of ["report", "list", "projects"]) {
    const help = project.sred(name, "--help");
    assert.equal(help.status, 0);
    assert.match(help.stdout, new RegExp(`Usage: interlock sred ${name}`));
  }
});

test("a file is written once, privately, and a second report does not replace it unasked", () => {
  const project = made(tagged("2026-01-10T12:00:00Z"));
  const inside = join(project.root, "sred.html");
  const first = project.sred("report", ...year, "--out", "sred.html");
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stderr, /don't commit it/);
  assert.equal(statSync(inside).mode & 0o077, 0);
  writeFileSync(inside, "kept");
  const second = project.sred("report", ...year, "--out", "sred.html");
  assert.equal(second.status, 2);
  assert.match(second.stderr, /exists; add --force/);
  assert.equal(readFileSync(inside, "utf8"), "kept");
  assert.equal(project.sred("report", ...year, "--out", "sred.html", "--force").status, 0);
  assert.match(readFileSync(inside, "utf8"), /^<!doctype html>/);
  writeFileSync(join(project.root, ".gitignore"), "out/\n");
  mkdirSync(join(project.root, "out"));
  const ignored = project.sred("report", ...year, "--out", "out/sred.md");
  assert.ok(!/don't commit it/.test(ignored.stderr));
  assert.match(readFileSync(join(project.root, "out", "sred.md"), "utf8"), /^# SR&ED evidence/);
});

test("no commits, no tagged commits, no repository, a shallow clone", () => {
  const empty = reportProject((root) => execFileSync("git", ["init", "-q", root]));
  const none = empty.sred("report", ...year);
  assert.equal(none.status, 1);
  assert.match(none.stdout, /0 experiments in 0 projects/);
  assert.match(none.stderr, /no commit of this period names an SR&ED project/);
  const bare = reportProject((root) => mkdirSync(root, { recursive: true }));
  assert.equal(bare.sred("list").status, 2);
  assert.match(bare.sred("list").stderr, /not in a git repository/);
  const project = made(tagged("2026-01-10T12:00:00Z"), tagged("2026-01-11T12:00:00Z"));
  const shallow = reportProject((root) =>
    execFileSync("git", ["clone", "-q", "--depth", "1", pathToFileURL(project.root).href, root]),
  );
  const cut = shallow.sred("report", ...year, "--format", "json");
  assert.match(cut.stderr, /git fetch --unshallow/);
  const report = JSON.parse(cut.stdout) as { integrity: { shallow: boolean }; gaps: { kind: string }[] };
  assert.equal(report.integrity.shallow, true);
  assert.ok(report.gaps.some((g) => g.kind === "shallow-history"));
});

test("--all finds commits of fetched pull requests and counts a copy once", () => {
  const project = made(tagged("2026-01-10T12:00:00Z"), tagged("2026-01-11T12:00:00Z"), tagged("2026-01-12T12:00:00Z"));
  const [, second] = project.git(["log", "--format=%H"]).trim().split("\n");
  project.git(["update-ref", "refs/pull/7/head", project.git(["rev-parse", "HEAD"]).trim()]);
  // Rewritten on main: the same author, author date and message under another hash.
  const tree = project.git(["rev-parse", "HEAD^{tree}"]).trim();
  const message = project.git(["log", "-1", "--format=%B", "HEAD"]);
  const copy = execFileSync("git", ["commit-tree", tree, "-p", `${second}~1`], {
    cwd: project.root,
    input: message.replace(/\n$/, ""),
    env: {
      ...process.env,
      GIT_AUTHOR_NAME: "Amina Osei",
      GIT_AUTHOR_EMAIL: "amina@example.org",
      GIT_AUTHOR_DATE: `${at("2026-01-12T12:00:00Z")} +0000`,
      GIT_COMMITTER_NAME: "Bo",
      GIT_COMMITTER_EMAIL: "b@example.org",
    },
  })
    .toString()
    .trim();
  project.git(["update-ref", "refs/heads/main", copy]);
  assert.equal(project.report(...year).evidence.length, 2, "squashing lost one");
  const all = project.report(...year, "--all");
  assert.equal(all.evidence.length, 3);
  assert.deepEqual(
    all.evidence.map((e) => e.copies?.length ?? 0),
    [0, 0, 1],
  );
});

test("recorded test runs are evidence, and the record is checked", () => {
  const project = made(tagged("2026-01-10T12:00:00Z"));
  const program = join(process.cwd(), "dist", "interlock.cjs");
  const hook = (event: string, id: string, command: string, response?: object) => {
    const payload = {
      session_id: "s",
      cwd: project.root,
      hook_event_name: event,
      tool_name: "Bash",
      tool_use_id: id,
      tool_input: { command },
      ...(response && { tool_response: response }),
    };
    const { status, stderr } = project.run("sh", [
      "-c",
      'printf %s "$1" | "$2" "$3" hook claude-code --event "$4"',
      "sh",
      JSON.stringify(payload),
      process.execPath,
      program,
      event,
    ]);
    assert.equal(status, 0, stderr);
  };
  const answer = (stdout: string) => ({ stdout, stderr: "", interrupted: false });
  hook("PreToolUse", "t1", "npx vitest run");
  hook("PostToolUse", "t1", "npx vitest run", answer("      Tests  3 passed (3)\n"));
  const message = "feat(x): try\n\nHYPOTHESIS: it holds\nRESULT: FAILED, it does not\n\nSRED-Claim: ALPHA\n";
  writeFileSync(join(project.place, "message"), message);
  hook("PreToolUse", "t2", "git commit --allow-empty -F ../message");
  project.git(["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-F", "../message"]);
  hook("PostToolUse", "t2", "git commit --allow-empty -F ../message", answer(""));
  const today = ["--from", "2026-01-01", "--to", "2099-12-31", "--tz", "UTC"];
  const report = project.report(...today);
  assert.equal(report.integrity.ledger.verdict, "intact");
  assert.equal(report.totals.testRuns, 1);
  const tests = report.projects[0]!.experiments[0]!.tests;
  assert.deepEqual(
    tests.map((t) => [t.runner, t.verdict]),
    [["vitest", "passed"]],
  );
  const box = report.projects[0]!.boxes.find((b) => b.line === "277")!;
  assert.deepEqual([box.supported, box.testRuns], [true, 1]);
  assert.ok(!report.projects[0]!.gaps.some((g) => g.kind === "no-test-evidence"));
  assert.ok(existsSync(join(project.place, "interlock")));
});
