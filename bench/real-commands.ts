// Judges commands that real agents ran, each in a project made for it: how many are refused or asked, how many have an
// unknown effect, and how long one takes. Usage: real-commands.js [corpus.jsonl] [--refused] [--unknown] [--slow]
// Every refusal is judged by hand in real-commands.tsv beside this file (legitimate, routine, false).
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shellEvent } from "../src/cli/commands/explain.js";
import { engineOf, type Opened, open, packsFor } from "../src/hook/open-project.js";
import { analyse } from "../src/shell/index.js";
import { quantile } from "./measure.js";

interface Row {
  command: string;
  cwd: string;
  project: string;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const args = process.argv.slice(2);
const shows = (name: string): boolean => args.includes(`--${name}`);
const corpus = resolve(args.find((word) => !word.startsWith("--")) ?? "../shared/corpus/real-commands.jsonl");
if (!existsSync(corpus)) {
  console.log(`real-commands: no file at ${corpus}; nothing was judged`);
  process.exit(0);
}
// Not below the temporary folder, where much is allowed that is not elsewhere.
// The real path: a project's root is one, and a command's folder is compared with it.
const place = join(realpathSync(root), `.real-commands-${process.pid}`);
const home = join(place, "home");
const rows = readFileSync(corpus, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line.replaceAll("/home/u", home)) as Row);

try {
  const folders = [...new Set(rows.map((row) => row.cwd))];
  for (const cwd of folders) makeFiles(cwd);
  for (const cwd of folders) commitFiles(cwd);
  await judgeAll();
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** The files that the commands of a folder name. */
function makeFiles(cwd: string): void {
  mkdirSync(cwd, { recursive: true });
  const own = rows.filter((row) => row.cwd === cwd);
  for (const { command } of own)
    for (const word of command.matchAll(/(?<![\w@:/.~-])(?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[a-z]{1,5}\b(?![\w(:/*])/g)) {
      const path = join(cwd, word[0]);
      if (/\.env|\.(?:com|io|org|dev|net|git|sock|pem|key)$/.test(word[0]) || existsSync(path)) continue;
      try {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "x\n");
      } catch {
        // One command's file is another's folder.
      }
    }
  // Kept in git by the public project whose commands name it: ports, no secrets.
  if (own.some(({ command }) => command.includes(".env.ports"))) writeFileSync(join(cwd, ".env.ports"), "PORT=3030\n");
  const scripts = new Set(
    own.flatMap(({ command }) => [...command.matchAll(/\brun ([\w:-]+)/g)].map((found) => found[1]!)),
  );
  const known = { build: "tsc", test: "vitest run", lint: "eslint .", dev: "vite", clean: "rm -rf dist" };
  const named = Object.fromEntries([...scripts].map((name) => [name, "tsc --noEmit"]));
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ name: "made", scripts: { ...named, ...known } }));
}

function commitFiles(cwd: string): void {
  if (isInside(cwd)) return;
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.com", ...words], {
      cwd,
      stdio: "ignore",
      env: { PATH: process.env["PATH"], HOME: home },
    });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "made");
  git("switch", "-q", "-c", "work");
}

function isInside(cwd: string): boolean {
  for (let folder = dirname(cwd); folder.startsWith(home); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return true;
  return false;
}

async function judgeAll(): Promise<void> {
  const projects = new Map<string, Opened>();
  const env = { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(place, "state") };
  process.env["HOME"] = home;
  const times: number[] = [];
  const analysing: number[] = [];
  let madeUp = 0;
  const refused: { row: Row; gate: string; outcome: string; what: string }[] = [];
  const unknown: { row: Row; reason: string }[] = [];
  const slow: { row: Row; ms: number }[] = [];
  for (const row of rows) {
    const opened =
      projects.get(row.cwd) ?? (await open(row.cwd, { env, home: join(place, "state"), packageDir: root }));
    projects.set(row.cwd, opened);
    const event = shellEvent(row.command, row.cwd);
    const packs = await packsFor({ ...opened, env }, event.kind);
    const engine = engineOf(opened, packs);
    const readFile = (path: string) => (existsSync(path) && isFile(path) ? readFileSync(path, "utf8") : undefined);
    const around = { cwd: row.cwd, root: opened.repository.root, home, readFile };
    const analysis = analyse(row.command, around);
    // The best of some rounds: a busy machine makes any of them slow.
    analysing.push(Math.min(...[1, 2, 3].map(() => timeOf(() => analyse(row.command, around)))));
    if (analysing.at(-1)! > 100) slow.push({ row, ms: analysing.at(-1)! });
    const start = performance.now();
    const { verdict, facts, judgement } = await engine.explain(event);
    const ms = performance.now() - start;
    times.push(ms);
    const doubt = facts.effects.find((effect) => effect.kind === "unknown");
    if (doubt) unknown.push({ row, reason: doubt.reason });
    else if (analysis.trace.some(({ became }) => /^\w+ script$/.test(became))) madeUp++;
    if (verdict.outcome === "pass") continue;
    const said = judgement.consulted.find(({ gate }) => gate === verdict.gate)?.opinions[0];
    const what = said && "what" in said ? said.what : "";
    refused.push({ row, gate: verdict.gate ?? "", outcome: verdict.outcome, what });
  }
  const share = (n: number) => `${n} (${((100 * n) / rows.length).toFixed(2)} %)`;
  const judged = readJudged();
  const kinds = { legitimate: 0, routine: 0, false: 0, unjudged: 0 };
  for (const { row } of refused) kinds[judged.get(row.command.replaceAll(home, "/home/u")) ?? "unjudged"]++;
  console.log("| | |\n|---|---|");
  console.log(`| commands | ${rows.length} |`);
  console.log(`| refused or asked | ${share(refused.length)}, limit 0.6 % |`);
  for (const [kind, count] of Object.entries(kinds)) console.log(`| of them ${kind} | ${count} |`);
  console.log(`| with an unknown effect | ${share(unknown.length)}, limit 6 % |`);
  console.log(`| known only by a script whose text was made up here | ${share(madeUp)} |`);
  const spread = (ms: number[]) =>
    `${quantile(ms, 0.5).toFixed(2)}, ${quantile(ms, 0.99).toFixed(2)}, ${Math.max(...ms).toFixed(1)}`;
  console.log(`| ms of the whole judgement, with git: p50, p99, max | ${spread(times)} |`);
  console.log(`| ms of the analysis alone: p50, p99, max | ${spread(analysing)}, limit 100 |`);
  const text = (row: Row) => JSON.stringify(row.command.replaceAll(home, "/home/u").slice(0, 400));
  if (shows("refused"))
    for (const { row, outcome, gate, what } of refused) console.log(`${outcome}\t${gate}\t${what}\t${text(row)}`);
  if (shows("unknown")) for (const { row, reason } of unknown) console.log(`unknown\t${reason}\t${text(row)}`);
  if (shows("slow")) for (const { row, ms } of slow) console.log(`slow\t${ms.toFixed(0)}\t${text(row)}`);
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function isFile(path: string): boolean {
  return statSync(path).isFile();
}

type Kind = "legitimate" | "routine" | "false";

function readJudged(): Map<string, Kind> {
  const file = join(root, "bench", "real-commands.tsv");
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const [kind, command] = line.split("\t");
      return [JSON.parse(command!) as string, kind as Kind];
    }),
  );
}
