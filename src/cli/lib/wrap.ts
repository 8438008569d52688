// Lines for a terminal of any width. Invariant: without a terminal nothing is broken, so that scripts see whole lines.

/** Columns of the terminal; undefined where there is none. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? Math.max(40, process.stdout.columns || 80) : undefined;

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

/** Breaks at blanks; continued lines start below the text, behind `indent` blanks. A longer word stays whole. */
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
      line = " ".repeat(indent) + word;
    }
  }
  return [...lines, line].join("\n");
}

/** Prints a line of text, wrapped. */
export function say(text: string, indent = 0): void {
  console.log(wrapLine(text, indent));
}

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
    if (before && first && full && blanks.length === before.hang && !/\S {2,}\S/.test(line)) {
      before.line += ` ${line.trim()}`;
      before.last = line;
    } else entries.push({ line, hang: hangOf(line), last: line });
  }
  return entries.map(({ line, hang }) => wrapLine(line, hang, width)).join("\n");
}

/** Where the text of an entry begins: behind an option or a name and at least two blanks. */
const hangOf = (line: string): number =>
  line.startsWith("Usage: ") ? 9 : (/^ +\S.*? {2,}(?=\S)/.exec(line) ?? /^ */.exec(line)!)[0].length;

/** Cut to the terminal's width, for lists in which each line counts. */
export function cutLine(text: string, width = terminalWidth()): string {
  if (width === undefined || widthOf(text) <= width) return text;
  let room = width - 1;
  const kept = text.split(/(\u001b\[\d+m)/).map((part) => {
    if (part.startsWith("\u001b")) return part;
    const shown = part.slice(0, Math.max(0, room));
    room -= part.length;
    return shown;
  });
  return `${kept.join("")}…`;
}
