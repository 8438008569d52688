// Verifies a pack of `interlock sred report --format zip`, unpacked: node verify.mjs [folder] [--repo <repository>]
// Plain Node, no dependencies, none of Interlock's code. Exit 0: everything agrees. Exit 1: each problem on one line.
// Checks the hash of every file; that each commit message has its hash; that every quoted text and stated outcome is
// in the message of the commit it cites; that totals follow from the rows; with --repo, that git holds the commits.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const problems = [];
let quotations = 0;
const problem = (text) => problems.push(text);
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

const { folder, repository } = options(process.argv.slice(2));
const manifest = parsed("manifest.json");
const report = parsed("report.json");
const messages = readMessages();
if (manifest) checkFiles(manifest);
if (report && messages) checkReport(report, messages);
if (repository && messages) checkRepository(messages, repository);

for (const text of problems.slice(0, 50)) console.log(`PROBLEM ${text}`);
if (problems.length > 50) console.log(`and ${problems.length - 50} more`);
if (problems.length) process.exit(1);
console.log(`ok: ${manifest.files.length} files, ${messages.size} commits, ${quotations} quotations`);
console.log(repository ? `ok: git holds all ${messages.size} commits` : "not checked against git: give --repo <path>");
console.log(`manifest.json SHA-256 ${sha256(readFileSync(join(folder, "manifest.json")))}`);

function options(args) {
  const at = args.indexOf("--repo");
  const repo = at === -1 ? undefined : args.splice(at, 2)[1];
  if ((at !== -1 && !repo) || args.length > 1 || args[0]?.startsWith("-")) {
    console.error("usage: node verify.mjs [folder] [--repo <repository>]");
    process.exit(2);
  }
  return { folder: resolve(args[0] ?? dirname(fileURLToPath(import.meta.url))), repository: repo && resolve(repo) };
}

function parsed(name) {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    problem(`${name} can't be read: ${error.message}`);
    return undefined;
  }
}

function checkFiles({ files }) {
  const listed = new Set(["manifest.json"]);
  for (const { path, sha256: wanted } of files) {
    listed.add(path);
    if (!/^[\w.-]+$/.test(path) || !existsSync(join(folder, path))) problem(`${path} is missing`);
    else if (sha256(readFileSync(join(folder, path))) !== wanted) problem(`${path} was changed`);
  }
  for (const needed of ["report.html", "report.md", "report.json", "evidence.csv", "commits.jsonl", "verify.mjs"])
    if (!listed.has(needed)) problem(`manifest.json does not list ${needed}`);
  for (const name of readdirSync(folder)) if (!listed.has(name)) problem(`${name} is not in manifest.json`);
}

function readMessages() {
  const found = new Map();
  try {
    for (const line of readFileSync(join(folder, "commits.jsonl"), "utf8").split("\n").filter(Boolean)) {
      const { hash, messageSha256, message, messageBase64 } = JSON.parse(line);
      const bytes = messageBase64 === undefined ? Buffer.from(message) : Buffer.from(messageBase64, "base64");
      if (sha256(bytes) !== messageSha256) problem(`commit ${hash}: its message does not have the hash given`);
      const text = messageBase64 === undefined ? message : new TextDecoder("windows-1252").decode(bytes);
      found.set(hash, { text: flat(text), messageSha256 });
    }
    return found;
  } catch (error) {
    problem(`commits.jsonl can't be read: ${error.message}`);
    return undefined;
  }
}

/** Line breaks and runs of blanks do not matter for a quotation. */
function flat(text) {
  return text.replace(/\s+/g, " ").trim();
}

function checkReport(report, messages) {
  const evidence = new Map(report.evidence.map((e) => [e.hash, e]));
  const quoted = (text, hashes, where) => {
    if (text === undefined) return;
    quotations++;
    for (const hash of hashes)
      if (!messages.get(hash)?.text.includes(flat(text))) problem(`${where}: commit ${hash} does not say "${text}"`);
  };
  for (const e of report.evidence) {
    quoted(e.subject, [e.hash], "subject");
    for (const id of e.projects) quoted(id, [e.hash], "SR&ED project identifier");
    for (const type of e.types) quoted(type, [e.hash], "type of SR&ED work");
    if (messages.get(e.hash)?.messageSha256 !== e.messageSha256) problem(`commit ${e.hash}: two message hashes`);
  }
  if (evidence.size !== messages.size) problem("report.json and commits.jsonl cite different commits");
  const digest = sha256(
    [...evidence.values()]
      .map((e) => `${e.hash} ${e.messageSha256}\n`)
      .sort()
      .join(""),
  );
  if (digest !== report.integrity.evidenceSha256) problem("the evidence hash does not follow from the evidence");
  for (const p of report.projects) checkProject(p, evidence, quoted);
  checkTotals(report);
  const forPeople = ["report.html", "report.md", "evidence.csv"].map((name) => join(folder, name)).filter(existsSync);
  const shown = forPeople.map((path) => readFileSync(path, "utf8"));
  const cited = new Set([...report.evidence.flatMap((e) => [e.hash, e.messageSha256, ...(e.copies ?? [])])]);
  for (const hash of new Set(shown.join("\n").match(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g) ?? []))
    if (!cited.has(hash) && !JSON.stringify(report).includes(hash)) problem(`${hash} is shown but not in report.json`);
}

function checkProject(p, evidence, quoted) {
  const where = (what) => `${p.id}, ${what}`;
  for (const hash of p.commits)
    if (!evidence.get(hash)?.projects.includes(p.id)) problem(where(`commit ${hash} does not name this project`));
  for (const e of p.experiments) {
    for (const label of ["hypothesis", "experiment", "result", "analysis", "advancement"])
      quoted(e[label], [e.commit], where(label));
    const said = { SUCCESS: /^\W*success/i, FAILED: /^\W*fail/i, PARTIAL: /^\W*partial/i }[e.outcome];
    if (e.saidBy === "result" && !said?.test(e.result ?? "")) problem(where(`${e.commit} does not state ${e.outcome}`));
    if (!e.saidBy && e.outcome !== "not stated") problem(where(`${e.commit}: nobody says ${e.outcome}`));
    const told = /FAILED|\bdid(?: not|n't) achieve\b|\bcontrary to (?:\w+ )?hypothesis\b/i;
    if (e.saidBy === "message" && (e.outcome !== "FAILED" || !told.test(messages.get(e.commit)?.text ?? "")))
      problem(where(`${e.commit}: its message tells of no failure`));
    if (evidence.get(e.commit)?.day !== e.day) problem(where(`${e.commit}: an experiment has another day`));
  }
  for (const l of p.lines) {
    for (const q of l.quotations) quoted(q.text, q.commits, where(`line ${l.line}`));
    const words = l.quotations.reduce((sum, q) => sum + q.text.split(/\s+/).filter(Boolean).length, 0);
    if (words !== l.words) problem(where(`line ${l.line}: ${words} words, not ${l.words}`));
  }
  const days = p.commits.map((hash) => evidence.get(hash)?.day).sort();
  if (days[0] !== p.first || days.at(-1) !== p.last) problem(where("first or last day"));
  if (!same(tally(p.experiments.map((e) => e.outcome)), p.outcomes)) problem(where("outcomes"));
  const people = p.contributors.reduce((sum, c) => sum + c.commits, 0);
  if (people !== p.commits.length) problem(where("commits of contributors"));
}

function checkTotals({ totals, projects, evidence, days, gaps }) {
  const experiments = projects.flatMap((p) => p.experiments);
  const counted = {
    tagged: evidence.length,
    projects: projects.length,
    experiments: experiments.length,
    cycles: projects.reduce((sum, p) => sum + p.cycles.length, 0),
    gaps: gaps.length + projects.reduce((sum, p) => sum + p.gaps.length, 0),
  };
  for (const [name, n] of Object.entries(counted)) if (totals[name] !== n) problem(`totals: ${name} is ${n}`);
  if (!same(tally(experiments.map((e) => e.outcome)), totals.outcomes)) problem("totals: outcomes");
  if (!same(tally(evidence.map((e) => e.day)), Object.fromEntries(days.map((d) => [d.day, d.commits]))))
    problem("the calendar does not follow from the evidence");
}

function tally(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function same(a, b) {
  const sorted = (o) => JSON.stringify(Object.entries(o).sort(([x], [y]) => (x < y ? -1 : 1)));
  return sorted(a) === sorted(b);
}

function checkRepository(messages, root) {
  const git = (args, hashes) =>
    execFileSync("git", ["--no-replace-objects", "-c", "log.showSignature=false", ...args], {
      cwd: root,
      input: hashes.map((hash) => `${hash}\n`).join(""),
      stdio: ["pipe", "pipe", "ignore"],
      maxBuffer: 2 ** 31 - 1,
    });
  let held;
  let log;
  try {
    const answers = git(["cat-file", "--batch-check"], [...messages.keys()])
      .toString()
      .split("\n");
    held = [...messages.keys()].filter((_, i) => / commit \d+$/.test(answers[i]));
    const format = ["-z", "--no-walk=unsorted", "--no-color", "--encoding=UTF-8", "--format=%H%x00%B"];
    log = held.length ? git(["log", ...format, "--stdin"], held) : Buffer.alloc(0);
  } catch {
    return problem(`git can't read the repository ${root}`);
  }
  const said = new Map();
  for (let from = 0; from < log.length; ) {
    const middle = log.indexOf(0, from);
    const end = log.indexOf(0, middle + 1);
    said.set(log.toString("latin1", from, middle), sha256(log.subarray(middle + 1, end)));
    from = end + 1;
  }
  for (const [hash, { messageSha256 }] of messages)
    if (!said.has(hash)) problem(`commit ${hash} is not in ${root}`);
    else if (said.get(hash) !== messageSha256) problem(`commit ${hash}: git holds another message`);
}
