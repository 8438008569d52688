// A turn does not end while edited code is not verified.
import { at, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny, note } from "../../../model/verdict.js";
import { failuresMemory } from "../breaker/failures-memory.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { testCommand } from "./test-command.js";
import { workMemory } from "./work-memory.js";

export const verification = gate<undefined, DisciplineOptions>({
  id: "discipline/verification",
  title: "Edited code is verified before the turn ends",
  about:
    "Refuses the end of a turn in which code was edited and not verified since. A verification is a test " +
    "run whose own exit code and summary were seen, or a type check or build where the project has no " +
    "tests. Documents and images need none. If no test command is known, the user is told instead; while " +
    "the breaker refuses changes, the turn may end.",
  remedy: "Run the command the message names, on its own, until it succeeds.",
  window: "From the edit to the next successful run; one turn's end is refused at most `maxStopBlocks` times.",
  reset: "A successful run, or the limit.",
  on: at("turn.end"),
  onError: "pass",
  judge({ event, recall, project, config }) {
    const { unverified, runs, lastEditAt, editedNow } = recall(workMemory);
    const { tripped, half } = recall(failuresMemory);
    if (!unverified.length || !editedNow || event.turn?.backgroundTasks || (tripped && !half)) return;
    const command =
      config.verify.commands[0] ?? testCommand(project) ?? runs.findLast((r) => r.level === "test")?.command;
    const more = unverified.length - 4;
    const files = `${unverified.slice(0, 4).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    if (!command && !runs.length)
      return note(
        `Edited without verification: ${inert(files, 160)}. No test command is known; name one in ` +
          "interlock.yaml (packs.discipline.verify.commands).",
        "person",
      );
    const last = runs.findLast((r) => r.at >= lastEditAt);
    const found = !last
      ? "nothing was run since"
      : last.ok === false
        ? `the last run failed (${last.runner}${last.failed ? `, ${last.failed} failed` : ""})`
        : (last.why ?? `${last.runner} is not enough proof here`);
    return deny({
      what: "the end of the turn",
      why: `edited since the last successful verification: ${files}; ${found}`,
      next:
        `run \`${inert(command ?? "the tests", 100)}\` on its own; if it can't pass, say so to the user ` +
        "with its output",
    });
  },
});
