// interlock look: what recorded sessions would have looked like under Interlock. Needs no installation.
// Invariant: reads only, and writes nothing but the page that --html names; nothing leaves the machine.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { interlockHome, userConfigFile, userHomeOf } from "../../hook/folders.js";
import { type BacktestOptions, backtest } from "../../look/backtest.js";
import { type LookReport, lookReport } from "../../look/look-report.js";
import { caseScreen, firstScreen } from "../../look/look-screen.js";
import { replaceFile } from "../../project/replace-file.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { bold, dim, green, red } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock look [transcript or folder ...] [--case <n> | --suggest | --json] [--html <file>]

Replays recorded Claude Code sessions through every gate and shows what happened and what would have been
refused. Reads only; works without an installation. Without a path: all sessions in ~/.claude/projects.

  --case <n>     the cases behind one number of the first screen
  --limit <n>    how many of them (default 20)
  --suggest      the suggested interlock.yaml and the reasons for it
  --json         everything, as JSON
  --html <file>  everything, as one page that opens anywhere
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    { case: "text", limit: "text", suggest: "flag", json: "flag", html: "text", home: "text" },
    usage,
    "words",
  );
  const number = wholeNumber("--case", values.case);
  const limit = wholeNumber("--limit", values.limit) ?? 20;
  const paths = words.length ? words.map(existing) : [defaultFolder()];
  const report = await withProgress("looking for transcripts", async (line) => {
    const progress = ({ files, of, bytes, ofBytes }: { files: number; of: number; bytes: number; ofBytes: number }) => {
      line.step(`${files} of ${of} transcripts`);
      line.at(bytes, ofBytes);
    };
    return lookReport(await backtest({ paths, userHome: userHomeOf(process.env), ...config(values.home), progress }));
  });
  if (!report.sessions) {
    const files = report.skipped.unknownFormat;
    const others = files ? ` (${files} files of another format)` : "";
    sayError(
      `No recorded session of Claude Code in ${paths.join(", ")}${others}.\n` +
        "Name a folder with transcripts: interlock look <folder>",
    );
    return 1;
  }
  for (const problem of report.problems) sayError(problem);
  if (values.html !== undefined) await writePage(values.html, report);
  if (values.json) printJson(report);
  else if (number !== undefined) showCases(report, number, limit);
  else if (values.suggest) showSuggestion(report);
  else for (const line of firstScreen(report, { bold, dim, green, red }, command())) say(line);
  return 0;
}

function defaultFolder(): string {
  const folder = join(process.env["CLAUDE_CONFIG_DIR"] || join(userHomeOf(process.env), ".claude"), "projects");
  if (existsSync(folder)) return folder;
  throw new UsageError(`${folder} does not exist: name a folder with transcripts of Claude Code\n${usage}`);
}

function existing(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })) return path;
  throw new UsageError(`${path} does not exist: name a transcript or a folder of them`);
}

function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`${option} takes a number, as the first screen shows it\n${usage}`);
}

function config(home: string | undefined): Pick<BacktestOptions, "config"> {
  const name = userConfigFile(process.env, interlockHome(process.env, home));
  return existsSync(name) ? { config: { name, text: readFileSync(name, "utf8") } } : {};
}

function showCases({ incidents, refusals }: LookReport, number: number, limit: number): void {
  const line = [...incidents, ...refusals].find((l) => l.number === number);
  if (!line) throw new UsageError(`--case ${number}: the numbers go from 1 to ${incidents.length + refusals.length}`);
  for (const text of caseScreen(line, { bold, dim, green, red }, limit)) say(text);
}

function showSuggestion({ suggestion }: LookReport): void {
  for (const reason of suggestion.reasons) console.log(`# ${reason}`);
  for (const line of suggestion.yaml) console.log(line);
}

async function writePage(file: string, report: LookReport): Promise<void> {
  const { lookPage } = await import("../../look/look-page.js");
  replaceFile(file, lookPage(report), 0o600);
  sayError(`Wrote ${file}`);
}

/** How the person started it, for the commands that are suggested. */
const command = (): string => (process.env["npm_command"] === "exec" ? "npx agent-interlock look" : "interlock look");
