// Keeps a file of one work tree out of git by `.git/info/exclude`, which git never commits.
// Invariant: removing what was added leaves the file byte for byte as it was, unless somebody changed that very line.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Repository } from "./identify.js";
import { askGit } from "./run-git.js";

export interface Exclusion {
  /** `.git/info/exclude` of the repository. */
  file: string;
  /** The very text that is appended. */
  added: string;
  made: boolean;
}

/** How a path of the work tree would be kept out of git; undefined where it is already, or where that can't be. */
export function planExclusion({ kind, root, commonDir }: Repository, path: string): Exclusion | undefined {
  if (kind !== "git" || commonDir === undefined || isTracked(root, path) || isIgnored(root, path)) return undefined;
  const file = join(commonDir, "info", "exclude");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const added = `${before === "" || before.endsWith("\n") ? "" : "\n"}/${path}\n`;
  return { file, added, made: !existsSync(file) };
}

export function exclude({ file, added }: Exclusion): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, (existsSync(file) ? readFileSync(file, "utf8") : "") + added);
}

export function undoExclusion({ file, added, made }: Exclusion): void {
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  const at = text.lastIndexOf(added);
  if (at < 0) return;
  const rest = text.slice(0, at) + text.slice(at + added.length);
  if (made && rest === "") rmSync(file);
  else writeFileSync(file, rest);
}

export const isTracked = (root: string, path: string): boolean =>
  askGit(root, ["ls-files", "--error-unmatch", "--", path]) !== undefined;

/** check-ignore refuses to run with literal pathspecs. */
const isIgnored = (root: string, path: string): boolean =>
  askGit(root, ["check-ignore", "-q", "--", path], { env: { GIT_LITERAL_PATHSPECS: "0" } }) !== undefined;

/** The command that shares files with a team. Where a .gitignore keeps one of them out, git wants to be told twice. */
export function gitAddCommand(root: string, paths: readonly string[]): string {
  const ignored = paths.some((path) => !isTracked(root, path) && isIgnored(root, path));
  return `git add ${ignored ? "-f " : ""}${paths.join(" ")}`;
}
