// What find and fd walk over: everything below a place, its files, or what the tests let through.
// Invariant: what it says covers every path the walk can reach; a test that only leaves something out narrows nothing.

import type { Arg } from "../analyze/tool.js";
import { literal, parse, syntax } from "../spec/options.js";

const tests = new RegExp(
  `^-(${[
    "name|iname|path|ipath|wholename|iwholename|regex|iregex|type|xtype|mtime|mmin|atime|amin|ctime|cmin|newer.*|size",
    "empty|user|group|uid|gid|perm|maxdepth|mindepth|links|inum|samefile|lname|ilname|fstype|nouser|nogroup|readable",
    "writable|executable|used|prune",
  ].join("|")})$`,
);
/** These narrow nothing: the whole tree still matches. */
const wide = /^-(maxdepth|mindepth|readable|writable|prune)$/;

/** Tests of a file's age, size or owner: a file of any name can pass them. */
const anyName = /^-(mtime|mmin|atime|amin|ctime|cmin|newer.*|size|user|group|uid|gid|perm|used)$/;

interface Walk {
  starts: Arg[];
  /** Position of the first word of the expression. */
  expression: number;
  /** Tests that narrow what is reached. */
  filtered: boolean;
  /** Of them, none that looks at names or at what a file holds. */
  anyName: boolean;
  /** Only files, or only what lies right below the start. */
  files: boolean;
  shallow: boolean;
  /** The pattern of the only `-name`, when one narrows the walk. */
  name?: string;
  /** The patterns of `-name a -o -name b`, where nothing else is asked. */
  names?: readonly string[];
}

/** `-type f ( -name a -o -name b )`, a word a line. */
const joinedNames = new RegExp(
  [
    "^(?:-(?:type|maxdepth|mindepth|xdev)(?:\\n[\\dfd]+)?\\n)*(?:\\(\\n)?-i?name\\n[^\\n]+",
    "(?:\\n-or?\\n-i?name\\n[^\\n]+)+(?:\\n\\))?(?:\\n-(?:print0?|delete))?$",
  ].join(""),
);

/** Where a find starts and how its tests narrow it. */
export function walkOf(args: readonly Arg[]): Walk {
  let at = 0;
  while (/^(-([HLP]|O\d?|D)|--.+)$/.test(args[at]?.value ?? "")) at += args[at]?.value === "-D" ? 2 : 1;
  const starts: Arg[] = [];
  for (; at < args.length && !/^(-.+|\(|!|,)$/s.test(args[at]!.value ?? args[at]!.prefix); at++) starts.push(args[at]!);
  // `find $DIR`: without the word, find starts here.
  if (starts.every((start) => start.maybeEmpty === "vanishes")) starts.push(literal("."));
  const walk: Walk = { starts, expression: at, filtered: false, anyName: true, files: false, shallow: false };
  const names: string[] = [];
  let alternatives = false;
  for (let index = at; index < args.length; index++) {
    const test = args[index]!.value;
    const operand = args[index + 1]?.value;
    // What follows `-prune -o` is the rest of the walk.
    const afterPruning = /^-or?$/.test(test ?? "") && args[index - 1]?.value === "-prune";
    if (!afterPruning && /^(-or?|!|-not|,)$/.test(test ?? "")) alternatives = true;
    if (test === "-maxdepth" && operand === "1") walk.shallow = true;
    if (test === undefined || !tests.test(test) || wide.test(test)) continue;
    // What is left out narrows nothing: all else is still reached.
    const pruned = args[index + 2]?.value === "-prune" && /^-or?$/.test(args[index + 3]?.value ?? "");
    const negated = /^(!|-not)$/.test(args[index - 1]?.value ?? "");
    if ((negated || pruned) && /^-i?(name|path|wholename|regex)$/.test(test)) continue;
    if (test === "-type" && operand === "f" && !negated) {
      walk.files = true;
      continue;
    }
    if (!anyName.test(test)) walk.anyName = false;
    if (/^-i?name$/.test(test) && operand !== undefined && operand !== "*") names.push(operand);
    if (!(/^-(name|path)$/.test(test) && operand === "*") && !(test === "-type" && operand === "d"))
      walk.filtered = true;
  }
  if (names.length === 1 && !alternatives) walk.name = names[0];
  const said = args
    .slice(at)
    .map((arg) => arg.value ?? "$")
    .join("\n");
  if (names.length > 1 && joinedNames.test(said)) walk.names = names.slice(0, 16);
  return walk;
}

/** What a walk can reach: a pattern when a name narrows it, everything below each start when nothing does. */
export function matchesOf(args: readonly Arg[]): Arg[] {
  const walk = walkOf(args);
  const { names } = walk;
  if (names) return walk.starts.flatMap((start) => names.map((name) => matching(start, name)));
  return walk.starts.map((start) => reached(start, walk));
}

/** The options of fd, in the notation of tools. */
export const fdOptions = [
  "x|exec= X|exec-batch= e|extension= t|type= d|max-depth= min-depth= exact-depth= E|exclude= ignore-file= c|color=",
  "j|threads= S|size= changed-within= changed-before= newer= older= o|owner= format= max-results= batch-size=",
  "C|base-directory= path-separator= search-path= gen-completions=? and= H|hidden I|no-ignore u|unrestricted",
  "s|case-sensitive i|ignore-case g|glob regex F|fixed-strings a|absolute-path l|list-details L|follow p|full-path",
  "0|print0 1 q|quiet prune no-ignore-vcs no-ignore-parent one-file-system strip-cwd-prefix=? relative-path h V",
].join(" ");
const fdSyntax = syntax(fdOptions);

/** What fd can print or hand on: everything below its directories, or something there when a pattern narrows it. */
export function fdMatches(args: readonly Arg[]): Arg[] {
  const given = parse(args, fdSyntax);
  const [pattern, ...places] = given.operands;
  const narrowed =
    !/^(\.?\*?)$/.test(pattern?.value ?? (pattern ? "x" : "")) ||
    given.has("extension", "size", "changed-within", "changed-before", "newer", "older", "owner", "and");
  const starts = [...places, ...given.values("search-path", "base-directory")];
  return (starts.length ? starts : [literal(".")]).map((start) => (narrowed ? below(start) : everything(start)));
}

const trimmed = (start: Arg): string => (start.value ?? start.prefix).replace(/\/+$/, "");

/** The starting point with all that lies below it. */
export const everything = (start: Arg): Arg =>
  start.value === undefined ? start : { ...literal(`${trimmed(start)}/*`), glob: true };

/** What a walk hands on: all of it, its files at any depth, or what its tests let through. */
export function reached(start: Arg, walk: Walk): Arg {
  if (walk.filtered) return matching(start, walk.name);
  return walk.files && !walk.shallow && start.value !== undefined
    ? { ...literal(`${trimmed(start)}/**/*`), glob: true }
    : everything(start);
}

/** Something below a directory whose name is not known. */
const below = (start: Arg): Arg => ({
  source: start.source,
  prefix: start.value === undefined ? start.prefix : `${trimmed(start)}/`,
  glob: true,
});

/** What a delete takes: of files of any name, some at any depth. */
export function deleted(start: Arg, walk: Walk): Arg[] {
  if (walk.names) return walk.names.map((name) => matching(start, name));
  return [matching(start, walk.anyName ? "?*" : walk.name)];
}

/** What a test by name lets through, at any depth. */
export const matching = (start: Arg, name: string | undefined): Arg =>
  name === undefined || start.value === undefined
    ? below(start)
    : { ...literal(`${trimmed(start)}/**/${name}`), glob: true };
