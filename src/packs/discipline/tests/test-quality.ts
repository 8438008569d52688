// Tests are not weakened to make them pass: assertions that cannot fail, removed tests and skipped tests.
// Invariant: the first time is a warning; what the user asked for is never refused.

import { belowRoot, type Change } from "../../../facts/changes.js";
import type { EditFact } from "../../../facts/edit.js";
import type { Facts } from "../../../facts/index.js";
import { casesOf, lostCases, movedCases } from "../../../facts/moved-tests.js";
import { testChange, testFilePattern } from "../../../facts/test-changes.js";
import { before, gate, type Project, type Slice } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { ask, deny, note } from "../../../model/verdict.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { withoutOwn } from "../edits.js";
import { taskMemory } from "../prompts/task-memory.js";
import { type WorkState, workMemory } from "../verification/work-memory.js";

interface TestQualityState {
  warned: string[];
  /** Names of tests that were removed after a warning and have not come back in another file, masked. */
  lost?: string[];
}

export const testQuality = gate<TestQualityState, DisciplineOptions>({
  id: "discipline/test-quality",
  title: "Tests are not weakened",
  about:
    "Watches edits and deletions of test files. An assertion that cannot fail gets a warning the first " +
    "time and is refused after that. Removing, skipping or isolating tests gets a warning the first time " +
    "and needs the user's yes after that, unless the user's prompt asked for it. A test that stands in another " +
    "file edited in this session was moved.",
  remedy:
    "Assert something the code can get wrong. Keep the test and fix the code, or ask the user whether the " +
    "test may go.",
  window: "Warnings count for the session.",
  reset: "A new session, or a prompt that asks to remove tests.",
  on: before("edit", "write", "shell"),
  onError: "pass",
  state: { scope: "session", initial: { warned: [] } },
  judge({ facts, state, recall, event, project }) {
    const { hollow, dropped, skipped, where, lost } = weakening(facts, recall(workMemory), project);
    if (state.value.lost?.length) takeBack(facts, state);
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
    if (first("weaker")) {
      if (!skipped) keepLost(state, lost.map(facts.mask));
      return note(
        `${where}: this ${what}. If the code is wrong, fix the code; if the test is, say so in your ` +
          "summary. Next time the user is asked.",
      );
    }
    return ask({
      what: `${event.tool!.name} ${where}: ${what}`,
      why: "fewer tests run after this than before",
      next: "the user decides; otherwise keep the test and fix the code",
    });
  },
});

const testData =
  /(?:^|\/)(?:fixtures?|testdata|__snapshots__|__fixtures__|data|golden|mocks?)\/|\.(?:txt|md|json|ya?ml|csv|snap|log)$/i;

/**
 * A test that gets another name or place is not dropped; data of tests is no test, nor is a program built from them or
 * a file that is not there.
 */
function goneTests(facts: Facts, made: readonly string[] | undefined, project: Project) {
  const moved = facts.changes.some(
    (c) =>
      c.kind === "write" && c.below !== undefined && (testFilePattern.test(c.below) || /tests?|specs?/i.test(c.below)),
  );
  const gone = withoutOwn(facts.changes, made).filter(
    (c) =>
      c.kind === "delete" &&
      c.below !== undefined &&
      testFilePattern.test(c.below) &&
      !testData.test(c.below) &&
      (c.broad === true || project.read(c.below) !== undefined),
  );
  const moves = facts.effects.some((e) => e.kind === "delete" && (e.how === "move" || e.how === "git"));
  return moves && moved ? [] : gone;
}

/** Lost tests that this edit puts into a test file are back; with the last of them the warning goes. */
function takeBack({ edit, mask }: Facts, state: Slice<TestQualityState>): void {
  if (!edit?.after || !testFilePattern.test(edit.path)) return;
  const added = new Set(lostCases(edit.after, edit.before ?? "").map((c) => mask(c.name)));
  if (!state.value.lost!.some((name) => added.has(name))) return;
  state.update((s) => {
    s.lost = s.lost!.filter((name) => !added.has(name));
    if (!s.lost.length) s.warned = s.warned.filter((kind) => kind !== "weaker");
  });
}

function keepLost(state: Slice<TestQualityState>, names: readonly string[]): void {
  if (names.length) state.update((s) => void (s.lost = [...(s.lost ?? []), ...names].slice(-50)));
}

interface Weakening {
  hollow: string[];
  dropped: number;
  skipped: number;
  where: string;
  /** Names of tests that are gone. */
  lost: string[];
}

function weakening(facts: Facts, work: Readonly<WorkState>, project: Project): Weakening {
  const gone = goneTests(facts, work.made, project);
  const { edit } = facts;
  const none: Weakening = { hollow: [], dropped: 0, skipped: 0, where: facts.targets[0]?.given ?? "", lost: [] };
  if (gone.length) return withoutKept(gone, none, work, project);
  if (!edit || !testFilePattern.test(edit.path) || edit.after === undefined) return none;
  const change = { ...none, ...testChange(edit.before ?? "", edit.after) };
  return change.dropped ? withoutMoved(change, edit, work.files, project) : change;
}

function withoutKept(gone: readonly Change[], none: Weakening, { files }: Readonly<WorkState>, project: Project) {
  const left = gone.filter((c) => !allMoved(project.read(c.below!) ?? "", elsewhere(c.below!, files, project)));
  return left.length ? { ...none, dropped: left.length, where: left[0]!.shown } : none;
}

/** The test files this session has edited, but for one. */
const elsewhere = (path: string, files: readonly string[], project: Project): string[] =>
  files
    .filter((f) => f !== path && testFilePattern.test(f))
    .slice(-20)
    .flatMap((f) => project.read(f) ?? []);

function withoutMoved(found: Weakening, edit: EditFact, files: readonly string[], project: Project): Weakening {
  const lost = lostCases(edit.before ?? "", edit.after ?? "");
  const moved = movedCases(lost, elsewhere(belowRoot(project.root, edit.path) ?? "", files, project));
  return {
    ...found,
    dropped: Math.max(0, found.dropped - moved.length),
    lost: lost.filter((c) => !moved.includes(c)).map((c) => c.name),
  };
}

function allMoved(text: string, elsewhere: readonly string[]): boolean {
  const cases = casesOf(text);
  return cases.length > 0 && movedCases(cases, elsewhere).length === cases.length;
}
