// Whether a path is a protected place, however it is spelled, linked or reached.
// Invariant: judged by key, by identity (device and inode) and by what a directory covers; any one of them is enough.
import { type CanonicalPath, canonicalPath } from "./canonical.js";
import { expandBraces, matchNames, parsePattern, type Segment } from "./globs.js";
import { comparisonKey } from "./key.js";
import { type Found, findFiles } from "./protected-files.js";
import { type Places, type ProtectedKind, rulesFor } from "./protected-paths.js";

export type { Places, ProtectedKind } from "./protected-paths.js";

export interface ProtectedEntry {
  kind: ProtectedKind;
  /** A clause that completes "it is protected because ...". */
  why: string;
  /** The place as people write it: "~/.claude/settings*.json". */
  place: string;
  /** How it was recognised. */
  by: "path" | "identity" | "covers";
}

export type Operation = "read" | "write" | "delete";

export interface ProtectedSet {
  /** The protected place this path is; for a delete (rename, replacement of a folder) also the one it would take along. */
  as(path: CanonicalPath, operation: Operation): ProtectedEntry | undefined;
  /** The same for an absolute shell glob that was not expanded. */
  asGlob(pattern: string, operation: Operation): ProtectedEntry | undefined;
  /** Protected files that exist now at fixed places and in the project: what a snapshot keeps. */
  existing(): string[];
}

/** One alternative of one rule at one folder. */
export interface Place {
  entry: Omit<ProtectedEntry, "by">;
  /** Over the names of a key. */
  pattern: Segment[];
  /** Key of the folder before the first wildcard, or of the file itself. */
  fixed: string;
  anywhere: boolean;
  read: boolean;
  /** Folders as spelled and the remaining glob, to look on the disk. */
  folders: string[];
  rest: string;
}

export function protectedSet(places: Places): ProtectedSet {
  const list = placesOf(places);
  const carriedBy = carrierNames(list);
  const found: { near?: Found[]; deep?: Map<string, Place> } = {};
  const near = () => (found.near ??= findFiles(list, places.projectRoot, "near"));

  const byKey = (key: string, operation: Operation): ProtectedEntry | undefined => {
    const names = namesOf(key);
    for (const place of list) {
      if (operation === "read" && !place.read) continue;
      if (!place.anywhere && !key.startsWith(place.fixed) && `${key}/` !== place.fixed) continue;
      if (matchNames(place.pattern, names)) return { ...place.entry, by: "path" };
    }
    return operation === "delete" ? byCover(key) : undefined;
  };
  const byCover = (key: string): ProtectedEntry | undefined => {
    const tree = key === "/" ? "/" : `${key}/`;
    const name = key.slice(key.lastIndexOf("/") + 1);
    const place = list.find((p) => !p.anywhere && p.fixed.startsWith(tree)) ?? carriedBy.get(name);
    return place && { ...place.entry, by: "covers" };
  };
  const byIdentity = (identity: string, links: number, operation: Operation): ProtectedEntry | undefined => {
    let place = near().find((f) => f.identity === identity)?.place;
    if (!place && links > 1)
      place = (found.deep ??= new Map(
        findFiles(list, places.projectRoot, "deep").map((f) => [f.identity, f.place]),
      )).get(identity);
    if (!place || (operation === "read" && !place.read)) return undefined;
    return { ...place.entry, by: "identity" };
  };

  return {
    as(path, operation) {
      const readings = [path, ...(path.others ?? [])];
      for (const key of new Set([path.lexicalKey, ...readings.map((r) => r.key)])) {
        const entry = byKey(key, operation);
        if (entry) return entry;
      }
      for (const { identity, links } of readings) {
        const entry = identity && byIdentity(identity, links ?? 1, operation);
        if (entry) return entry;
      }
      return undefined;
    },
    asGlob(pattern, operation) {
      // Wildcards taken as plain names: what is protected anywhere or as a whole folder shows already.
      const plain = byKey(comparisonKey(pattern.replace(/\[[^\]]*\]|[*?]+/g, "_")), operation);
      if (plain) return plain;
      // A glob expands to what is there, and a shell's "*" leaves names with a leading dot alone.
      const glob = parsePattern(pattern.toLowerCase());
      for (const { path, place } of near()) {
        if (operation === "read" && !place.read) continue;
        const names = namesOf(comparisonKey(path));
        for (let n = operation === "delete" ? 1 : names.length; n <= names.length; n++)
          if (matchNames(glob, names.slice(0, n), { dot: false }))
            return { ...place.entry, by: n === names.length ? "path" : "covers" };
      }
      return undefined;
    },
    existing() {
      return near().map((f) => f.path);
    },
  };
}

function placesOf(places: Places): Place[] {
  const list: Place[] = [];
  const real = new Map<string, string>();
  for (const rule of rulesFor(places)) {
    for (const glob of rule.globs.flatMap(expandBraces)) {
      const anywhere = glob.startsWith("**/");
      const names = (anywhere ? glob.slice(3) : glob).split("/");
      const wild = names.findIndex((n) => n.includes("*"));
      const cut = wild < 0 ? names.length - 1 : wild;
      const below = (base: string) => [base === "/" ? "" : base, ...names.slice(0, cut)].join("/") || "/";
      const folder = below(rule.base);
      const rest = names.slice(cut).join("/");
      const entry = { kind: rule.kind, why: rule.why, place: shown(rule.base, glob, places) };
      const add = (at: string) => {
        const key = anywhere ? "" : comparisonKey(at).replace(/\/$/, "");
        list.push({
          entry,
          pattern: parsePattern(anywhere ? glob.toLowerCase() : `${escaped(key)}/${rest.toLowerCase()}`),
          fixed: wild < 0 ? `${key}/${rest.toLowerCase()}` : `${key}/`,
          anywhere,
          read: rule.read ?? false,
          folders: anywhere ? [below(places.projectRoot), below(places.home)] : [at],
          rest,
        });
      };
      add(folder);
      if (anywhere) continue;
      // A home or a `.claude` that is itself a link is protected under its real name too.
      if (!real.has(folder)) real.set(folder, canonicalPath(folder, "/").path);
      if (real.get(folder) !== folder) add(real.get(folder)!);
    }
  }
  return list;
}

const namesOf = (key: string) => key.split("/").filter(Boolean);

const escaped = (text: string) => text.replace(/[*?[\]{}!\\]/g, "\\$&");

function shown(base: string, glob: string, places: Places): string {
  if (base === "/") return glob.startsWith("**/") ? glob.slice(3) : `/${glob}`;
  if (base === places.projectRoot) return glob;
  return `${base.startsWith(places.home) ? `~${base.slice(places.home.length)}` : base}/${glob}`;
}

const carriers = new Set([".claude", ".gemini", ".codex", ".cursor", ".opencode"]);

/** Folders that carry protected files wherever they stand: removing or replacing `.claude` takes its settings along. */
function carrierNames(list: Place[]): Map<string, Place> {
  const names = new Map<string, Place>();
  for (const place of list) {
    const name = place.anywhere && place.pattern[1];
    if (typeof name === "string" && carriers.has(name) && !names.has(name)) names.set(name, place);
  }
  return names;
}
