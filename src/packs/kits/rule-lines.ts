// A phase's rules as lines for its prompt, from the same tables the gates judge by.
import type { KitOptions, PlaceName } from "./kit-options.js";
import type { CommandRuleName, PhaseRules } from "./phase-rules.js";

const commandLines: Readonly<Record<CommandRuleName, string>> = {
  "lake-clean": "lake clean and deleting .lake are refused.",
  "raw-lake-build":
    '`lake build` with all its output is refused: `lake build > "$RUN_ROOT/artifacts/build.log" 2>&1`, then ' +
    "`interlock query-log lean-summary $RUN_ROOT/artifacts/build.log`, or end it with `2>&1 | tail -40`.",
  "run-experiment": "Training and evaluation programs are not run.",
  "update-snapshots": "Stored snapshots are not updated.",
  "direct-agent": "No other agent is started from the shell.",
  "inline-code": "Inline code (python -c, node -e) whose effects can't be known is refused.",
  privilege: "No sudo.",
};

export function ruleLines(rules: PhaseRules, options: KitOptions, results?: string): string[] {
  const globs = (names: readonly PlaceName[]) =>
    [...new Set(names.flatMap((name) => options.places[name].flatMap((glob) => glob.split("\n"))))].join(" ");
  return [
    `${rules.why[0]!.toUpperCase()}${rules.why.slice(1)}.`,
    ...(rules.writable ? [`You may write only: ${globs(rules.writable) || "nothing"}`] : []),
    ...(rules.locked?.length ? [`Locked: ${globs(rules.locked)}`] : []),
    ...(rules.earlierResults ? [`Results go to ${results ?? "the run's own folder"}; other results are locked.`] : []),
    ...rules.commands.map((name) => commandLines[name]),
  ];
}
