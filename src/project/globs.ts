// Globs over relative paths: `*`, `?`, `[a-z]`, `**`, `{a,b}`, a leading `!` to take back.
// Invariant: matching costs at most pattern length times path length, whatever the pattern: globs also come from cloned
// repositories. That is why it is our own; picomatch, which can backtrack, is its oracle in tests.

export class GlobError extends Error {}

export interface GlobOptions {
  /** `*` and `**` match names that begin with a dot. True unless told: a scope of files means all of them. */
  dot?: boolean;
}

type Token = { any: "one" | "star" } | { char: string } | { set: [string, string][]; not: boolean };
/** A whole segment: a fixed text, a token list, or any number of segments. */
export type Segment = string | Token[] | "**";
interface Pattern {
  negated: boolean;
  segments: Segment[];
}

const MAX_LENGTH = 1_000;
const MAX_ALTERNATIVES = 256;

/**
 * Checks a glob and expands its braces; the answer is a plain string to keep in compiled configuration.
 * A glob is anchored at the root it is matched from: `*.ts` means the top folder only. `dir/` and `dir/**` mean the
 * folder and everything in it.
 */
export function compileGlob(glob: string): string {
  if (glob.length > MAX_LENGTH) throw new GlobError(`glob longer than ${MAX_LENGTH} characters`);
  const negated = glob.startsWith("!");
  const body = glob.slice(negated ? 1 : 0);
  if (!body.trim()) throw new GlobError("empty glob");
  if (/[\0\n]/.test(body)) throw new GlobError("a glob can't hold a line break or a NUL");
  const group = /(?<!\\)[@!?+*]\(/.exec(glob);
  if (group) throw new GlobError(`"${group[0]}" groups are not supported; write alternatives as {a,b}`);
  return expandGlobBraces(body)
    .map((one) => one.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "/**"))
    .map((one) => (negated ? `!${one}` : one.replace(/^!/, "\\!")))
    .join("\n");
}

/** Recent answers per list: one event asks about the same path several times, and agents return to the same files. */
const answers = new WeakMap<readonly string[], { length: number; known: Map<string, boolean> }>();
const answersKept = 300;

/** The last glob that matches decides; a path no glob matches is not matched. */
export function matchCompiled(compiled: readonly string[], path: string, options?: GlobOptions): boolean {
  if (options) return matchAnew(compiled, path, options);
  let list = answers.get(compiled);
  if (list?.length !== compiled.length) answers.set(compiled, (list = { length: compiled.length, known: new Map() }));
  const { known } = list;
  let is = known.get(path);
  if (is !== undefined) return is;
  is = matchAnew(compiled, path, {});
  if (known.size >= answersKept) known.clear();
  known.set(path, is);
  return is;
}

function matchAnew(compiled: readonly string[], path: string, options: GlobOptions): boolean {
  const names = path.split("/").filter((n) => n !== "" && n !== ".");
  const needed = needs(compiled);
  for (let i = compiled.length - 1; i >= 0; i--) {
    if (!plausible(needed[i]!, names)) continue;
    const patterns = parsed(compiled[i]!);
    if (patterns.some((p) => matchNames(p.segments, names, options))) return !patterns[0]!.negated;
  }
  return false;
}

/** For each glob the names one of which a path must hold; undefined where there are none to go by. */
const needed = new WeakMap<readonly string[], (readonly string[] | undefined)[]>();

function needs(compiled: readonly string[]): (readonly string[] | undefined)[] {
  const known = needed.get(compiled);
  if (known?.length === compiled.length) return known;
  const made = compiled.map(fixedNames);
  needed.set(compiled, made);
  return made;
}

function plausible(fixed: readonly string[] | undefined, names: readonly string[]): boolean {
  if (!fixed) return true;
  for (const name of fixed) if (names.includes(name)) return true;
  return false;
}

/** One-off form of the two above. */
export function matchGlob(glob: string, path: string, options?: GlobOptions): boolean {
  return matchCompiled([compileGlob(glob)], path, options);
}

/**
 * The last fixed name of each alternative ("x" of "a/x", "x" of "**\/x/**"). A glob none of whose names occurs need not
 * be parsed.
 */
function fixedNames(compiled: string): string[] | undefined {
  const names: string[] = [];
  for (let from = 0; from < compiled.length; ) {
    const cut = compiled.indexOf("\n", from);
    let to = cut < 0 ? compiled.length : cut;
    const next = to + 1;
    if (compiled.startsWith("/**", to - 3) && to - 3 > from) to -= 3;
    const fixed = compiled.slice(Math.max(from, compiled.lastIndexOf("/", to - 1) + 1), to);
    if (!isFixed(fixed)) return undefined;
    names.push(fixed);
    from = next;
  }
  return names;
}

const isFixed = (name: string): boolean =>
  name !== "" &&
  name !== "." &&
  !name.includes("*") &&
  !name.includes("?") &&
  !name.includes("[") &&
  !name.includes("\\") &&
  !name.includes("!");

const cache = new Map<string, Pattern[]>();

function parsed(compiled: string): Pattern[] {
  const known = cache.get(compiled);
  if (known) return known;
  const patterns = compiled.split("\n").map((line) => {
    const negated = line.startsWith("!");
    return { negated, segments: parsePattern(line.slice(negated ? 1 : 0)) };
  });
  if (cache.size > 2_000) cache.clear();
  cache.set(compiled, patterns);
  return patterns;
}

/** One pattern without braces; nothing in it is an error. */
export function parsePattern(text: string): Segment[] {
  return text
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .map(parseSegment);
}

function parseSegment(text: string): Segment {
  if (text === "**") return "**";
  if (!/[*?[\\]/.test(text)) return text;
  const tokens: Token[] = [];
  const chars = [...text];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!;
    const previous = tokens.at(-1);
    if (char === "\\" && i + 1 < chars.length) tokens.push({ char: chars[++i]! });
    else if (char === "?") tokens.push({ any: "one" });
    else if (char === "*") {
      if (!previous || !("any" in previous) || previous.any !== "star") tokens.push({ any: "star" });
    } else if (char === "[") {
      const end = classEnd(chars, i);
      if (end < 0) tokens.push({ char });
      else {
        tokens.push(parseClass(chars.slice(i + 1, end)));
        i = end;
      }
    } else tokens.push({ char });
  }
  return tokens;
}

function classEnd(chars: string[], start: number): number {
  let i = start + 1;
  if (chars[i] === "!" || chars[i] === "^") i++;
  if (chars[i] === "]") i++;
  while (i < chars.length && chars[i] !== "]") i++;
  return i < chars.length ? i : -1;
}

function parseClass(body: string[]): Token {
  const not = body[0] === "!" || body[0] === "^";
  const chars = not ? body.slice(1) : body;
  const set: [string, string][] = [];
  for (let i = 0; i < chars.length; i++) {
    if (chars[i + 1] === "-" && i + 2 < chars.length) {
      set.push([chars[i]!, chars[i + 2]!]);
      i += 2;
    } else set.push([chars[i]!, chars[i]!]);
  }
  return { set, not };
}

/** `**` over segments works as `*` over characters: on a mismatch only the last star needs to take one more. */
export function matchNames(segments: readonly Segment[], names: readonly string[], options: GlobOptions = {}): boolean {
  const dot = options.dot ?? true;
  let s = 0;
  let n = 0;
  let star = -1;
  let retry = 0;
  while (n < names.length) {
    if (segments[s] === "**") {
      star = s++;
      retry = n;
    } else if (s < segments.length && matchName(segments[s]!, names[n]!, dot)) {
      s++;
      n++;
    } else if (star >= 0 && (dot || !names[retry]!.startsWith("."))) {
      s = star + 1;
      n = ++retry;
    } else return false;
  }
  while (segments[s] === "**") s++;
  return s === segments.length;
}

function matchName(segment: Segment, name: string, dot: boolean): boolean {
  if (typeof segment === "string") return segment === name;
  const first = segment[0];
  if (!dot && name.startsWith(".") && first && !("char" in first)) return false;
  const chars = [...name];
  let t = 0;
  let c = 0;
  let star = -1;
  let retry = 0;
  while (c < chars.length) {
    const token = segment[t];
    if (token && "any" in token && token.any === "star") {
      star = t++;
      retry = c;
    } else if (token && matchChar(token, chars[c]!)) {
      t++;
      c++;
    } else if (star >= 0) {
      t = star + 1;
      c = ++retry;
    } else return false;
  }
  while (t < segment.length && isStar(segment[t]!)) t++;
  return t === segment.length;
}

const isStar = (token: Token): boolean => "any" in token && token.any === "star";

function matchChar(token: Token, char: string): boolean {
  if ("char" in token) return token.char === char;
  if ("any" in token) return true;
  return token.set.some(([from, to]) => from <= char && char <= to) !== token.not;
}

/**
 * "a{b,c{d,e}}" to "ab", "acd", "ace"; braces without a comma stay as they are, as in a shell.
 * A glob has no quotes, sequences or substitutions: the shell's own expansion is in shell/syntax/braces.ts.
 */
export function expandGlobBraces(text: string): string[] {
  const done: string[] = [];
  const open = [text];
  while (open.length) {
    const next = open.pop()!;
    const brace = firstBrace(next);
    if (!brace) done.push(next);
    else for (const part of brace.parts.reverse()) open.push(next.slice(0, brace.from) + part + next.slice(brace.to));
    if (done.length + open.length > MAX_ALTERNATIVES)
      throw new GlobError(`more than ${MAX_ALTERNATIVES} alternatives in braces`);
  }
  return done;
}

function firstBrace(text: string): { from: number; to: number; parts: string[] } | undefined {
  const stack: { from: number; cuts: number[] }[] = [];
  let best: { from: number; to: number; parts: string[] } | undefined;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === "\\") i++;
    else if (char === "{") stack.push({ from: i, cuts: [] });
    else if (char === "," && stack.length) stack.at(-1)!.cuts.push(i);
    else if (char === "}" && stack.length) {
      const { from, cuts } = stack.pop()!;
      if (cuts.length && (!best || from < best.from)) {
        const edges = [from, ...cuts, i];
        best = { from, to: i + 1, parts: edges.slice(1).map((edge, k) => text.slice(edges[k]! + 1, edge)) };
      }
    }
  }
  return best;
}
