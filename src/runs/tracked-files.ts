// The files a list of globs names, with their stat data.
// Invariant: links are not followed and untracked folders not entered; every match is counted, whatever is kept of it later.
import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compileGlob, matchCompiled } from "../project/globs.js";
import { untrackedFolders } from "./tracked-defaults.js";

export interface TrackedFile {
  /** Relative to the project, with "/". */
  path: string;
  bytes: number;
  /** Changes with any write: inode, size, both times. */
  stamp: string;
  changedMs: number;
}

/** Sorted by path. Folders of our own (runs, interop) are left out unless a glob begins with them. */
export function trackedFiles(project: string, globs: readonly string[]): TrackedFile[] {
  const found = new Map<string, TrackedFile>();
  const compiled = globs.map(compileGlob);
  for (const start of startingPoints(globs)) walk(project, start, globs, compiled, found);
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
  found: Map<string, TrackedFile>,
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
        if (file) found.set(path, file);
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
  return {
    path,
    bytes: stat.size,
    stamp: `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`,
    changedMs: Math.max(stat.mtimeMs, stat.ctimeMs),
  };
}
