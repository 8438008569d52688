// A big task runs in a loop with acceptance criteria and a limited number of iterations.
import { before, gate } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { describeEdits, editsOf, withoutOwn } from "../edits.js";
import { onlyProse } from "../files/path-forms.js";
import { taskMemory } from "../prompts/task-memory.js";
import { workMemory } from "../verification/work-memory.js";
import { loopMemory as memory } from "./loop-memory.js";

/** No angle brackets: text that looks like a tag is escaped on its way to the agent. */
const start = 'interlock loop start "THE TASK" --criterion "WHAT MUST HOLD" [--criterion ...]';

export const taskLoop = gate<undefined, DisciplineOptions>({
  id: "discipline/loop",
  title: "Big tasks run in a loop with acceptance criteria",
  about:
    "Refuses changes for a big task, or a task whose prompt asks for a loop, while no loop is active; and " +
    "for any task once the active loop has used up its iterations. A test run after edits and `interlock " +
    "loop log` each count as one iteration.",
  remedy:
    "Run `interlock loop start` with acceptance criteria. At the limit run `interlock loop complete`, or " +
    "`interlock loop cancel` and start a new loop with what is left.",
  window: "From start to complete or cancel; at most 20 iterations (`loop.maxIterations`).",
  reset: "The user types `sl-`, or `interlock loop cancel`.",
  on: before(),
  onError: "pass",
  judge({ facts, config, recall }) {
    const { active } = recall(memory);
    const { big, asks } = recall(taskMemory);
    const wanted = (big && config.loop.bigTasks) || asks.includes("loop");
    const spent = active !== undefined && active.iteration >= active.max;
    if (!spent && (active || !wanted)) return;
    const edits = withoutOwn(editsOf(facts, config), recall(workMemory).made);
    if (!edits.length) return;
    // A document says what is to be done; no criterion can be checked on it.
    if (!spent && !asks.includes("loop") && onlyProse(edits, facts, config)) return;
    if (spent)
      return deny({
        what: describeEdits(facts, edits),
        why: `the loop has used its ${active.max} iterations`,
        next:
          "run `interlock loop status`, report to the user, then `interlock loop complete` or `interlock " +
          "loop cancel`",
      });
    return deny({
      joins: true,
      what: describeEdits(facts, edits),
      why: "this is a big task and no loop with acceptance criteria is active",
      next: `run: ${start}`,
    });
  },
});
