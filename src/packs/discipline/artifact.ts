// Release artifacts and where they stand: command patterns, hashes, sizes, the commit at hand. Invariant: reads only; what can't be read is undefined.
import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Project } from "../../engine/gate.js";
import type { Program } from "../../facts/runners.js";
import { hashFile } from "../../files/hash.js";
import { like } from "./names.js";

export interface Bound {
  file?: string;
  to?: string;
  dir?: string;
}

/** Matches "wrangler r2 object put {to} --file {file}" against a command; undefined when it is another command. */
export function matchCommand(pattern: string, { program, argv }: Program, artifact?: string): Bound | undefined {
  const [name, ...words] = pattern.split(/\s+/);
  if (program !== name) return undefined;
  const bound: Bound = {};
  const args = argv.map((a) => a ?? "\0");
  const wanted: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const option = words[i]!;
    if (!option.startsWith("-")) wanted.push(option);
    else if (words[i + 1]?.startsWith("{")) {
      const at = args.findIndex((a) => a === option || a.startsWith(`${option}=`));
      if (at < 0) return undefined;
      const [value] =
        args[at] === option ? args.splice(at, 2).slice(1) : [args.splice(at, 1)[0]!.slice(option.length + 1)];
      bind(bound, words[++i]!, value);
    } else if (!args.includes(option)) return undefined;
  }
  const plain = args.filter((a) => !a.startsWith("-"));
  let at = 0;
  for (const word of wanted) {
    if (!word.startsWith("{")) {
      if (plain[at++] !== word) return undefined;
    } else if (word === "{file}" && artifact !== undefined) {
      const found = plain.slice(at).find((a) => a === "\0" || like(artifact, basename(a)));
      if (found === undefined) return undefined;
      bind(bound, word, found);
    } else bind(bound, word, plain[at++]);
  }
  return bound;
}

function bind(bound: Bound, word: string, value: string | undefined): void {
  const key = word.slice(1, -1) as keyof Bound;
  if (value !== undefined && !value.includes("\0")) bound[key] = value;
}

const maxBytes = 2 * 1024 ** 3;

export const artifactHash = (path: string): string | undefined => hashFile(path, maxBytes);

/** The size of a file with this name in the project or one of the usual output folders. */
export function localSize(project: Project, name: string): number | undefined {
  for (const folder of [".", "dist", "build", "release", "releases", "out"]) {
    const stat = statSync(join(resolve(project.root, folder), basename(name)), { throwIfNoEntry: false });
    if (stat?.isFile()) return stat.size;
  }
  return undefined;
}

/** The commit HEAD points to, from git's own files. */
export function headCommit({ read, gitDir, commonDir }: Project): string | undefined {
  if (!gitDir) return undefined;
  const head = read(join(gitDir, "HEAD"))?.trim();
  const ref = head && /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (!ref) return head && /^[0-9a-f]{40,64}$/.test(head) ? head : undefined;
  const loose = read(join(gitDir, ref)) ?? (commonDir ? read(join(commonDir, ref)) : undefined);
  if (loose) return loose.trim();
  const packed = read(join(commonDir ?? gitDir, "packed-refs")) ?? "";
  return packed
    .split("\n")
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(" ")[0];
}
