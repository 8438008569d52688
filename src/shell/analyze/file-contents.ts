// What a file holds when a command reads it: written earlier in the same text, an open descriptor, or on disk.
// Invariant: on disk only files below the project are read, and only up to a bound.
import { isInside, resolvePath } from "./paths.js";
import type { RunContext } from "./run-context.js";
import type { Arg } from "./tool.js";
import type { Analyzer } from "./walk.js";

const largestScript = 64 * 1024;

export interface FileContents {
  text?: string;
  /** Where the text is not known: the pieces of it that are. */
  pieces?: string;
  /** Programs whose output it carries. */
  from: string[];
  path?: string;
}

export function fileContents({ options, written }: Analyzer, { scope }: RunContext, file: Arg): FileContents {
  if (file.process) return { text: file.process.text, from: file.process.from };
  const path = file.value === undefined ? undefined : resolvePath(scope.cwd, file.value);
  if (path === undefined) return { from: [] };
  const number = /^\/(?:dev\/fd|proc\/(?:self|thread-self)\/fd)\/(\d+)$/.exec(path)?.[1];
  const opened = number === undefined ? undefined : scope.descriptor(number)?.input;
  if (opened) return opened;
  const made = written.get(path);
  if (made) return { ...made, path };
  if (!isInside(path, options.root ?? options.cwd) && path !== `${options.home}/.gitconfig`) return { from: [], path };
  const text = options.readFile?.(path);
  return { text: text !== undefined && text.length <= largestScript ? text : undefined, from: [], path };
}
