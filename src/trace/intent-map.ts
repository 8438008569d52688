// intent_map.md as a pure text edit: a section per intent with the files and symbols it touched. Invariant: everything
// else stays byte for byte, hand-written text in a section included; adding the same twice changes nothing.
import { inert } from "../model/text.js";

export interface MappedFile {
  path: string;
  symbols: string[];
}

const title = "# Intent Map";
const mostSymbols = 200;

export function addToIntentMap(
  text: string | undefined,
  intent: { id: string; name?: string },
  files: readonly MappedFile[],
): string {
  const end = text?.includes("\r\n") ? "\r\n" : "\n";
  const lines = text?.trim() ? text.split(/\r?\n/) : [title, ""];
  const [start, stop] = sectionOf(lines, intent.id);
  if (start < 0) {
    while (lines.length && !lines.at(-1)!.trim()) lines.pop();
    lines.push("", headingOf(intent), "", ...bullets(merged([], files)), "");
    return lines.join(end);
  }
  const section = lines.slice(start + 1, stop);
  const known = section.flatMap((line) => readBullet(line) ?? []);
  const wanted = bullets(merged(known, files));
  const heading = intent.name && plainHeading(lines[start]!) === intent.id ? headingOf(intent) : lines[start]!;
  lines.splice(start, stop - start, heading, ...replaceBullets(section, wanted));
  return lines.join(end);
}

/** Line of the intent's heading and the line after its section; -1: there is none. */
function sectionOf(lines: readonly string[], id: string): [number, number] {
  let fenced = false;
  let start = -1;
  for (const [i, line] of lines.entries()) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || !/^##?\s/.test(line)) continue;
    if (start >= 0) return [start, i];
    if (/^##\s/.test(line) && idOf(plainHeading(line)) === shownId(id)) start = i;
  }
  return [start, lines.length];
}

const plainHeading = (line: string): string =>
  line
    .replace(/^#+\s+/, "")
    .replace(/\s+#*\s*$/, "")
    .trimEnd();
const idOf = (heading: string): string => (heading.split(/:\s/)[0] ?? "").replace(/:$/, "").trim();
const shownId = (id: string): string => inert(id, 100).replace(/\s+/g, " ").trim();
const headingOf = ({ id, name }: { id: string; name?: string }): string =>
  `## ${shownId(id)}${name?.trim() ? `: ${inert(name.replace(/\s+/g, " ").trim(), 200)}` : ""}`;

/** Puts the list where the old one stood; after the heading and its text where there was none. */
function replaceBullets(section: readonly string[], wanted: readonly string[]): string[] {
  const kept: string[] = [];
  let place = -1;
  for (const line of section) {
    if (!readBullet(line)) kept.push(line);
    else if (place < 0) place = kept.length;
  }
  if (place >= 0) return [...kept.slice(0, place), ...wanted, ...kept.slice(place)];
  const body = [...kept];
  const tail: string[] = [];
  while (body.length && !body.at(-1)!.trim()) tail.unshift(body.pop()!);
  return [...body, "", ...wanted, ...(tail.length ? tail : [""])];
}

function merged(known: readonly MappedFile[], added: readonly MappedFile[]): MappedFile[] {
  const all = new Map<string, Set<string>>();
  for (const { path, symbols } of [...known, ...added]) {
    const names = all.get(path) ?? new Set<string>();
    for (const symbol of symbols) names.add(symbol);
    all.set(path, names);
  }
  return [...all]
    .map(([path, names]) => ({ path, symbols: [...names].sort(byCode).slice(0, mostSymbols) }))
    .sort((a, b) => byCode(a.path, b.path));
}

const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const bullets = (files: readonly MappedFile[]): string[] =>
  files.map(({ path, symbols }) => `- ${quoted(path)}${symbols.length ? `: ${symbols.map(quoted).join(", ")}` : ""}`);

/** As code in Markdown: with more backticks around it than it has inside, and on one line. */
function quoted(text: string): string {
  const shown = inert(text, 1_000);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$/.test(shown) || longest ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A line of the list, or undefined: somebody's own words. */
function readBullet(line: string): MappedFile | undefined {
  const found = /^[-*] (.*?)\s*$/.exec(line);
  if (!found) return undefined;
  const names: string[] = [];
  let rest = found[1]!;
  for (;;) {
    const code = /^(`+)(.*?[^`])\1(?!`)/.exec(rest);
    if (!code) return undefined;
    names.push(code[2]!.includes("`") ? code[2]!.trim() : code[2]!);
    rest = rest.slice(code[0].length);
    if (!rest) return { path: names[0]!, symbols: names.slice(1) };
    const separator = names.length === 1 ? /^:\s+/.exec(rest) : /^,\s+/.exec(rest);
    if (!separator) return undefined;
    rest = rest.slice(separator[0].length);
  }
}
