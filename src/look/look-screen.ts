// A look on a terminal: the first screen, and the cases of one of its lines.
// Invariant: the first screen has at most 24 lines of at most 80 columns, colour not counted.

import { counted } from "../model/text.js";
import type { LookCase } from "./findings.js";
import { dayOf, type LookLine, type LookReport } from "./look-report.js";

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
}

const width = 80;
const gateLines = 4;

export function firstScreen(report: LookReport, paint: Paint, command: string): string[] {
  const { incidents, refusals, suggestion } = report;
  const shown = refusals.slice(0, refusals.length > gateLines + 1 ? gateLines : gateLines + 1);
  const rest = refusals.slice(shown.length);
  const more = rest.length
    ? [paint.dim(`    and ${counted(sum(rest), "case")} of ${counted(rest.length, "other gate")}, ${numbersOf(rest)}`)]
    : [];
  const none = refusals.length ? [] : [paint.green("    nothing")];
  return [
    paint.bold(headline(report)),
    paint.dim(footnote(report)),
    "",
    heading("What happened", paint),
    ...incidents.map((line) => row(line, paint)),
    "",
    heading("Interlock would have refused, with every gate enforced", paint),
    ...shown.map((line) => row(line, paint)),
    ...more,
    ...none,
    "",
    paint.bold("Suggested configuration") + paint.dim(` (as interlock.yaml: ${command} --suggest)`),
    ...wrapped(suggestion.inWords, width - 4, 3).map((line) => `    ${line}`),
    `${paint.bold("See the cases:")} ${command} --case ${firstWith(report)}, or as a page: --html look.html`,
    `${paint.bold("Switch it on: ")} ${command.replace(/ look$/, "")} init`,
  ];
}

function wrapped(text: string, columns: number, most: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1)!;
    if (last && last.length + word.length + 1 > columns) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, columns - 2)} …`];
}

const sum = (lines: readonly LookLine[]): number => lines.reduce((n, line) => n + line.count + line.doubtful, 0);
const numbersOf = (lines: readonly LookLine[]): string =>
  lines.length === 1 ? `number ${lines[0]!.number}` : `numbers ${lines[0]!.number} to ${lines.at(-1)!.number}`;
const firstWith = ({ incidents, refusals }: LookReport): number =>
  [...incidents, ...refusals].find((line) => line.count)?.number ?? 1;

function headline({ sessions, calls, from, to }: LookReport): string {
  const span = from ? `, ${dayOf(from)}${dayOf(to) === dayOf(from) ? "" : ` to ${dayOf(to)}`}` : "";
  return `${counted(sessions, "session")}, ${counted(calls, "call")}${span}`;
}

function footnote({ skipped }: LookReport): string {
  const files = skipped.unknownFormat + skipped.failed.length;
  const passed = files ? ` ${counted(files, "file")} of other formats skipped.` : "";
  return `Read only: nothing installed, written or sent.${passed}`.slice(0, width);
}

const heading = (text: string, paint: Paint): string =>
  `${paint.bold(text.padEnd(58))}${paint.dim("cases  maybe  sessions")}`;

function row({ number, id, title, count, doubtful, sessions, tokens }: LookLine, paint: Paint): string {
  const name = id.includes("/") ? `${id.split("/")[1]!.padEnd(16)} ${title}` : title;
  const label = tokens ? `${name.slice(0, 43)} (${Math.round(tokens / 1000)}k)` : name;
  const cut = label.length > 53 ? `${label.slice(0, 52)}…` : label.padEnd(53);
  const figure = String(count).padStart(5);
  const paints = count ? paint.red : paint.green;
  const maybe = String(doubtful || "").padStart(7);
  const touched = String(sessions || "").padStart(10);
  return `${String(number).padStart(3)} ${cut} ${paints(figure)}${paint.dim(`${maybe}${touched}`)}`;
}

/** The cases behind one number. */
export function caseScreen(line: LookLine, paint: Paint, most: number): string[] {
  const { title, cases, count, doubtful } = line;
  const name = line.id.includes("/") ? `${line.id}: ${title}` : title;
  const out = [
    paint.bold(`${line.number}  ${name}`),
    `${counted(count, "case")}, ${doubtful} more may be a false alarm`,
  ];
  for (const found of cases.slice(0, most)) out.push("", ...caseLines(found, paint));
  if (cases.length > most) out.push("", paint.dim(`${cases.length - most} more: --limit ${cases.length}, or --json`));
  return out;
}

function caseLines(found: LookCase, paint: Paint): string[] {
  const { file, line, time, what, why, doubt, times, agent } = found;
  const when = time ? `${dayOf(time)}, ` : "";
  const by = agent === undefined ? "" : ", by a sub-agent";
  const again = times > 1 ? ` (${times} times)` : "";
  return [
    `  ${what}${again}`,
    `    ${why}`,
    ...(doubt === undefined ? [] : [`    ${paint.green(`maybe not: ${doubt}`)}`]),
    paint.dim(`    ${when}${file}:${line}${by}`),
  ];
}
