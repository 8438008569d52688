// A cache of shell analyses: a call is judged before and after it runs, and agents repeat their commands.
// Invariant: only what depends on nothing but the text is kept; an analysis that read a file is made anew each time.
import { existsSync, readdirSync, statSync } from "node:fs";
import type { Analysis, ShellContext } from "../shell/index.js";

const recent = new Map<string, Analysis>();
const kept = 200;
const longest = 4_096;

export function isFolder(path: string): boolean | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return undefined; // not to be looked at
  }
}

/** Names of the folders in a folder, up to a bound. */
export function foldersOf(path: string): readonly string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules").map(({ name }) => name);
  } catch {
    return []; // no such folder
  }
}

/** Whether this process would find a program of that name. The agent's shell may know a further folder. */
export function isOnPath(name: string): boolean | undefined {
  const folders = process.env["PATH"]?.split(":").filter((folder) => folder.startsWith("/"));
  return folders?.length ? folders.slice(0, 64).some((folder) => existsSync(`${folder}/${name}`)) : undefined;
}

type Analyse = (command: string, context: ShellContext) => Analysis;

export function analysed(analyse: Analyse, command: string, context: ShellContext): Analysis {
  if (command.length > longest) return analyse(command, context);
  const { cwd, root, home, wrappers, programs } = context;
  const name = JSON.stringify([command, cwd, root, home, wrappers, programs]);
  const known = recent.get(name);
  if (known) return known;
  let looked = false;
  const noting =
    <A extends unknown[], R>(look: (...args: A) => R) =>
    (...args: A): R => {
      looked = true;
      return look(...args);
    };
  const fresh = analyse(command, {
    ...context,
    readFile: noting((path: string) => context.readFile?.(path)),
    isDirectory: noting((path: string) => context.isDirectory?.(path)),
    archives: noting(() => context.archives?.()),
  });
  if (looked) return fresh;
  if (recent.size >= kept) recent.delete(recent.keys().next().value!);
  recent.set(name, fresh);
  return fresh;
}
