// The difference of two small texts, as `diff -u` writes it.
// Invariant: applying it to the first text gives the second; equal texts give an empty string.

type Line = [mark: " " | "-" | "+", text: string];

export function unifiedDiff(before: string, after: string, file: string, context = 3): string {
  if (before === after) return "";
  const lines = lineDiff(split(before), split(after));
  const out = [`--- ${before === "" ? "/dev/null" : file}`, `+++ ${after === "" ? "/dev/null" : file}`];
  for (const [from, to] of hunks(lines, context)) {
    const part = lines.slice(from, to);
    out.push(`@@ -${range(lines, from, part, "+")} +${range(lines, from, part, "-")} @@`);
    for (const [mark, text] of part) {
      out.push(mark + text.replace(/\n$/, ""));
      if (!text.endsWith("\n")) out.push("\\ No newline at end of file");
    }
  }
  return `${out.join("\n")}\n`;
}

const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function range(lines: Line[], from: number, part: Line[], other: "+" | "-"): string {
  const start = lines.slice(0, from).filter(([mark]) => mark !== other).length;
  const count = part.filter(([mark]) => mark !== other).length;
  return `${count ? start + 1 : start},${count}`;
}

function hunks(lines: Line[], context: number): [number, number][] {
  const found: [number, number][] = [];
  lines.forEach(([mark], i) => {
    if (mark === " ") return;
    const [from, to] = [Math.max(0, i - context), Math.min(lines.length, i + context + 1)];
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  });
  return found;
}

/** Longest common subsequence between what the texts begin and end with in common; whole replacement where that is too large. */
function lineDiff(a: string[], b: string[]): Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const [x, y] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const same = (line: string): Line => [" ", line];
  const middle: Line[] =
    x.length * y.length > 4_000_000
      ? [...x.map((line): Line => ["-", line]), ...y.map((line): Line => ["+", line])]
      : common(x, y);
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

function common(x: string[], y: string[]): Line[] {
  const width = y.length + 1;
  const length = new Uint32Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      length[i * width + j] =
        x[i] === y[j]
          ? length[(i + 1) * width + j + 1]! + 1
          : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
  const out: Line[] = [];
  let [i, j] = [0, 0];
  while (i < x.length || j < y.length) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      out.push([" ", x[i]!]);
      i++;
      j++;
    } else if (j >= y.length || (i < x.length && length[(i + 1) * width + j]! >= length[i * width + j + 1]!))
      out.push(["-", x[i++]!]);
    else out.push(["+", y[j++]!]);
  }
  return out;
}
