// Turns rows that say which arguments of a tool are read, written, deleted or run into tool families.
// Invariant: an operand or option argument with a role always becomes an effect, static or not.

import type { PathHow } from "../../model/effect.js";
import type { Arg, Emit, ToolFamily } from "../analyze/tool.js";
import { asksHelp } from "../spec/help.js";
import { isStream, parse, type Style, syntax } from "../spec/options.js";

export { asksHelp, asksHelpFirst } from "../spec/help.js";
export { isStream } from "../spec/options.js";
export { executes } from "./programs.js";

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
