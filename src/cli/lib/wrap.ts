// Lines for a terminal of any width. Invariant: without a terminal nothing is broken, so that scripts see whole lines.

/** Columns of the terminal; undefined where there is none. */
export const terminalWidth = (): number | undefined =>
  process.stdout.isTTY ? Math.max(40, process.stdout.columns || 80) : undefined;

const colour = /\u001b\[\d+m/g;
const widthOf = (text: string): number => text.replace(colour, "").length;

/** Breaks at blanks; continued lines start below the text, behind `indent` blanks. A longer word stays whole. */
export function wrapLine(text: string, indent = 0, width = terminalWidth()): string {
  if (width === undefined || widthOf(text) <= width) return text;
  const start = /^ */.exec(text)![0];
  const lines: string[] = [];
  let line = start;
  let empty = true;
  for (const word of text.slice(start.length).split(" ")) {
    if (!empty && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line.trimEnd());
      line = " ".repeat(indent) + word;
    } else line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join("\n");
}

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
