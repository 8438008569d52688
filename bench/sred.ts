// What the history of the SR&ED guard costs with 50,000 commits, as a ratio to one `git log` of the same range.
// Limits: 1.3 for the first reading, 0.05 for a commit judged with what is kept.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { historyArguments, historyDays, readHistory } from "../src/sred/ranking/history.js";
import { rankProjects } from "../src/sred/ranking/rank.js";
import { constructedHistory, fastImport } from "../src/testing/sred-history.js";
import { temporary } from "../src/testing/temporary.js";

const most = { cold: 1.3, warm: 0.05 };
const commits = 50_000;
const now = Date.now();
const root = join(temporary("bench-sred"), "project");
execFileSync("git", ["init", "-q", "-b", "main", root]);
// One commit in ten is tagged, as in a repository that does other work too.
const made = constructedHistory(commits, now).map((commit, i) =>
  i % 10 ? { ...commit, message: `${commit.message.split("\n")[0]}\n\nA body of some length, untagged.\n` } : commit,
);
execFileSync("git", ["-C", root, "fast-import", "--quiet"], { input: fastImport(made) });

const file = join(root, ".git", "kept-history.json");
const context = { scope: "cache", paths: ["src/cache/a.ts"], branch: "main", issueKeys: [], now };

/** Processor time of this process and of the git it waited for, in ms: other programs on the machine don't count. */
function spent(): number {
  if (process.platform !== "linux") return Number(process.hrtime.bigint()) / 1e6;
  // After the name in parentheses: utime, stime, cutime and cstime are fields 12 to 15, in hundredths of a second.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

function timed(run: () => unknown): number {
  const start = spent();
  run();
  return spent() - start;
}
const least = (values: readonly number[]): number => Math.min(...values);

const log = historyArguments("HEAD", now - historyDays * 24 * 3_600_000);
const rounds = 7;
const times = { git: [] as number[], cold: [] as number[], warm: [] as number[] };
const judge = () => {
  const history = readHistory({ root, file, now, ms: 120_000 });
  const { projects } = rankProjects(history.commits, context);
  if (!projects.length || history.cut) throw new Error("the history was not read");
  return history.read;
};
for (let i = 0; i < rounds; i++) {
  times.git.push(timed(() => spawnSync("git", ["-C", root, ...log], { maxBuffer: 1 << 30 })));
  rmSync(file, { force: true });
  times.cold.push(timed(() => judge() === "whole"));
  times.warm.push(timed(() => judge() === "kept"));
}
const git = least(times.git);
const ratios = { cold: least(times.cold) / git, warm: least(times.warm) / git };
console.log(`| ${commits} commits | ms of processor | ratio to one git log | limit |\n|---|---|---|---|`);
console.log(`| git log | ${git.toFixed(0)} | 1 | |`);
for (const name of ["cold", "warm"] as const)
  console.log(`| ${name} | ${least(times[name]).toFixed(0)} | ${ratios[name].toFixed(3)} | ${most[name]} |`);
process.exit(ratios.cold > most.cold || ratios.warm > most.warm ? 1 : 0);
