// Whether a call only asks a program for its help or version.
// Invariant: a word that may be another option's argument never counts as such a question.
import type { Arg, Invocation } from "../analyze/tool.js";

const isHelp = (arg: Arg | undefined, oneDash = false) =>
  arg?.value === "--help" || arg?.value === "--version" || (oneDash && arg?.value === "-help");

/**
 * `--help` and `--version` end a program before it does anything, unless they stand behind `--` or where an option's
 * argument can stand (`wget -O --help`).
 */
export function asksHelp(call: Invocation, oneDash = false): boolean {
  const end = call.args.findIndex((arg) => arg.value === "--");
  const words = end < 0 ? call.args : call.args.slice(0, end);
  return words.some(
    (arg, index) =>
      isHelp(arg, oneDash) &&
      (index === 0 || !/^-/.test(words[index - 1]!.value ?? "-")) &&
      // `cargo yank --version 1.0.0`: there it takes an argument.
      !(
        arg.value === "--version" &&
        index > 0 &&
        /^[v^~<>=*]?\d|^$/.test(words[index + 1]?.value ?? (words[index + 1] ? "" : "x"))
      ),
  );
}

/** For tools that hand later words to another program: only the first word asks them for help. */
export const asksHelpFirst = (call: Invocation): boolean => isHelp(call.args[0]);
