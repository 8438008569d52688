// Lessons from failed verification: each kind of failure once, dated, with the files it names.
// Invariant: only a run of tests or checks that is known to have failed counts; nothing is refused.
import { join } from "node:path";
import { addLesson } from "../../../intents/lessons.js";
import { after, failed, gate, type Project } from "../../../model/gate.js";
import type { IntentOptions } from "../intent-options.js";
import { selectedIntent } from "../selection-memory.js";

export const failureLessons = gate<undefined, IntentOptions>({
  id: "intent/lessons",
  title: "Failed verification leaves a lesson",
  about:
    "When tests or checks fail, appends a dated line with the failure and the files it names to " +
    "`.orchestration/AGENT.md` (or the file configured), each kind of failure once.",
  remedy: "Nothing is refused here; `lessons: { enabled: false }` switches it off.",
  on: [...after("shell"), ...failed("shell")],
  onError: "pass",
  judge({ facts, config, project, amend, now, recall }) {
    const { run } = facts;
    if (!config.lessons.enabled || run?.ok !== false) return;
    const { failure } = facts;
    if (!failure?.shown) return;
    const { id } = selectedIntent(recall, facts.event);
    const lesson = {
      signature: failure.signature,
      text: failure.shown,
      from: run.runner,
      files: filesIn(facts.event.outcome!.text, project),
      ...(id && { intent: id }),
    };
    const { file, most } = config.lessons;
    amend(join(project.root, file), (text) => addLesson(text, lesson, now, most));
  },
});

const mostCandidates = 30;
const mostNamed = 3;

/** Files of the project that the output names, in order. */
function filesIn(output: string, project: Project): string[] {
  const names = [
    ...output.slice(0, 50_000).matchAll(/(?:^|[\s("'`@])((?:[\w.@+-]+\/)*[\w.@+-]+\.\w{1,8})(?=[:)\s"'`,]|$)/g),
  ];
  const found = new Set<string>();
  for (const [, name] of names.slice(0, mostCandidates)) {
    const below = name!.replace(/^\.\//, "");
    if (!below.startsWith(".") && project.exists(below) && found.size < mostNamed) found.add(below);
  }
  return [...found];
}
