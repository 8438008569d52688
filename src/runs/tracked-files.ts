// The files a list of globs names, with their stat data.
// Invariant: links are not followed and untracked folders not entered; every match is counted, whatever is kept of
// it later.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
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
  const found = new Map<string, TrackedFile>();
  const add = (file: TrackedFile) => {
    found.set(file.path, file);
    seen?.(file);
  };
  const compiled = globs.map(compileGlob);
  for (const start of startingPoints(globs)) walk(project, start, globs, compiled, found, add);
  const paths = [...found.keys()].sort();
  return paths.map((path) => found.get(path)!);
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

function walk(
  project: string,
  start: Start,
  globs: readonly string[],
  compiled: readonly string[],
  found: ReadonlyMap<string, TrackedFile>,
  add: (file: TrackedFile) => void,
): void {
  const open = [start.folder];
  const deep = start.whole || globs.some((g) => g.includes("**") || /[*?[{].*\//.test(g));
  while (open.length) {
    const folder = open.pop()!;
    for (const entry of entriesIn(join(project, folder))) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) {
        if (deep && !skipped.has(entry.name) && !(folder === "" && own.has(entry.name))) open.push(path);
      } else if (entry.isFile() && !found.has(path) && (start.whole || matchCompiled(compiled, path))) {
        const file = statOf(project, path);
        if (file) add(file);
      }
    }
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // not there, or closed to us: nothing is tracked in it
  }
}

const ifThere = { throwIfNoEntry: false } as const;

function statOf(project: string, path: string): TrackedFile | undefined {
  const stat = lstatSync(`${project}/${path}`, ifThere);
  if (!stat?.isFile()) return undefined;
  return { path, bytes: stat.size, ino: stat.ino, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs };
}
