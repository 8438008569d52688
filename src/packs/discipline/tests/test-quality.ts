// Tests are not weakened to make them pass: assertions that cannot fail, removed tests and skipped tests.
// Invariant: the first time is a warning; what the user asked for is never refused.

import type { Facts } from "../../../facts/index.js";
import { testChange, testFilePattern } from "../../../facts/test-changes.js";
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { ask, deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { withoutOwn } from "../edits.js";
import { taskMemory } from "../prompts/task-memory.js";
import { workMemory } from "../verification/work-memory.js";

export const testQuality = gate<{ warned: string[] }, DisciplineOptions>({
  id: "discipline/test-quality",
  title: "Tests are not weakened",
  about:
    "Watches edits and deletions of test files. An assertion that cannot fail gets a warning the first " +
    "time and is refused after that. Removing, skipping or isolating tests gets a warning the first time " +
    "and needs the user's yes after that, unless the user's prompt asked for it.",
  remedy:
    "Assert something the code can get wrong. Keep the test and fix the code, or ask the user whether the " +
    "test may go.",
  window: "Warnings count for the session.",
  reset: "A new session, or a prompt that asks to remove tests.",
  on: before("edit", "write", "shell"),
  onError: "pass",
  state: { scope: "session", initial: { warned: [] } },
  judge({ facts, state, recall, event }) {
    const { hollow, dropped, skipped, where } = weakening(facts, recall(workMemory).made);
    const first = (kind: string) => {
      if (state.value.warned.includes(kind)) return false;
      state.update((s) => void s.warned.push(kind));
      return true;
    };
    if (hollow.length) {
      const why = `this assertion can't fail: ${inert(hollow[0]!, 100)}`;
      if (first("hollow")) return note(`${where}: ${why}. Make it depend on the code; the next one is refused.`);
      return deny({ what: `${event.tool!.name} ${where}`, why, next: "assert a result of the code under test" });
    }
    if ((!dropped && !skipped) || recall(taskMemory).mayDropTests) return;
    const what = [dropped && `drops ${dropped} test${dropped === 1 ? "" : "s"}`, skipped && `skips ${skipped}`]
      .filter(Boolean)
      .join(" and ");
    if (first("weaker"))
      return note(
        `${where}: this ${what}. If the code is wrong, fix the code; if the test is, say so in your ` +
          "summary. Next time the user is asked.",
      );
    return ask({
      what: `${event.tool!.name} ${where}: ${what}`,
      why: "fewer tests run after this than before",
      next: "the user decides; otherwise keep the test and fix the code",
    });
  },
});

const testData =
  /(?:^|\/)(?:fixtures?|testdata|__snapshots__|__fixtures__|data|golden|mocks?)\/|\.(?:txt|md|json|ya?ml|csv|snap|log)$/i;

/** A test that gets another name or place is not dropped; data of tests is no test. */
function goneTests(facts: Facts, made: readonly string[] | undefined) {
  const moved = facts.changes.some(
    (c) =>
      c.kind === "write" && c.below !== undefined && (testFilePattern.test(c.below) || /tests?|specs?/i.test(c.below)),
  );
  const gone = withoutOwn(facts.changes, made).filter(
    (c) => c.kind === "delete" && c.below !== undefined && testFilePattern.test(c.below) && !testData.test(c.below),
  );
  const moves = facts.effects.some((e) => e.kind === "delete" && (e.how === "move" || e.how === "git"));
  return moves && moved ? [] : gone;
}

function weakening(
  facts: Facts,
  made: readonly string[] | undefined,
): { hollow: string[]; dropped: number; skipped: number; where: string } {
  const gone = goneTests(facts, made);
  if (gone.length) return { hollow: [], dropped: gone.length, skipped: 0, where: gone[0]!.shown };
  const { edit } = facts;
  const where = facts.targets[0]?.given ?? "";
  if (!edit || !testFilePattern.test(edit.path) || edit.after === undefined)
    return { hollow: [], dropped: 0, skipped: 0, where };
  return { ...testChange(edit.before ?? "", edit.after), where };
}
