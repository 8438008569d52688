// Whether a path is a protected place, however it is spelled, linked or reached.
// Invariant: judged by key, by identity (device and inode) and by what a folder covers; any one of them is enough.
import { join } from "node:path";
import { type CanonicalPath, type Followed, realFolder, realPath } from "../canonical-path.js";
import { matchNames, parsePattern } from "../globs.js";
import { comparisonKey } from "../path-key.js";
import { existingFiles, linkedPlaces } from "./protected-files.js";
import {
  ANYWHERE,
  CARRIERS,
  CLAUDE,
  GIT,
  HOME,
  PACKAGE,
  PROJECT,
  type ProtectedKind,
  type ProtectedRow,
  type ProtectedTable,
  RECORD,
  SYSTEM,
} from "./protected-paths.js";

export type { ProtectedKind } from "./protected-paths.js";

export interface ProtectedPlaces {
  home: string;
  projectRoot: string;
  /** Our state, ledger, key and socket. */
  interlockHome: string;
  /** CLAUDE_CONFIG_DIR, where set. */
  configDir?: string;
  /** The installed package. */
  packageDir?: string;
  /** Git directories of the project that lie elsewhere (worktree, submodule). */
  gitDirs?: string[];
}

export interface ProtectedEntry {
  kind: ProtectedKind;
  /** Completes "it is protected because ...". */
  why: string;
  /** The place as people write it: "~/.claude/settings.json". */
  place: string;
  /** How it was recognised. */
  by: "path" | "identity" | "covers";
}

/** `replace` writes a whole folder (a recursive copy, a move onto it): what lies in the folder may be overwritten. */
export type Operation = "read" | "write" | "replace" | "delete";

export interface ProtectedSet {
  /** The protected place this path is; for a delete (rename, replacement of a folder) also one it would take along. */
  as(path: CanonicalPath, operation: Operation): ProtectedEntry | undefined;
  /** The same for an absolute shell glob that was not expanded. */
  asGlob(pattern: string, operation: Operation): ProtectedEntry | undefined;
  /** Protected files of the project and of the user that exist now: what a snapshot keeps. */
  existing(): string[];
}

/** A folder with rows below it; `anywhere` rows are looked for there on the disk, but match in every folder. */
export interface ProtectedBase {
  at: string;
  keys: string[];
  table: ProtectedTable;
  anywhere?: true;
}

export type Match = ProtectedRow & { base: string };

export function protectedSet(places: ProtectedPlaces, known?: Followed): ProtectedSet {
  let made: ProtectedBase[] | undefined;
  /** Reading needs them not: only our record is protected from it. */
  const bases = () => (made ??= basesOf(places, known));
  const record: Match = { ...RECORD, path: "", base: places.interlockHome };
  const records = keysOf(places.interlockHome, known, realFolder);
  let links: [real: string, name: string][] | undefined;
  let near: { path: string; match: Match }[] | undefined;
  let deep: Map<string, Match> | undefined;
  const files = () => (near ??= existingFiles(bases(), "near"));
  const inRecord = (key: string) => records.some((r) => isBelow(key, r));

  const byKey = (key: string, operation: Operation): ProtectedEntry | undefined => {
    if (inRecord(key)) return entry(record, "path");
    const match = operation !== "read" && matchKey(key, bases());
    if (match) return entry(match, "path");
    if (operation === "delete" && records.some((r) => isBelow(r, key))) return entry(record, "covers");
    const covered = (operation === "delete" || operation === "replace") && covers(key, bases(), operation);
    return covered ? entry(covered, "covers") : undefined;
  };
  /** A dotfile or folder that is a link is protected where it leads, too. */
  const byLink = (key: string, operation: Operation): ProtectedEntry | undefined => {
    // Only our record is protected from reading, and a record that no link leads to has no second name.
    if (operation === "read" && records.length === 1) return undefined;
    for (const [real, name] of (links ??= linkedPlaces(bases(), known))) {
      const match = isBelow(key, real) && byKey(name + key.slice(real.length), operation);
      if (match) return { ...match, by: "identity" };
    }
    return undefined;
  };
  /** Only what has several links can be a protected file under another name. */
  const byIdentity = (identity: string, operation: Operation): ProtectedEntry | undefined => {
    deep ??= new Map(existingFiles(bases(), "deep", record).map((f) => [f.identity, f.match]));
    const match = deep.get(identity);
    return match && (operation !== "read" || match.kind === "interlock") ? entry(match, "identity") : undefined;
  };
  const entry = (match: Match, by: ProtectedEntry["by"]): ProtectedEntry => ({
    kind: match.kind,
    why: match.why,
    place: shown(match, places),
    by,
  });

  return {
    as(path, operation) {
      const readings = [path, ...(path.others ?? [])];
      const keys = [...new Set([path.lexicalKey, ...readings.map((r) => r.key)])];
      for (const judge of [byKey, byLink])
        for (const key of keys) {
          const found = judge(key, operation);
          if (found) return found;
        }
      for (const { identity, links } of readings) {
        const found = identity && (links ?? 1) > 1 && byIdentity(identity, operation);
        if (found) return found;
      }
      return undefined;
    },
    asGlob(pattern, operation) {
      // Wildcards taken as plain names: what is protected anywhere or as a whole folder shows already.
      const plain = byKey(comparisonKey(pattern.replace(/\[[^\]]*\]|[*?]+/g, "_")), operation);
      if (plain || operation === "read") return plain;
      // A glob expands to what is there, and a shell's "*" leaves names with a leading dot alone.
      const glob = parsePattern(pattern.toLowerCase());
      // What `find -name settings.json` walks to lies in folders with a dot, too.
      const dot = /\/\*\*\/(?!\*\.)[^/]*[a-z]{4}[^/]*$/i.test(pattern);
      for (const { path, match } of files()) {
        const names = namesOf(comparisonKey(path));
        for (let n = operation === "delete" || operation === "replace" ? 1 : names.length; n <= names.length; n++)
          if (matchNames(glob, names.slice(0, n), { dot })) return entry(match, n === names.length ? "path" : "covers");
      }
      return undefined;
    },
    existing: () => files().map((f) => f.path),
  };
}

function basesOf(places: ProtectedPlaces, known?: Followed): ProtectedBase[] {
  const base = (at: string, table: ProtectedTable, real = realFolder): ProtectedBase => ({
    at,
    keys: keysOf(at, known, real),
    table,
  });
  const home = base(places.home, HOME);
  const project = base(places.projectRoot, PROJECT);
  const bases = [
    base(join(places.home, ".claude"), CLAUDE, realPath),
    home,
    project,
    { ...project, table: ANYWHERE, anywhere: true as const },
    { ...home, table: ANYWHERE, anywhere: true as const },
    ...[...new Set(places.gitDirs)].map((dir) => base(dir, GIT)),
  ];
  if (places.configDir) bases.push(base(places.configDir, CLAUDE));
  if (places.packageDir) bases.push(base(places.packageDir, PACKAGE));
  bases.push({ at: "/", keys: [""], table: SYSTEM });
  return bases;
}

function keysOf(folder: string, known: Followed | undefined, real: typeof realPath): string[] {
  const spelled = comparisonKey(folder);
  const key = comparisonKey(real(folder, known));
  return (key === spelled ? [key] : [spelled, key]).map((k) => (k === "/" ? "" : k));
}

const isBelow = (key: string, folder: string) => key === folder || key.startsWith(`${folder}/`);
const namesOf = (key: string) => key.split("/").filter(Boolean);

function matchKey(key: string, bases: readonly ProtectedBase[]): Match | undefined {
  const names = namesOf(key);
  for (let i = 0; i < names.length; i++) {
    const match = matchRows(ANYWHERE, names.slice(i));
    if (match) return { ...match, base: "" };
  }
  for (const base of bases) {
    if (base.anywhere) continue;
    for (const at of base.keys) {
      if (!isBelow(key, at)) continue;
      const match = matchRows(base.table, namesOf(key.slice(at.length)));
      if (match) return { ...match, base: base.at };
    }
  }
  return undefined;
}

function matchRows(table: ProtectedTable, names: string[]): ProtectedRow | undefined {
  return table.get(names[0] ?? "")?.find((row) => matchNames(parsePattern(row.path.toLowerCase()), names));
}

/** Folders people copy things into all day; only deleting them takes everything along. */
const wide: ReadonlySet<ProtectedTable> = new Set([HOME, PROJECT, SYSTEM]);

/** The place a folder takes along when it goes or is replaced: by its name, or because a base or a row lies in it. */
function covers(key: string, bases: readonly ProtectedBase[], operation: "delete" | "replace"): Match | undefined {
  const folder = key === "/" ? "" : key;
  const carrier = folder.slice(folder.lastIndexOf("/") + 1);
  if (CARRIERS.has(carrier)) return { ...ANYWHERE.get(carrier)![0]!, base: "" };
  for (const base of bases) {
    if (base.anywhere) continue;
    for (const at of base.keys) {
      if (
        at === folder ? operation === "delete" || !wide.has(base.table) : operation === "delete" && isBelow(at, folder)
      ) {
        // Removing `node_modules` takes our program along, as every clean install does: no reason to refuse it.
        if (at === folder || base.table !== PACKAGE) return { ...firstRow(base.table), base: base.at };
      }
      if (at === folder || !isBelow(folder, at)) continue;
      const names = namesOf(folder.slice(at.length));
      const row = base.table.get(names[0]!)?.find((r) => isBelow(r.path.toLowerCase(), names.join("/")));
      if (row) return { ...row, base: base.at };
    }
  }
  return undefined;
}

const firstRow = (table: ProtectedTable): ProtectedRow => table.values().next().value![0]!;

function shown(match: Match, places: ProtectedPlaces): string {
  if (match.base === "" || match.base === places.projectRoot) return match.path;
  const at =
    match.base.startsWith(`${places.home}/`) || match.base === places.home
      ? `~${match.base.slice(places.home.length)}`
      : match.base;
  return join(at, match.path);
}
