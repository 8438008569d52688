// Counts messages that claim passing tests when no run since the last edit shows it.
import { at, gate } from "../../../model/gate.js";
import { note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { claimsSuccess } from "./success-claim.js";
import { workMemory } from "./work-memory.js";

export const unprovedClaims = gate<{ unproved: number }, DisciplineOptions>({
  id: "discipline/claims",
  title: "Claims need evidence",
  about:
    "When the last message of a turn says that tests pass and no run succeeded after the last edit, the " +
    "claim is counted, and both the agent and the user are told.",
  remedy: "Nothing is refused. Run the tests, then say what they showed.",
  window: "Counted for the session and kept in its summary.",
  reset: "A new session.",
  on: at("turn.end"),
  onError: "pass",
  state: { scope: "session", initial: { unproved: 0 } },
  judge({ event, recall, state }) {
    const { edits, lastEditAt, runs } = recall(workMemory);
    if (!edits || !claimsSuccess(event.turn?.lastMessage ?? "")) return;
    if (runs.some((r) => r.at >= lastEditAt && r.ok === true && r.level === "test")) return;
    state.update((s) => void s.unproved++);
    return note(
      "The answer says that tests pass; no successful run after the last edit shows it (unproved claims " +
        `this session: ${state.value.unproved}).`,
      "both",
    );
  },
});
