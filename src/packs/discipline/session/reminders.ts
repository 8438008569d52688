// Reminders at the moments when steps are forgotten: after a failure, many edits, a commit, and in a long session.
// Invariant: notes only; each kind at most once an hour, and none where `reminders` is off.
import { after, failed, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import { failuresMemory } from "../breaker/failures-memory.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { agentKey } from "../research/research-memory.js";
import { workMemory } from "../verification/work-memory.js";

interface RemindersState {
  /** When each kind was last given. */
  last: Record<string, number>;
  calls: number;
}

const hour = 3_600_000;
const manyEdits = 10;
const longSession = 200;

export const reminders = gate<RemindersState, DisciplineOptions>({
  id: "discipline/reminders",
  title: "Reminders where steps are forgotten",
  about:
    "Reminds the agent: after the second failure in a row, to read the error before it tries again; after ten edited " +
    "files without a test run, to run the tests; after a commit with unverified files, to verify; and in a " +
    "session of " +
    "more than 200 calls, to write down where the work stands.",
  remedy: "Nothing is refused. `reminders: false` turns them off.",
  window: "Each kind at most once an hour, per session.",
  reset: "A new session.",
  on: [...after(), ...failed()],
  onError: "pass",
  state: { scope: "session", initial: { last: {}, calls: 0 } },
  judge({ event, facts, config, recall, state, now }) {
    if (!config.reminders) return;
    state.update((s) => void s.calls++);
    const found = kindOfReminder();
    if (!found || now - (state.value.last[found[0]] ?? 0) < hour) return;
    state.update((s) => void (s.last[found[0]] = now));
    return note(found[1]);

    function kindOfReminder(): readonly [string, string] | undefined {
      const { unverified } = recall(workMemory);
      const { row, tripped } = recall(failuresMemory);
      if (event.kind === "tool.failed" && !tripped && (row[agentKey(event)] ?? 0) === 2)
        return ["failure", "Two failures in a row. Read the whole error and the code it names before the next try."];
      if (event.kind !== "tool.after") return undefined;
      if (facts.shell?.commits.length && unverified.length)
        return ["commit", `Committed with ${unverified.length} files that were not verified since. Run the tests.`];
      if (unverified.length >= manyEdits)
        return ["edits", `${unverified.length} files were edited since the last test run. Run the tests now.`];
      return state.value.calls > longSession
        ? ["context", "This is a long session. Write down what is done and what is open before it is forgotten."]
        : undefined;
    }
  },
});
