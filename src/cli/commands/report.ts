// interlock report: the daily report, and the entry that runs it every day.

import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { shellQuote } from "../../model/shell-quote.js";
import { replaceFile } from "../../project/replace-file.js";
import { makeDailyReport, ReportNotWritten } from "../../report/daily.js";
import { readKeys } from "../../report/keys.js";
import { defaultReportConfig, ReportConfigError, readReportConfig } from "../../report/report-config.js";
import { ReportIsRunning } from "../../report/report-lock.js";
import { type Scheduler, scheduleFor, schedulers } from "../../report/schedule.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock report daily [--config <file>] [--out <folder>] [--json]
       interlock report daily --install-schedule [launchd|systemd|cron] [--at HH:MM] [--write]

Writes daily_report.md and daily_report.html: executive summary, revenue, downloads, website traffic, GitHub, customer
intel, health, git status. Each source is optional and has 30 seconds; what is not available is said in its section.
The last report is kept as reports/<date>.md.

  --config <file>      the configuration (~/.config/interlock/report.yaml)
  --out <folder>       where the report goes, instead of \`out\` in the configuration
  --install-schedule   prints the entry that runs the report every day; with --write it writes the files
  --at HH:MM           when (19:00)
  --json
`;

const spec = {
  config: "text",
  out: "text",
  "install-schedule": "flag",
  at: "text",
  write: "flag",
  json: "flag",
} as const;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [kind, scheduler] = words;
  if (kind === undefined) throw new UsageError(`say which report\n${usage}`);
  if (kind !== "daily") throw unknownWord("unknown report", kind, ["daily"], usage);
  atMost(words, values["install-schedule"] ? 2 : 1, usage);
  const when = values["install-schedule"] ? readSchedule(scheduler, values.at) : undefined;
  for (const name of ["at", "write"] as const)
    if (values[name] !== undefined && !when)
      throw new UsageError(`--${name} belongs to --install-schedule: add it, or leave --${name} out\n${usage}`);
  const file = resolve(values.config ?? defaultReportConfig(process.env));
  try {
    const config = readReportConfig(file, process.env);
    if (values.out !== undefined) config.out = resolve(values.out);
    if (when) return schedule(when, file, config.out, values);
    const keys = readKeys(config.keys, process.env);
    const made = await withProgress("asking the sources", (line) => {
      const progress = (title: string) =>
        process.stderr.isTTY ? line.step(`asked: ${title}`) : sayError(`  ${title}`);
      return makeDailyReport(config, keys, { now: new Date(), progress });
    });
    const problems = made.report.sections.flatMap(({ title, problems }) => problems.map((p) => `${title}: ${p}`));
    if (values.json) printJson({ ...made.report, file: made.file, archived: made.archived, problems });
    else say(made.file);
    for (const problem of problems) sayError(`not available: ${problem}`);
    return 0;
  } catch (error) {
    if (!(error instanceof ReportConfigError || error instanceof ReportIsRunning || error instanceof ReportNotWritten))
      throw error;
    sayError(`interlock: ${error.message}`);
    return 1;
  }
}

interface When {
  scheduler: Scheduler;
  hour: number;
  minute: number;
}

function readSchedule(given: string | undefined, at = "19:00"): When {
  const usual: Scheduler = process.platform === "darwin" ? "launchd" : existsSync("/run/systemd") ? "systemd" : "cron";
  const kind = given ?? usual;
  if (!(schedulers as readonly string[]).includes(kind))
    throw unknownWord("unknown scheduler", kind, schedulers, usage);
  const time = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(at);
  if (!time) throw new UsageError(`--at takes a time such as 19:00, not "${at}"\n${usage}`);
  return { scheduler: kind as Scheduler, hour: Number(time[1]), minute: Number(time[2]) };
}

function schedule(
  { scheduler, hour, minute }: When,
  config: string,
  out: string,
  values: { out?: string; write?: boolean; json?: boolean },
): number {
  const home = process.env["HOME"] || homedir();
  const program = [process.execPath, resolve(process.argv[1] ?? "interlock")];
  const made = scheduleFor(scheduler, {
    command: [...program, "report", "daily", "--config", config, ...(values.out === undefined ? [] : ["--out", out])],
    path: process.env["PATH"] ?? "",
    hour,
    minute,
    home,
    configHome: process.env["XDG_CONFIG_HOME"] || join(home, ".config"),
    log: join(out, "daily_report.log"),
  });
  const { files } = made;
  // Nothing writes a log into a folder that is not there: the entry would never run.
  if (values.write && files.length) mkdirSync(out, { recursive: true });
  const nextSteps = existsSync(out) ? made.nextSteps : [`mkdir -p ${shellQuote(out)}`, ...made.nextSteps];
  if (values.write) for (const { path, text } of files) replaceFile(path, text);
  if (values.json) {
    printJson({ scheduler, files, nextSteps, written: values.write === true });
    return 0;
  }
  for (const { path, text } of files) console.log(values.write ? `wrote ${path}` : `# ${path}\n${text}`);
  if (files.length && !values.write) say(`# Write ${files.length > 1 ? "them" : "it"} with --write, then run:`);
  for (const line of nextSteps) console.log(line);
  if (values.write && !files.length) sayError("nothing was written: a crontab is changed with crontab -e");
  return 0;
}
