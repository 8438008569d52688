// Looks on the disk for the files of protected places: which exist, and which are links to somewhere else.
// Invariant: bounded: "near" reads fixed files and one level of each folder, "deep" a few thousand entries in all.
import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Followed, realPath } from "../canonical-path.js";
import { matchNames, parsePattern } from "../globs.js";
import { comparisonKey } from "../path-key.js";
import type { Match, ProtectedBase } from "./protected.js";
import { ANYWHERE, type ProtectedRow } from "./protected-paths.js";

export interface ExistingProtectedFile {
  path: string;
  identity: string;
  match: Match;
}

const REACH = { near: { depth: 1, entries: 300 }, deep: { depth: 6, entries: 5_000 } };
const PROJECT = { depth: 12, entries: 20_000 };

/** System places are left out: what is there belongs to root. `record` adds our own folder. */
export function existingFiles(
  bases: readonly ProtectedBase[],
  reach: "near" | "deep",
  record?: Match,
): ExistingProtectedFile[] {
  const found: ExistingProtectedFile[] = [];
  const { depth, entries } = REACH[reach];
  for (const { base, row, folder, rest } of rowsOnDisk(bases)) {
    // There are many transcripts and plug-ins: looked at only to resolve a link.
    if (reach === "near" && (row.kind === "transcript" || row.path.startsWith("plugins/"))) continue;
    const match = { ...row, base: base.anywhere ? "" : base.at };
    if (!rest.includes("*")) look(join(folder, rest), match, found);
    else {
      const pattern = parsePattern(rest);
      walk(folder, "", depth, { entries }, (path, names) => matchNames(pattern, names) && look(path, match, found));
    }
  }
  if (record) walk(record.base, "", depth, { entries }, (path) => look(path, record, found));
  const project = reach === "deep" && bases.find((b) => b.anywhere);
  if (project)
    walk(project.at, "", PROJECT.depth, { entries: PROJECT.entries }, (path, names) => {
      for (let i = 0; i < names.length; i++)
        for (const row of ANYWHERE.get(names[i]!) ?? [])
          if (matchNames(parsePattern(row.path), names.slice(i))) look(path, { ...row, base: "" }, found);
    });
  return found;
}

/** Where the links among the protected places and their folders lead: [key of the target, key of the name]. */
export function linkedPlaces(bases: readonly ProtectedBase[], known?: Followed): [string, string][] {
  const name = bases.map((b) => `${b.at}\0${b.table.size}`).join("\n");
  let found = looked.get(name);
  if (!found || !isUnchanged(found)) {
    found = linksIn(bases);
    if (looked.size >= 64) looked.clear();
    if (settled(found)) looked.set(name, found);
    else looked.delete(name);
  }
  return found.links.map((path) => [comparisonKey(realPath(path, known)), comparisonKey(path)]);
}

interface Links {
  links: string[];
  /** Every folder that was listed, with a stamp that changes with its names; nothing for missing folders. */
  folders: Map<string, FolderStamp | undefined>;
  at: number;
}

interface FolderStamp {
  dev: number;
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** For long-lived processes: a folder with the same stat data has the same names. */
const looked = new Map<string, Links>();

/** File times may be 2 s coarse: a change right after the look could have the same time as one before it. */
const settled = ({ folders, at }: Links): boolean =>
  [...folders.values()].every((stamp) => !stamp || at - Math.max(stamp.mtimeMs, stamp.ctimeMs) > 2_500);

function isUnchanged({ folders }: Links): boolean {
  for (const [folder, before] of folders) {
    const now = stampOf(folder);
    if (now?.ino !== before?.ino || now?.dev !== before?.dev) return false;
    if (now?.mtimeMs !== before?.mtimeMs || now?.ctimeMs !== before?.ctimeMs) return false;
  }
  return true;
}

function stampOf(folder: string): FolderStamp | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined; // not to be looked at, so it can't be listed either
  }
}

function linksIn(bases: readonly ProtectedBase[]): Links {
  const links: string[] = [];
  const folders: Links["folders"] = new Map();
  const at = Date.now();
  const listed = new Map<string, Dirent[]>();
  const follow = (folder: string, entry: Dirent, below: readonly string[]) => {
    const path = `${folder === "/" ? "" : folder}/${entry.name}`;
    if (entry.isSymbolicLink()) links.push(path);
    // Of the system only the top level counts: `/etc` and `/var` are links on some.
    const deeper = entry.isFile() || folder === "/" ? [] : below.filter((rest) => rest !== "" && !rest.startsWith("*"));
    if (!deeper.length) return;
    for (const inner of list(path)) {
      const rests = deeper.flatMap((rest) =>
        rest.split("/")[0] === inner.name ? [rest.slice(inner.name.length + 1)] : [],
      );
      if (rests.length) follow(path, inner, rests);
    }
  };
  const list = (folder: string) => {
    let known = listed.get(folder);
    if (known) return known;
    folders.set(folder, stampOf(folder)); // before the look: what changes in between is noticed next time
    listed.set(folder, (known = entriesOf(folder)));
    return known;
  };
  // Goes from existing names to their rows: most places do not exist, and their rows cost nothing.
  for (const base of bases)
    for (const entry of list(base.at)) {
      const rows = base.table.get(entry.name.toLowerCase());
      if (rows)
        follow(
          base.at,
          entry,
          rows.map((row) => row.path.slice(entry.name.length + 1)),
        );
    }
  return { links, folders, at };
}

function* rowsOnDisk(
  bases: readonly ProtectedBase[],
): Generator<{ base: ProtectedBase; row: ProtectedRow; folder: string; rest: string }> {
  for (const base of bases) {
    if (base.at === "/") continue;
    for (const rows of base.table.values())
      for (const row of rows) {
        const names = row.path.split("/");
        const wild = names.findIndex((n) => n.includes("*"));
        const cut = wild < 0 ? names.length - 1 : wild;
        yield { base, row, folder: join(base.at, ...names.slice(0, cut)), rest: names.slice(cut).join("/") };
      }
  }
}

function look(path: string, match: Match, found: ExistingProtectedFile[]): void {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat?.isFile()) found.push({ path, identity: `${stat.dev}:${stat.ino}`, match });
  } catch {
    // not to be looked at (permission, loop): its name still protects it
  }
}

type Visit = (path: string, names: string[]) => void;

function walk(root: string, below: string, depth: number, left: { entries: number }, visit: Visit): void {
  for (const entry of entriesOf(join(root, below))) {
    if (--left.entries < 0) return;
    const relative = below ? `${below}/${entry.name}` : entry.name;
    if (!entry.isDirectory()) visit(join(root, relative), relative.split("/"));
    else if (depth > 1 && entry.name !== "node_modules") walk(root, relative, depth - 1, left, visit);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no such folder, or not ours to read: nothing to find
  }
}
