// The commands of a finished shell call whose own success was seen.
// Invariant: a hidden, missing or borrowed exit code is no success; a help text is no deed.
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

/** A second call of the same program must not lend the first one its exit code. */
function ownExit(text: string, { program }: ProgramCall, commands: readonly ProgramCall[]): boolean {
  const again = commands.filter((c) => c.program === program).length > 1;
  return hiding(text, [program], again ? "first" : "last") === "no";
}

/** Besides what the pattern itself says. */
export const asksForHelp = (argv: ProgramCall["argv"], pattern = ""): boolean =>
  argv.some((w) => (w === "--help" || w === "-h" || w === "--version") && !pattern.split(/\s+/).includes(w));

/** A configured command line, called in the project and for what it does. */
export const isConfiguredCall = (command: Ran, words: string, root: string): boolean =>
  startsWithWords(command, words, root) &&
  !asksForHelp(command.argv, words) &&
  (command.cwd === undefined || belowRoot(root, command.cwd) !== undefined);
