// Messages that claim passing tests: refused where the last run failed, told where no run since the last edit shows it.
import { at, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { claimsSuccess } from "./success-claim.js";
import { workMemory } from "./work-memory.js";

export const unprovedClaims = gate<{ unproved: number }, DisciplineOptions>({
  id: "discipline/claims",
  title: "Claims need evidence",
  about:
    "Refuses the end of a turn whose last message says that tests pass while the last test run of the session " +
    "failed, whether or not something was edited. Where no run succeeded after the last edit, the claim is " +
    "counted, and both the agent and the user are told.",
  remedy: "Run the tests until they succeed, or say what failed.",
  window: "The last test run of the session; one turn's end is refused at most `maxStopBlocks` times.",
  reset: "A successful run, an answer without the claim, or the limit.",
  on: at("turn.end"),
  onError: "pass",
  state: { scope: "session", initial: { unproved: 0 } },
  judge({ event, facts, recall, state }) {
    const { edits, lastEditAt, runs } = recall(workMemory);
    const message = event.turn?.lastMessage ?? "";
    const last = runs.findLast((r) => r.level === "test");
    if ((!edits && last?.ok !== false) || !claimsSuccess(message)) return;
    if (last?.ok === false && !namesFailure.test(message)) {
      state.update((s) => void s.unproved++);
      const command = inert(facts.unmasked(last.command), 100);
      return deny({
        what: "the end of the turn with the words that tests pass",
        why: `the last run failed: ${command}${last.failed ? ` (${last.failed} failed)` : ""}`,
        next: "say what failed; or make it pass and run it again",
      });
    }
    if (runs.some((r) => r.at >= lastEditAt && r.ok === true && r.level === "test")) return;
    state.update((s) => void s.unproved++);
    return note(
      "The answer says that tests pass; no successful run after the last edit shows it (unproved claims " +
        `this session: ${state.value.unproved}).`,
      "both",
    );
  },
});

/** "All tests pass except two" is no false claim. */
const namesFailure = /\b(?:except|apart from|aside from|other than)\b|\bstill fail|\b[1-9]\d* (?:tests? )?fail/i;
