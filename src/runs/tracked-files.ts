// The files a list of globs names, with their stat data.
// Invariant: links are not followed and untracked folders not entered; every match is counted, whatever is kept of
// it later.
import { type Dirent, lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { compileGlob, matchCompiled } from "../project/globs.js";
import { untrackedFolders } from "./tracked-defaults.js";

export interface TrackedFile {
  /** Relative to the project, with "/". */
  path: string;
  bytes: number;
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
}

/** Whether nothing was written between two looks at the same path, as far as stat data show. */
export const sameStat = (a: Omit<TrackedFile, "path">, b: Omit<TrackedFile, "path">): boolean =>
  a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.bytes === b.bytes && a.ino === b.ino;

export const changedMs = (file: TrackedFile): number => Math.max(file.mtimeMs, file.ctimeMs);

/** Sorted by path. Folders of our own (runs, interop) are left out unless a glob begins with them. */
export function trackedFiles(
  project: string,
  globs: readonly string[],
  /** Called for each file as it is found. */
  seen?: (file: TrackedFile) => void,
): TrackedFile[] {
  const files: TrackedFile[] = [];
  const starts = startingPoints(globs);
  // Two starting points may lead to the same file.
  const once = starts.length > 1 ? new Set<string>() : undefined;
  const add = (file: TrackedFile) => {
    if (once?.has(file.path)) return;
    once?.add(file.path);
    files.push(file);
    seen?.(file);
  };
  const look: Look = { project, globs, compiled: globs.map(compileGlob), add };
  for (const start of starts) walk(look, start);
  return isSorted(files) ? files : files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isSorted(files: readonly TrackedFile[]): boolean {
  for (let i = 1; i < files.length; i++) if (files[i - 1]!.path > files[i]!.path) return false;
  return true;
}

interface Look {
  project: string;
  globs: readonly string[];
  compiled: readonly string[];
  add(file: TrackedFile): void;
}

interface Start {
  folder: string;
  /** Everything below it is wanted: no need to match each path. */
  whole: boolean;
}

/** The fixed folders globs begin with, each once; `docs/**` needs no look at the rest of the project. */
function startingPoints(globs: readonly string[]): Start[] {
  const starts = new Map<string, boolean>();
  for (const glob of globs) {
    const names = glob
      .replace(/^(?:\.?\/)+/, "")
      .replace(/\/$/, "/**")
      .split("/");
    const wild = names.findIndex((name) => /[*?[\]{}\\!]/.test(name));
    const fixed = wild < 0 ? names.slice(0, -1) : names.slice(0, wild);
    const whole = wild === names.length - 1 && names[wild] === "**";
    const folder = fixed.join("/");
    starts.set(folder, whole || starts.get(folder) === true);
  }
  return [...starts].map(([folder, whole]) => ({ folder, whole }));
}

const skipped = new Set(untrackedFolders);
const own = new Set(["runs", "interop"]);

function walk(look: Look, start: Start): void {
  const deep = start.whole || look.globs.some((g) => g.includes("**") || /[*?[{].*\//.test(g));
  if (start.whole) wholeFolder(look, start.folder);
  else matching(look, start.folder, deep);
}

const isEntered = (folder: string, name: string): boolean => !skipped.has(name) && !(folder === "" && own.has(name));

/** Everything below: one look at each name tells a file from a folder. In the order of paths, as far as names go. */
function wholeFolder(look: Look, folder: string): void {
  const at = folder ? `${look.project}/${folder}` : look.project;
  for (const name of namesIn(at).sort()) {
    const path = folder ? `${folder}/${name}` : name;
    const stat = lstatSync(`${at}/${name}`, ifThere);
    if (stat?.isFile()) look.add(trackedFile(path, stat));
    else if (stat?.isDirectory() && isEntered(folder, name)) wholeFolder(look, path);
  }
}

/** What a glob matches: only that is looked at closer. */
function matching(look: Look, folder: string, deep: boolean): void {
  for (const entry of entriesIn(join(look.project, folder))) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (deep && isEntered(folder, entry.name)) matching(look, path, deep);
    } else if (entry.isFile() && matchCompiled(look.compiled, path)) {
      const stat = lstatSync(`${look.project}/${path}`, ifThere);
      if (stat?.isFile()) look.add(trackedFile(path, stat));
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not there, or closed to us: nothing is tracked in it
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // as above
  }
}

const ifThere = { throwIfNoEntry: false } as const;

const trackedFile = (path: string, stat: Stats): TrackedFile => ({
  path,
  bytes: stat.size,
  ino: stat.ino,
  mtimeMs: stat.mtimeMs,
  ctimeMs: stat.ctimeMs,
});
