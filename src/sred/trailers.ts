// The trailers of a commit message: git's own block in the last paragraph, and trailer-shaped SR&ED lines in the body.
// Invariant: what `git interpret-trailers --parse` finds is found here with the same value.

export interface Trailer {
  /** In lower case: git compares keys without case. */
  key: string;
  value: string;
  /** In git's own trailer block; otherwise a line of the body that looks like one. */
  inBlock: boolean;
}

const trailerLine = /^([A-Za-z0-9-]+)[ \t]*:(.*)$/;
const sredLine = /^(SRED-[A-Za-z-]+)[ \t]*:(.*)$/i;
/** Lines git writes itself: with one of them, a block may hold other lines as well. */
const gitMade = /^(?:Signed-off-by: |\(cherry picked from commit )/;
const known =
  /^(?:SRED-[\w-]+|[\w-]+-by|Refs?|Fixes|Closes|Resolves|Issue|Change-Id|Link|Interlock-[\w-]+|Intent)[ \t]*:/i;

/** A line that ends the text before it: it belongs to a trailer, wherever it stands. */
export const isTrailerLine = (line: string): boolean => known.test(line);

export function trailersOf(message: string): Trailer[] {
  const lines = message.replace(/\r\n?/g, "\n").split("\n");
  const start = blockStart(lines);
  const found: Trailer[] = [];
  for (const [i, line] of lines.entries()) {
    if (i >= start) {
      const last = found.at(-1);
      if (/^[ \t]/.test(line) && last?.inBlock) {
        last.value = `${last.value} ${line.trim()}`.trim();
        continue;
      }
    }
    const match = (i >= start ? trailerLine : sredLine).exec(line);
    if (match) found.push({ key: match[1]!.toLowerCase(), value: match[2]!.trim(), inBlock: i >= start });
  }
  return found;
}

/** The index of the first line of git's trailer block; the number of lines where there is none. */
export function blockStart(lines: readonly string[]): number {
  let end = lines.length;
  while (end > 0 && lines[end - 1]!.trim() === "") end--;
  let start = end;
  while (start > 0 && lines[start - 1]!.trim() !== "") start--;
  // The first paragraph is the title, never trailers.
  if (lines.slice(0, start).every((line) => line.trim() === "")) return lines.length;
  let trailers = 0;
  let others = 0;
  let made = false;
  let continues = false;
  for (const line of lines.slice(start, end)) {
    if (gitMade.test(line)) made = true;
    if (gitMade.test(line) || trailerLine.test(line)) {
      trailers++;
      continues = true;
    } else if (/^[ \t]/.test(line) && continues) continue;
    else {
      others++;
      continues = false;
    }
  }
  if (trailers > 0 && (others === 0 || (made && trailers * 3 >= others))) return start;
  return lines.length;
}
