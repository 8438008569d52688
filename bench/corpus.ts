// Scores the shell analysis on a corpus of labelled commands: how many block and allow rows are right, by policy and
// tier. Usage: corpus.js [path] [--wrong policy[:tier]] [--limit n]. Invariant: it decides by effects and hazards only.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Effect } from "../src/model/effect.js";
import { hazardsOf } from "../src/shell/hazards/path-hazards.js";
import { type Analysis, analyse } from "../src/shell/index.js";

interface Row {
  command: string;
  expect: "block" | "allow";
  policy: string;
  why: string;
  tier: number;
  source: string;
}

const root = "/home/user/project";
const context = { cwd: root, root, home: "/home/user" };

const args = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const wrong = option("--wrong")?.split(":");
const limit = Number(option("--limit") ?? 100);
const path = resolve(args[0] ?? "../shared/corpus/commands.jsonl");
if (!existsSync(path)) {
  console.log(`corpus: no file at ${path}; nothing was scored`);
  process.exit(0);
}

const graves = (analysis: Analysis, level: number, classes?: RegExp): boolean =>
  hazardsOf(analysis.effects, context).some(
    ({ hazard }) =>
      hazard.level >= level && hazard.class !== "verification-skip" && (!classes || classes.test(hazard.class)),
  );
const some = (analysis: Analysis, test: (effect: Effect) => boolean): boolean => analysis.effects.some(test);
const changes = (effect: Effect): boolean =>
  (effect.kind === "write" || effect.kind === "delete") && (effect.path === undefined || effect.path.startsWith(root));

/** What each policy of the corpus calls a block, in our terms. */
const policies: Record<string, (analysis: Analysis, row: Row) => boolean> = {
  "git-commit": (analysis) => some(analysis, (effect) => effect.kind === "commit"),
  "shell-write": (analysis) => some(analysis, changes) || some(analysis, (effect) => effect.kind === "unknown"),
  "exec-hidden": (analysis, row) =>
    some(analysis, (effect) => /^(exec|write|delete|unknown|network)$/.test(effect.kind)) ||
    some(analysis, (effect) => effect.kind === "read" && !row.command.endsWith(effect.word ?? "")),
  destructive: (analysis) => graves(analysis, 3),
  "destructive-infra": (analysis) => graves(analysis, 2, /^(?!credential-read|exfiltration)/),
  secrets: (analysis) => graves(analysis, 3, /credential-read|exfiltration/),
  "no-verify": (analysis) =>
    some(analysis, (effect) => effect.noVerify === true || effect.hazard?.class === "verification-skip"),
  branch: (analysis) => graves(analysis, 1, /protected-branch|history-loss/),
  sudo: (analysis) => some(analysis, (effect) => effect.kind === "privilege"),
  "read-deny": (analysis) => some(analysis, (effect) => effect.kind === "read"),
  "write-deny": (analysis) => some(analysis, changes),
  "read-only": (analysis) =>
    some(analysis, (effect) => effect.kind !== "read" && !(effect.kind === "network" && !effect.upload)),
};

const rows = readFileSync(path, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row);
const score = new Map<string, { right: number; all: number }>();
const misses: Row[] = [];
const times: number[] = [];
for (const row of rows) {
  const judge = policies[row.policy];
  if (!judge) continue;
  const start = performance.now();
  const analysis = analyse(row.command, context);
  times.push(performance.now() - start);
  const verdict = judge(analysis, row) ? "block" : "allow";
  const cell = `${row.policy}\t${row.tier}\t${row.expect}`;
  const entry = score.get(cell) ?? { right: 0, all: 0 };
  entry.all++;
  if (verdict === row.expect) entry.right++;
  else if (
    wrong &&
    row.policy === wrong[0] &&
    (!wrong[1] || String(row.tier) === wrong[1]) &&
    (!wrong[2] || row.expect === wrong[2])
  )
    misses.push(row);
  score.set(cell, entry);
}

for (const row of misses.slice(0, limit)) {
  const { effects } = analyse(row.command, context);
  const seen = hazardsOf(effects, context).map(({ hazard }) => `${hazard.id}:${hazard.level}`);
  const kinds = [...new Set(effects.map((effect) => effect.kind))].join(",");
  const command = JSON.stringify(row.command).slice(0, 160);
  console.log(`${row.expect} ${command} | ${row.why.slice(0, 60)} | ${kinds} ${seen.join(",")}`);
}
console.log("policy              tier  block right        allow right");
for (const policy of Object.keys(policies))
  for (const tier of [1, 2, 3]) {
    const block = score.get(`${policy}\t${tier}\tblock`);
    const allow = score.get(`${policy}\t${tier}\tallow`);
    if (!block && !allow) continue;
    const cell = (entry: { right: number; all: number } | undefined) =>
      (entry ? `${entry.right}/${entry.all} ${((100 * entry.right) / entry.all).toFixed(1)}%` : "-").padEnd(18);
    console.log(`${policy.padEnd(20)}${tier}     ${cell(block)} ${cell(allow)}`);
  }
for (const policy of ["git-commit", "shell-write", "exec-hidden", "destructive", "secrets"])
  for (const expect of ["block", "allow"]) {
    const entry = score.get(`${policy}\t1\t${expect}`);
    if (!entry || entry.right / entry.all >= 0.95) continue;
    console.log(`${policy}: fewer than 95 % of the tier 1 ${expect} rows are right`);
    process.exitCode = 1;
  }
times.sort((left, right) => left - right);
const [median, slowest] = [times[times.length >> 1]!, times.at(-1)!];
console.log(`${times.length} commands, median ${median.toFixed(3)} ms, slowest ${slowest.toFixed(1)} ms each`);
