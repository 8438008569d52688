// What the git sub-commands share: the repository they run in and the words they emit with.
// Invariant: a path of a command is resolved against the directory git itself runs in (-C, --work-tree).
import type { Hazard, RewriteHow } from "../../../model/effect.js";
import type { Arg, Emit, Invocation } from "../../analyze/tool.js";
import { literal, type Parsed, parse, syntax } from "../../spec/options.js";

export interface Git {
  call: Invocation;
  emit: Emit;
  verb: string;
  /** Words after the sub-command. */
  args: readonly Arg[];
  /** The work tree, relative to the directory of the call. */
  directory: Arg;
  gitDirectory?: Arg;
  /** key=value given on the command line. */
  settings: readonly Arg[];
  hooksSkipped: boolean;
}

export type Verb = (git: Git) => void;

export function joinDirectory(base: Arg, next: Arg): Arg {
  if (next.value?.startsWith("/") || next.prefix.startsWith("/") || base.value === ".") return next;
  if (base.value === undefined || next.value === undefined) return { source: next.source, prefix: base.value ?? "" };
  const value = `${base.value}/${next.value}`;
  return { source: next.source, value, prefix: value };
}

/** The words of a sub-command by its options, in the notation of `syntax`. */
export const options = (git: Git, ...items: string[]): Parsed => parse(git.args, syntax(items.join(" ")));

/** The repository directory for effects that name it. */
export const repository = (git: Git): string | undefined => git.emit.resolve(git.directory);

/** A path word of the command, seen from the directory of the call. */
export function inRepository(git: Git, path: Arg): Arg {
  const joined = joinDirectory(git.directory, path);
  return path.glob ? { ...joined, glob: true } : joined;
}

/** The whole work tree may change. */
export function writesTree(git: Git, reason: string, hazard?: Hazard): void {
  git.emit.write(git.directory, reason, { recursive: true, how: "git", ...(hazard && { hazard }) });
}

export function rewrites(git: Git, how: RewriteHow, hazard: Hazard): void {
  git.emit.effect({ kind: "rewrite-history", how, repo: repository(git), reason: `git ${git.verb}`, hazard });
}

export { protectedBranch } from "../../../model/branches.js";

/** Paths that are not static or that git takes from a file still mean: something below the tree. */
export const anyPath: Arg = { source: "…", prefix: "" };
export const here = literal(".");
