// What comes out of a listed archive: a write for each entry, where it really lands.
// Invariant: an entry is named, or lies in the folder that is named as a whole; what could not be listed is unknown.

import type { Arg, Emit } from "../analyze/tool.js";
import type { ArchiveEntry, ArchiveListing, Extraction } from "./archive-disk.js";

/** Entries that are named one by one; of larger archives those that matter most. */
const mostNamed = { all: 128, grave: 1_000 };

/** Files that are looked for on disk. */
const mostLooks = 5_000;

/** Names that agents, git, shells and people's secrets go by: they are named before all others. */
const governing = new RegExp(
  String.raw`(?:^|/)(?:\.(?:git|claude|gemini|codex|cursor|opencode|copilot|github|husky|vscode|ssh|aws|config)` +
    String.raw`(?:/|$)|\.(?:mcp\.json|env[^/]*|npmrc|gitconfig|bash\w*|z\w*|profile)$|interlock\.ya?ml$|opencode\.jsonc?$)`,
  "i",
);

interface Landing {
  path: string;
  entry: ArchiveEntry;
  /** A file there loses what it holds. */
  lost?: boolean;
  /** The smaller, the more it matters: leads elsewhere, replaces, governs something, is hidden, anything else. */
  rank: 0 | 1 | 2 | 3 | 4;
}

export function extract(listing: ArchiveListing, extraction: Extraction, emit: Emit): boolean {
  const { program, target, members, excludes = [] } = extraction;
  const wanted = isNamedAmong(members ?? [], listing.entries.length, true);
  const left = isNamedAmong(excludes, listing.entries.length, false);
  if (!wanted || !left || emit.resolve(target) === undefined) return false;
  const entries = listing.entries.filter(
    ({ name }) => (!members?.length || wanted(name)) && !(excludes.length && endsIn(name, left)),
  );
  const landings = landingsOf(entries, extraction, emit);
  const named = choose(landings, emit.isScratch?.(target) === true);
  for (const { path, entry, lost } of named) {
    emit.unpacked?.(
      below(target, path),
      `${program} extracts it`,
      { ...(entry.kind === "symlink" && { recursive: true }), ...(lost && { how: "truncate" as const }) },
      entry.kind === "symlink" ? entry.link : undefined,
    );
  }
  if (listing.unlisted !== undefined) emit.unknown(`${program}: ${listing.unlisted}`);
  if (listing.unlisted !== undefined || named.length < landings.length)
    emit.write(target, `${program} extracts into it`, { recursive: true, glob: true });
  return true;
}

/** A pattern to leave out names a whole path or the end of one. */
function endsIn(name: string, isLeft: (name: string) => boolean): boolean {
  for (let at = 0; at >= 0; at = name.indexOf("/", at + 1)) if (isLeft(name.slice(at === 0 ? 0 : at + 1))) return true;
  return false;
}

function below({ value }: Arg, path: string): Arg {
  const full = path.startsWith("/") ? path : `${value}/${path}`;
  return { source: path, value: full, prefix: full };
}

/** In a scratch folder nothing governs anybody: there only what leads out of it is named. */
function choose(landings: Landing[], inScratch: boolean): Landing[] {
  if (inScratch) return landings.filter(({ rank }) => rank === 0).slice(0, mostNamed.grave);
  if (landings.length <= mostNamed.all) return landings;
  const sorted = landings.sort((left, right) => left.rank - right.rank);
  const grave = sorted.findIndex(({ rank }) => rank > 2);
  return sorted.slice(0, Math.min(Math.max(grave < 0 ? sorted.length : grave, mostNamed.all), mostNamed.grave));
}

function landingsOf(entries: readonly ArchiveEntry[], extraction: Extraction, emit: Emit): Landing[] {
  const { target, clearsFolders, keepsOld, replaces } = extraction;
  const links = new Map<string, string | undefined>();
  const absent = new Set<string>();
  const found = new Map<string, Landing>();
  let looks = 0;
  const stateOf = (path: string) => {
    if (looks++ > mostLooks) return undefined;
    // Nothing lies in a folder that is not there.
    for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1))
      if (absent.has(path.slice(0, at))) return undefined;
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    if (folder && !seen.has(folder)) {
      seen.add(folder);
      if (!emit.stateOf?.(below(target, folder))) absent.add(folder);
      if (absent.has(folder)) return undefined;
    }
    return emit.stateOf?.(below(target, path));
  };
  const seen = new Set<string>();

  for (const entry of entries)
    for (const place of extraction.placesOf(entry.name)) {
      const named = collapse(place);
      if (named === "" || named === "/") continue;
      const through = throughLinks(named, links);
      if (through === "unknown") emit.unknown(`${extraction.program}: an entry goes through a link that is not known`);
      const paths = through === undefined || through === "unknown" ? [named] : [named, through];
      for (const path of paths) {
        const old = entry.kind === "folder" && !clearsFolders ? undefined : stateOf(path);
        if (old?.folder && clearsFolders)
          emit.delete(below(target, path), `${extraction.program} removes what is in its way`, {
            recursive: true,
          });
        if (entry.kind === "folder" || (old && keepsOld)) continue;
        const elsewhere = path !== named || /^(?:\/|\.\.)/.test(path) || entry.kind === "symlink";
        const lost = replaces && old && !old.folder && !isSame(entry, old);
        const rank = governing.test(path) ? 2 : /(?:^|\/)\./.test(path) ? 3 : 4;
        found.set(path, { path, entry, rank: elsewhere ? 0 : lost ? 1 : rank, ...(lost && { lost }) });
      }
      if (entry.kind === "symlink" && links.size < 1_000) links.set(named, linkedTo(entry.link, dirname(named)));
      else if (entry.kind === "hardlink" && links.size < 1_000) links.set(named, linkedTo(entry.link, ""));
    }
  return [...found.values()];
}

/** The file on disk came out of this very archive, as far as its size and time tell. */
const isSame = (entry: ArchiveEntry, old: { size: number; modified: number }): boolean =>
  entry.size === old.size && entry.modified !== undefined && Math.abs(entry.modified - old.modified) <= 2;

const dirname = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

const linkedTo = (link: string | undefined, folder: string): string | undefined =>
  link === undefined ? undefined : collapse(link.startsWith("/") || folder === "" ? link : `${folder}/${link}`);

/** Where a path leads by links that came out of the archive before it. */
function throughLinks(path: string, links: ReadonlyMap<string, string | undefined>): string | undefined {
  if (links.size === 0) return undefined;
  let now = path;
  for (let round = 0; round < 8; round++) {
    let next: string | undefined;
    for (let at = now.indexOf("/", 1); ; at = now.indexOf("/", at + 1)) {
      const front = at < 0 ? now : now.slice(0, at);
      if (links.has(front)) {
        const to = links.get(front);
        if (to === undefined) return "unknown";
        next = collapse(`${to}${now.slice(front.length)}`);
        break;
      }
      if (at < 0) break;
    }
    if (next === undefined || next === now) break;
    now = next;
  }
  return now === path ? undefined : now;
}

/** Without empty and `.` parts; `..` takes the part before it away, and stays in front of a relative path. */
function collapse(name: string): string {
  const out: string[] = [];
  for (const part of name.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && out.length && out.at(-1) !== "..") out.pop();
    else if (part !== ".." || !name.startsWith("/")) out.push(part);
  }
  return (name.startsWith("/") ? "/" : "") + out.join("/");
}

/** Comparisons of names with patterns that one archive may cost. */
const mostComparisons = 200_000;

/**
 * Whether a name is one of these, lies in one of them or fits one as a pattern; undefined where they are too many.
 * Names too long to compare with patterns are `otherwise`.
 */
function isNamedAmong(
  words: readonly Arg[],
  count: number,
  otherwise: boolean,
): ((name: string) => boolean) | undefined {
  if (words.some((word) => word.value === undefined) || words.length * count > mostComparisons) return undefined;
  const names = words.map((word) => collapse(word.value!));
  const patterns = names.filter((name) => /[*?[]/.test(name));
  if (patterns.length * count > mostComparisons / 10 || patterns.some((pattern) => pattern.length > 100))
    return undefined;
  return (name) => {
    const given = collapse(name);
    return (
      names.some((wanted) => given === wanted || given.startsWith(`${wanted}/`)) ||
      (patterns.length > 0 &&
        (given.length > 512 ? otherwise : patterns.some((pattern) => matchesPattern(pattern, given))))
    );
  };
}

/** `*` and `?` also stand for slashes, as tar and unzip have it; a set in brackets stands for one character. */
function matchesPattern(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    const width = p < pattern.length && pattern[p] !== "*" ? oneMatches(pattern, p, name[n]!) : 0;
    if (width > 0) {
      p += width;
      n++;
    } else if (pattern[p] === "*") {
      star = p++;
      mark = n;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return p === pattern.length && name[n] === "/";
    // A pattern that names a folder names what is in it.
    if (p === pattern.length && name[n] === "/") return true;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** How many characters of the pattern stand for this one; 0 when they don't. */
function oneMatches(pattern: string, at: number, character: string): number {
  if (pattern[at] === "?") return 1;
  if (pattern[at] === "\\" && at + 1 < pattern.length) return pattern[at + 1] === character ? 2 : 0;
  const close = pattern[at] === "[" ? pattern.indexOf("]", at + 2) : -1;
  if (close < 0) return pattern[at] === character ? 1 : 0;
  const set = pattern.slice(at + 1, close);
  const negated = /^[!^]/.test(set);
  return negated || set.includes(character) || set.includes("-") ? close + 1 - at : 0;
}
