// Lines for a terminal of any width. Invariant: without a terminal nothing is broken, so that scripts see whole lines.

/** Columns of the terminal; undefined where there is none. */
export const terminalWidth = (): number | undefined => widthAt(process.stdout);
const errorWidth = (): number | undefined => widthAt(process.stderr);

const widthAt = ({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number | undefined =>
  isTTY ? Math.max(40, columns || 80) : undefined;

const colour = /\u001b\[\d+m/g;
const widthOf = (text: string): number => text.replace(colour, "").length;

/** Text in backquotes, and commands with their arguments: people copy them, so they stay whole. */
const takesWord =
  "enable|preset|config|help|why|allow|open|completion|trace|sred|lifecycle|intent|discipline|loop|init";
const toCopy = new RegExp(
  [
    "`[^`]*`\\S*",
    `(?:interlock|npx \\S+) (?:(?:${takesWord}) [a-z][a-z.-]*|[a-z-]+)(?: (?:-\\S+(?: (?:"[^"]*"|\\S+))?|v-\\d+))*\\S*`,
    "(?:npm install|git [a-z-]+)(?: -\\S+)* \\S+",
    "\\S+",
  ].join("|"),
  "g",
);

/**
 * Breaks at blanks; continued lines start below the text, behind `indent` blanks and at most half the width. A longer
 * word stays whole.
 */
export function wrapLine(text: string, indent = 0, width = terminalWidth()): string {
  if (width === undefined || widthOf(text) <= width) return text;
  const lines: string[] = [];
  let line = "";
  let end = 0;
  for (const { 0: word, index } of text.matchAll(toCopy)) {
    const gap = text.slice(end, index);
    end = index + word.length;
    const fits = widthOf(line) + gap.length + widthOf(word) <= width;
    if (fits || !line.trim()) line += gap + word;
    else {
      lines.push(line);
      line = " ".repeat(Math.min(indent, Math.floor(width / 2))) + word;
    }
  }
  return [...lines, line].join("\n");
}

/** Each line of a text, broken below its last column where it is a row of a table, else behind `indent` blanks. */
export function wrapText(text: string, indent?: number, width = terminalWidth()): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => wrapLine(line, indent ?? columnOf(line, width), width))
    .join("\n");
}

/** Where the last column of a row begins. A text without columns continues two blanks further in than it began. */
function columnOf(line: string, width: number): number {
  const plain = line.replace(colour, "");
  const ends = [...plain.matchAll(/\S {2,}(?=\S)/g)].map((gap) => gap.index + gap[0].length);
  const last = ends.findLast((end) => end <= width / 2);
  return last ?? /^ */.exec(plain)![0].length + 2;
}

/** Prints text for people, wrapped. Data (JSON, differences, files to save) goes through `console.log`, as it is. */
export function say(text: string, indent?: number): void {
  console.log(wrapText(text, indent));
}

/** The same on standard error. */
export function sayError(text: string, indent?: number): void {
  console.error(wrapText(text, indent, errorWidth()));
}

/** A message, and below it the usage text of the command. */
export const sayUsageError = (text: string): void => console.error(wrapUsage(text, errorWidth()));

/**
 * A usage text for a narrower screen than it was written for. Lines that continue an entry are joined to it and broken
 * anew below its text; lists of commands stay as they are.
 */
export function wrapUsage(text: string, width = terminalWidth()): string {
  if (width === undefined) return text;
  const entries: { line: string; hang: number; last: string }[] = [];
  for (const line of text.split("\n")) {
    const before = entries.at(-1);
    const [, blanks = "", first = ""] = /^( *)(\S*)/.exec(line) ?? [];
    const full = before !== undefined && before.last.length + 1 + first.length > 95;
    const synopsis = before !== undefined && isSynopsis(before.line) && first.startsWith("[");
    const continues = full && blanks.length === before?.hang && !/\S {2,}\S/.test(line);
    if (before && first && (synopsis || continues)) {
      before.line += ` ${line.trim()}`;
      before.last = line;
    } else entries.push({ line, hang: hangOf(line), last: line });
  }
  return entries.map(({ line, hang }) => wrapEntry(line, hang, width)).join("\n");
}

const isSynopsis = (line: string): boolean => /^(?:Usage:| {7}) ?(?:interlock )/.test(line);

/** What stands in brackets is one option with its values. */
const wrapEntry = (line: string, hang: number, width: number): string =>
  isSynopsis(line)
    ? wrapLine(
        line.replace(/\[[^\]]*\]/g, (option) => option.replaceAll(" ", "\u0001")),
        9,
        width,
      ).replaceAll("\u0001", " ")
    : wrapLine(line, hang, width);

/** Where the text of an entry begins: behind an option or a name and at least two blanks. */
const hangOf = (line: string): number =>
  line.startsWith("Usage: ") ? 9 : (/^ +\S.*? {2,}(?=\S)/.exec(line) ?? /^ */.exec(line)!)[0].length;
