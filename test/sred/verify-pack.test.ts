// The zip verified offline with plain Node, and every attempt to make it say what no commit says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SredReport } from "../../src/sred/report/report-schema.js";
import { reportProject, unpacked, year } from "./report-project.js";

const project = reportProject();
const zip = join(project.place, "sred.zip");
const made = project.sred("report", ...year, "--out", zip);
assert.equal(made.status, 0, made.stderr);
const bytes = readFileSync(zip);

/** Node alone: an empty environment, no network, the folder of the pack as the only argument. */
const verify = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(folder, "verify.mjs"), ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] },
    encoding: "utf8",
  });

test("the pack verifies, with and without the repository", () => {
  const folder = unpacked(bytes);
  const alone = verify(folder);
  assert.equal(alone.status, 0, alone.stdout);
  assert.match(alone.stdout, /^ok: 7 files, \d+ commits, \d+ quotations\n/);
  assert.match(alone.stdout, new RegExp(/manifest\.json, to be noted elsewhere: (\w{64})/.exec(made.stderr)![1]!));
  const withGit = verify(folder, "--repo", project.root);
  assert.equal(withGit.status, 0, withGit.stdout);
  assert.match(withGit.stdout, /ok: git holds all \d+ commits/);
  assert.equal(verify(folder, "--nonsense").status, 2);
});

/** What a forger does who also makes the hashes of the files right again. */
function rehash(folder: string): void {
  const path = join(folder, "manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as { files: { path: string; sha256: string }[] };
  for (const file of manifest.files)
    file.sha256 = createHash("sha256")
      .update(readFileSync(join(folder, file.path)))
      .digest("hex");
  writeFileSync(path, JSON.stringify(manifest));
}

const edit = (folder: string, change: (report: SredReport) => void): void => {
  const path = join(folder, "report.json");
  const report = JSON.parse(readFileSync(path, "utf8")) as SredReport;
  change(report);
  writeFileSync(path, JSON.stringify(report));
};
const experiment = (r: SredReport, outcome = "FAILED") =>
  r.projects.flatMap((p) => p.experiments).find((e) => e.outcome === outcome && e.saidBy === "result")!;

const fake = "b".repeat(40);
const attempts: [name: string, problem: RegExp, attack: (folder: string) => void][] = [
  ["the page is changed", /report\.html was changed/, (f) => appendFileSync(join(f, "report.html"), "<p>SUCCESS</p>")],
  ["the index is changed", /evidence\.csv was changed/, (f) => appendFileSync(join(f, "evidence.csv"), "E9,X\r\n")],
  ["a file is missing", /report\.md is missing/, (f) => rmSync(join(f, "report.md"))],
  ["a file is added", /hours\.csv is not in manifest/, (f) => writeFileSync(join(f, "hours.csv"), "40 hours")],
];
const forged: [name: string, problem: RegExp, change: (report: SredReport) => void][] = [
  ["a failure becomes a success", /does not state SUCCESS|outcomes/, (r) => (experiment(r).outcome = "SUCCESS")],
  [
    "a result is improved",
    /does not say/,
    (r) => Object.assign(experiment(r), { result: "SUCCESS, 99 % faster", outcome: "SUCCESS" }),
  ],
  ["a number in a result", /does not say/, (r) => (experiment(r).result = experiment(r).result!.replace(/\d/, "9999"))],
  [
    "an outcome nobody states",
    /nobody says SUCCESS/,
    (r) => {
      const e = r.projects.flatMap((p) => p.experiments).find((one) => one.outcome === "not stated")!;
      e.outcome = "SUCCESS";
    },
  ],
  [
    "an invented quotation",
    /does not say "It was unknown whether/,
    (r) => {
      const line = r.projects[0]!.lines[0]!;
      line.quotations.push({
        label: "hypothesis",
        text: "It was unknown whether it works",
        commits: [line.quotations[0]!.commits[0]!],
      });
      line.words += 6;
    },
  ],
  [
    "a quotation from another commit",
    /does not say/,
    (r) => {
      const [a, b] = r.projects[0]!.experiments;
      const other = r.projects[1]!.experiments[0]!;
      a!.hypothesis = other.hypothesis;
      assert.ok(b);
    },
  ],
  [
    "an outcome told in other words that nobody told",
    /tells of no failure/,
    (r) => Object.assign(experiment(r, "SUCCESS"), { saidBy: "message" }),
  ],
  ["another day", /another day|first or last day|calendar/, (r) => (experiment(r).day = "2025-05-05")],
  ["a day of a commit", /calendar|another day|first or last/, (r) => (r.evidence[0]!.day = "2026-03-31")],
  ["one more experiment", /totals: experiments/, (r) => r.totals.experiments++],
  ["fewer gaps", /totals: gaps/, (r) => r.projects[0]!.gaps.pop()],
  ["another word count", /words, not/, (r) => (r.projects[0]!.lines[1]!.words = 10)],
  [
    "a commit without a message",
    /different commits|does not say/,
    (r) => r.evidence.push({ ...r.evidence[0]!, hash: fake }),
  ],
  [
    "a commit of another project",
    /does not name this project/,
    (r) => r.projects[0]!.commits.push(r.projects[1]!.commits[0]!),
  ],
  ["another type of work", /type of SR&ED work/, (r) => (r.evidence[0]!.types = ["basic-research-extra"])],
];

for (const [name, problem, attack] of attempts)
  test(`refused: ${name}`, () => {
    const folder = unpacked(bytes);
    attack(folder);
    const { status, stdout } = verify(folder);
    assert.equal(status, 1);
    assert.match(stdout, problem);
  });

for (const [name, problem, change] of forged)
  test(`refused although every file hash was made right: ${name}`, () => {
    const folder = unpacked(bytes);
    edit(folder, change);
    rehash(folder);
    const { status, stdout } = verify(folder);
    assert.equal(status, 1);
    assert.match(stdout, problem);
  });

test("an invented commit, consistent in itself, is refused by the repository", () => {
  const folder = unpacked(bytes);
  const path = join(folder, "commits.jsonl");
  const [first, ...rest] = readFileSync(path, "utf8").split("\n");
  const { message } = JSON.parse(first!) as { message: string };
  const said = message.replace(/^[^\n]*/, "feat(codec): a breakthrough");
  const hash = createHash("sha256").update(said).digest("hex");
  const old = JSON.parse(first!) as { hash: string; messageSha256: string };
  writeFileSync(path, [JSON.stringify({ hash: old.hash, messageSha256: hash, message: said }), ...rest].join("\n"));
  const replaced: [string, string][] = [[old.messageSha256, hash]];
  edit(folder, (r) => {
    const e = r.evidence.find((one) => one.hash === old.hash)!;
    Object.assign(e, { messageSha256: hash, subject: "feat(codec): a breakthrough" });
    const lines = r.evidence.map((one) => `${one.hash} ${one.messageSha256}\n`).sort();
    const digest = createHash("sha256").update(lines.join("")).digest("hex");
    replaced.push([r.integrity.evidenceSha256, digest]);
    r.integrity.evidenceSha256 = digest;
  });
  for (const name of ["report.html", "report.md", "evidence.csv"]) {
    let shown = readFileSync(join(folder, name), "utf8");
    for (const [was, is] of replaced) shown = shown.replaceAll(was, is);
    writeFileSync(join(folder, name), shown);
  }
  rehash(folder);
  assert.equal(verify(folder).stdout.startsWith("ok: "), true, verify(folder).stdout);
  const { status, stdout } = verify(folder, "--repo", project.root);
  assert.equal(status, 1);
  assert.match(stdout, new RegExp(`commit ${old.hash}: git holds another message`));
});

test("another repository does not hold the commits", () => {
  const other = reportProject((root) => spawnSync("git", ["init", "-q", root]));
  const { status, stdout } = verify(unpacked(bytes), "--repo", other.root);
  assert.equal(status, 1);
  assert.match(stdout, /is not in /);
});

test("a message that is not UTF-8 is kept as bytes and verifies", () => {
  const odd = reportProject((root) => {
    spawnSync("git", ["init", "-q", "-b", "main", root]);
    const git = (args: string[], input: string | Buffer = "") =>
      spawnSync("git", args, { cwd: root, input }).stdout.toString().trim();
    const tree = git(["write-tree"]);
    const head = `tree ${tree}\nauthor A <a@b> 1767960000 +0000\ncommitter A <a@b> 1767960000 +0000\n\n`;
    const said = "feat: caf\u00e9\n\nHYPOTHESIS: d\u00e9j\u00e0 vu\nRESULT: FAILED\n\nSRED-Claim: ALPHA\n";
    const commit = git(["hash-object", "-t", "commit", "-w", "--stdin"], Buffer.from(head + said, "latin1"));
    git(["update-ref", "refs/heads/main", commit]);
  });
  const out = join(odd.place, "odd.zip");
  assert.equal(odd.sred("report", ...year, "--out", out).status, 0);
  const folder = unpacked(readFileSync(out));
  assert.match(readFileSync(join(folder, "commits.jsonl"), "utf8"), /"messageBase64"/);
  const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as SredReport;
  assert.equal(report.projects[0]!.experiments[0]!.hypothesis, "d\u00e9j\u00e0 vu");
  assert.equal(report.evidence[0]!.guessedEncoding, true);
  const { status, stdout } = verify(folder, "--repo", odd.root);
  assert.equal(status, 0, stdout);
});
