// Turns rows that say which arguments of a tool are read, written, deleted or run into tool families.
// Invariant: an operand or option argument with a role always becomes an effect, static or not.

import type { PathHow } from "../../model/effect.js";
import { isStreamPath } from "../analyze/paths.js";
import type { Arg, Emit, Invocation, ToolFamily } from "../analyze/tool.js";
import { parse, type Style, syntax } from "./options.js";

/** What a word means: a path that is read, written, deleted; shell text; a program; or nothing of interest. */
export type Role = "read" | "write" | "delete" | "shell" | "program" | "none";

export interface Row {
  /** Base names, separated by spaces. */
  names: string;
  /** Options with an argument that has a role: "o|output=": "write". */
  options?: Record<string, Role>;
  /** Further options that take an argument, in the notation of `syntax`. */
  takes?: string;
  /** Operands by position, the last role repeats. Default: all are read. */
  operands?: Role | readonly Role[];
  /** The first operand is no path (a pattern, a filter) unless one of these options is given. */
  pattern?: { unless: readonly string[] };
  style?: Style;
  /** What exactly happens to the operands. */
  how?: PathHow;
}

export function families(rows: readonly Row[]): ToolFamily[] {
  return rows.map(family);
}

export function apply(role: Role, word: Arg, reason: string, emit: Emit, how?: PathHow): void {
  if (role === "none" || (role !== "shell" && isStream(word))) return;
  if (role === "shell") emit.shell(word, reason);
  else if (role === "program") emit.run([word], reason);
  else emit[role](word, reason, how === undefined ? {} : { how });
}

/** Standard streams written as a word: nothing on disk is meant. */
export const isStream = (word: Arg): boolean => word.value === "-" || isStreamPath(word.value ?? "");

const isHelp = (arg: Arg | undefined) => arg?.value === "--help" || arg?.value === "--version";

/**
 * `--help` and `--version` end a program before it does anything, unless they stand behind `--` or where an option's
 * argument can stand (`wget -O --help`).
 */
export function asksHelp(call: Invocation): boolean {
  const end = call.args.findIndex((arg) => arg.value === "--");
  const words = end < 0 ? call.args : call.args.slice(0, end);
  return words.some(
    (arg, index) =>
      isHelp(arg) &&
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

/** Code runs that this analysis does not see through. */
export function executes(call: Invocation, emit: Emit, reason: string): void {
  emit.effect({ kind: "exec", program: call.name, argv: call.args.map((arg) => arg.value), reason });
}

function family(row: Row): ToolFamily {
  const roles = new Map<string, Role>();
  for (const [spelling, role] of Object.entries(row.options ?? {}))
    roles.set(spelling.replace(/=\??$/, "").split("|").at(-1)!, role);
  const grammar = syntax(`${Object.keys(row.options ?? {}).join(" ")} ${row.takes ?? ""}`, row.style);
  const operandRoles: readonly Role[] = typeof row.operands === "string" ? [row.operands] : (row.operands ?? ["read"]);
  return {
    names: row.names.split(" "),
    lower(call, emit) {
      if (asksHelp(call)) return;
      const given = parse(call.args, grammar);
      for (const { name, value } of given.options)
        if (value) apply(roles.get(name) ?? "none", value, `${call.name} option ${name}`, emit);
      const skip = row.pattern && !given.has(...row.pattern.unless) ? 1 : 0;
      given.operands.slice(skip).forEach((word, position) => {
        const role = operandRoles[Math.min(position, operandRoles.length - 1)]!;
        apply(role, word, `${call.name} ${word.source}`, emit, row.how);
      });
    },
  };
}
