// The commands of a finished shell call that are known to have succeeded themselves.
// Invariant: an exit code that is hidden, missing or another command's is no success; printing help does not count.
import { belowRoot } from "../../facts/changes.js";
import { hiding } from "../../facts/exit-code.js";
import type { Facts } from "../../facts/index.js";
import { wasStopped } from "../../facts/interrupted.js";
import type { ProgramCall } from "../../facts/test-runners.js";
import type { Ran } from "../../shell/analyze/analysis.js";
import { startsWithWords } from "./name-patterns.js";

export function succeededCommands(facts: Facts): readonly Ran[] {
  const { tool, outcome } = facts.event;
  if (tool?.kind !== "shell" || tool.background || !outcome?.ok || outcome.interrupted || wasStopped(outcome))
    return [];
  const commands = facts.shell?.commands ?? [];
  return commands.filter((c) => ownExit(tool.command!, c, commands));
}

/** With two calls of one program, the exit code of the second says nothing about the first. */
function ownExit(text: string, { program }: ProgramCall, commands: readonly ProgramCall[]): boolean {
  const again = commands.filter((c) => c.program === program).length > 1;
  return hiding(text, [program], again ? "first" : "last") === "no";
}

/** `pattern`: words it contains itself are not taken for a request for help. */
export const asksForHelp = (argv: ProgramCall["argv"], pattern = ""): boolean =>
  argv.some((w) => (w === "--help" || w === "-h" || w === "--version") && !pattern.split(/\s+/).includes(w));

/** Whether a command is a configured one, run in the project and not only for its help. */
export const isConfiguredCall = (command: Ran, words: string, root: string): boolean =>
  startsWithWords(command, words, root) &&
  !asksForHelp(command.argv, words) &&
  (command.cwd === undefined || belowRoot(root, command.cwd) !== undefined);
