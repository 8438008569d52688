// Whether a path is a protected place, however it is spelled, linked or reached.
// Invariant: a path is protected by its name, by its identity (device and inode), or because its folder contains one.
import { join } from "node:path";
import { type CanonicalPath, type Followed, realFolder, realPath } from "../canonical-path.js";
import { matchNames, parsePattern } from "../globs.js";
import { comparisonKey } from "../path-key.js";
import { reachOf } from "./own-home.js";
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
  /** Git directories of the project outside it (work tree, submodule). */
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

/** `replace` writes a whole folder (a recursive copy, a move onto it): files in it may be overwritten. */
export type Operation = "read" | "write" | "replace" | "delete";

export interface ProtectedSet {
  /** The protected place this path is; for a delete, rename or replaced folder also one inside it. */
  as(path: CanonicalPath, operation: Operation): ProtectedEntry | undefined;
  /** The same for an absolute shell glob that was not expanded; `whole`: with everything below what it matches. */
  asGlob(pattern: string, operation: Operation, whole?: boolean): ProtectedEntry | undefined;
  /** Our record, if a folder that is read with everything below it holds it. */
  readWhole(path: CanonicalPath): ProtectedEntry | undefined;
  /** Protected files of the project and the user that exist now: a snapshot keeps them. */
  existing(): string[];
  /** Those of them that are Interlock's own program. */
  program(): string[];
}

/** A folder with rows of names below it. `anywhere` rows are listed here, but match in every folder. */
export interface ProtectedBase {
  at: string;
  keys: string[];
  table: ProtectedTable;
  anywhere?: true;
}

export type Match = ProtectedRow & { base: string };

export const protectedSet = (places: ProtectedPlaces, known?: Followed): ProtectedSet =>
  new PlacesOnDisk(places, known);

/** Looks at the disk only for what is asked, and once: a read needs none of the tables, only our record. */
class PlacesOnDisk implements ProtectedSet {
  readonly #places: ProtectedPlaces;
  readonly #known: Followed | undefined;
  readonly #record: Match;
  /** Every spelling of the folder of our record. */
  readonly #records: string[];
  #tables: ProtectedBase[] | undefined;
  #links: [real: string, name: string][] | undefined;
  #near: { path: string; match: Match }[] | undefined;
  #byIdentityOf: Map<string, Match> | undefined;

  constructor(places: ProtectedPlaces, known: Followed | undefined) {
    this.#places = places;
    this.#known = known;
    this.#record = { ...RECORD, path: "", base: places.interlockHome };
    this.#records = keysOf(places.interlockHome, known, realFolder);
  }

  as(path: CanonicalPath, operation: Operation): ProtectedEntry | undefined {
    const readings = [path, ...(path.others ?? [])];
    const keys = [...new Set([path.lexicalKey, ...readings.map((r) => r.key)])];
    for (const key of keys) {
      const found = this.#byKey(key, operation);
      if (found) return found;
    }
    for (const key of keys) {
      const found = this.#byLink(key, operation);
      if (found) return found;
    }
    for (const { identity, links } of readings) {
      // Only what has several links can be a protected file under another name.
      const found = identity && (links ?? 1) > 1 && this.#byIdentity(identity, operation);
      if (found) return found;
    }
    return undefined;
  }

  asGlob(pattern: string, operation: Operation, whole = false): ProtectedEntry | undefined {
    const own = this.#ownGlob(pattern, operation, whole);
    if (own) return own;
    // With wildcards taken as plain names: finds what is protected anywhere or as a whole folder.
    const plain = this.#byKey(comparisonKey(pattern.replace(/\[[^\]]*\]|[*?]+/g, "_")), operation);
    if (plain || operation === "read") return plain;
    // A glob expands to what exists, and a shell's "*" leaves out names with a leading dot.
    const glob = parsePattern(pattern.toLowerCase());
    // `find -name settings.json` also walks into folders with a leading dot.
    const dot = /\/\*\*\/(?!\*\.)[^/]*[a-z]{4}[^/]*$/i.test(pattern);
    const folders = operation === "delete" || operation === "replace";
    for (const { path, match } of this.#files()) {
      const names = namesOf(comparisonKey(path));
      for (let n = folders ? 1 : names.length; n <= names.length; n++)
        if (matchNames(glob, names.slice(0, n), { dot }))
          return this.#entry(match, n === names.length ? "path" : "covers");
    }
    return undefined;
  }

  readWhole({ key, lexicalKey }: CanonicalPath): ProtectedEntry | undefined {
    if (this.#inProject()) return undefined;
    const folders = [key, lexicalKey].map((each) => (each === "/" ? "" : each));
    const holds = this.#records.some((record) => folders.some((folder) => isBelow(record, folder)));
    return holds ? this.#entry(this.#record, "covers") : undefined;
  }

  #ownGlob(pattern: string, operation: Operation, whole: boolean): ProtectedEntry | undefined {
    const reaches = this.#records.map((record) => reachOf(pattern, namesOf(record)));
    if (reaches.includes("inside") && !(operation === "read" && this.#inProject()))
      return this.#entry(this.#record, "path");
    const takes = operation === "delete" || (operation === "read" && whole && !this.#inProject());
    return takes && reaches.includes("above") ? this.#entry(this.#record, "covers") : undefined;
  }

  /** Where the project holds our folder (a home as a project), reading all of the project is ordinary work. */
  #inProject(): boolean {
    const root = comparisonKey(this.#places.projectRoot);
    return this.#records.some((record) => isBelow(record, root === "/" ? "" : root));
  }

  existing(): string[] {
    return this.#files().map((file) => file.path);
  }

  program(): string[] {
    return this.#files().flatMap((file) => (file.match.kind === "interlock" ? [file.path] : []));
  }

  #bases(): ProtectedBase[] {
    this.#tables ??= basesOf(this.#places, this.#known);
    return this.#tables;
  }

  #files(): { path: string; match: Match }[] {
    this.#near ??= existingFiles(this.#bases(), "near");
    return this.#near;
  }

  #byKey(key: string, operation: Operation): ProtectedEntry | undefined {
    if (this.#records.some((folder) => isBelow(key, folder))) return this.#entry(this.#record, "path");
    if (operation === "read") return undefined;
    const match = matchKey(key, this.#bases());
    if (match) return this.#entry(match, "path");
    if (operation === "write") return undefined;
    if (operation === "delete" && this.#records.some((folder) => isBelow(folder, key)))
      return this.#entry(this.#record, "covers");
    const covered = covers(key, this.#bases(), operation);
    return covered && this.#entry(covered, "covers");
  }

  /** A dotfile or folder that is a link is also protected where it leads. */
  #byLink(key: string, operation: Operation): ProtectedEntry | undefined {
    // Only our record is protected from reading, and a record that no link leads to has no second name.
    if (operation === "read" && this.#records.length === 1) return undefined;
    this.#links ??= linkedPlaces(this.#bases(), this.#known);
    for (const [real, name] of this.#links) {
      const match = isBelow(key, real) && this.#byKey(name + key.slice(real.length), operation);
      if (match) return { ...match, by: "identity" };
    }
    return undefined;
  }

  #byIdentity(identity: string, operation: Operation): ProtectedEntry | undefined {
    this.#byIdentityOf ??= new Map(
      existingFiles(this.#bases(), "deep", this.#record).map((file) => [file.identity, file.match]),
    );
    const match = this.#byIdentityOf.get(identity);
    return match && (operation !== "read" || match.kind === "interlock") ? this.#entry(match, "identity") : undefined;
  }

  #entry(match: Match, by: ProtectedEntry["by"]): ProtectedEntry {
    return { kind: match.kind, why: match.why, place: shown(match, this.#places), by };
  }
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

/** Copying something into these folders is ordinary; only deleting them affects everything below. */
const wide: ReadonlySet<ProtectedTable> = new Set([HOME, PROJECT, SYSTEM]);

/** The protected place that is deleted or replaced with a folder: by the folder's name, or because it is inside it. */
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
        // Every clean install removes `node_modules` and our program with it: no reason to refuse it.
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
