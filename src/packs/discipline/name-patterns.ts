// Matches names and command lines against the short patterns of the configuration.
// Invariant: linear time; no regular expression from outside.
import { resolve } from "node:path";
import type { ProgramCall } from "../../facts/test-runners.js";

/** `*` matches anything; case does not matter. */
export function matchesName(pattern: string, text: string): boolean {
  const parts = pattern.toLowerCase().split("*");
  const value = text.toLowerCase();
  const last = parts.length - 1;
  if (last === 0) return value === parts[0];
  if (!value.startsWith(parts[0]!)) return false;
  let at = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return value.length - parts[last]!.length >= at && value.endsWith(parts[last]!);
}

/** A cache: the configuration has few command lines, and every command is compared with them. */
const split = new Map<string, readonly string[]>();

function wordsOf(words: string): readonly string[] {
  let line = split.get(words);
  if (line) return line;
  if (split.size >= 500) split.clear();
  split.set(words, (line = words.trim().split(/\s+/)));
  return line;
}

/** Options before the sub-command that take a value of their own. */
const valued: Readonly<Record<string, RegExp>> = {
  git: /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/,
  gh: /^(?:-R|--repo|--hostname)$/,
};

/**
 * Whether a command starts with these words, ignoring options between them. A program with a slash is a project file.
 */
export function startsWithWords(program: ProgramCall, words: string, root: string): boolean {
  const line = wordsOf(words);
  const name = line[0]!;
  if (name.includes("/") ? program.path !== resolve(root, name) : program.program !== name) return false;
  let at = 0;
  for (let i = 1; i < line.length; i++) {
    const word = line[i]!;
    while (program.argv[at]?.startsWith("-") && !word.startsWith("-"))
      at += valued[program.program]?.test(program.argv[at]!) ? 2 : 1;
    if (program.argv[at] !== word) return false;
    at++;
  }
  return true;
}

export const startsWithAnyOf = (program: ProgramCall, list: readonly string[], root: string): boolean =>
  list.some((words) => startsWithWords(program, words, root));
