// The rules of the seed (ADR-002) and the gates that enforce them; which rules matter for which kind of task.
// Invariant: data only. A test compares the gates here with those of the pack.
import type { TaskType } from "../../facts/prompts/prompt.js";
import type { disciplineGateNames } from "./gate-names.js";

export const disciplineRules: readonly string[] = [
  "name it: say what is to be done before doing it",
  "stay in your lane: only files of the project, never secrets or the system",
  "verify, then try: look it up before you change it",
  "two strikes: after repeated failure stop and find the cause",
  "green means go: nothing is finished before its tests pass",
  "house rules: what the project asks for is done",
  "build, kill, launch, log: run it and read what it says",
  "no test, no rest: tests are written and not weakened",
  "a bug is written down: what went wrong is kept for the next session",
  "new file, right tool: files are made where the change can be seen",
  "files stay small: 500 lines are a warning, 800 a limit",
  "the tool broke: repair it instead of going around it",
  "talk while you walk: report what was shown, not what was hoped",
  "context: read the project's documents first",
  "the prompt: do what it says, and no more",
  "review: a person decides what reaches beyond the code",
  "integrate: what is published is what was built and checked",
];

export const rulesOfGate: Readonly<Record<(typeof disciplineGateNames)[number], readonly number[]>> = {
  commands: [14],
  safemode: [15],
  "blocked-paths": [1],
  startup: [5, 6],
  breaker: [3],
  documents: [13],
  plan: [0, 15],
  "research-only": [14],
  research: [2],
  "read-first": [2],
  "sensitive-files": [15],
  loop: [0, 4],
  skill: [5],
  "file-size": [10],
  "inline-scripts": [9],
  "test-quality": [7],
  requirements: [5, 14],
  release: [16],
  "release-manifest": [16],
  verification: [4, 6],
  evidence: [4],
  claims: [12],
  gaming: [12],
  "prompt-notes": [0, 14],
  reminders: [3, 4],
  session: [8, 13],
};

/** The rules a kind of task is most likely to break, as the seed maps them. */
export const rulesOfTask: Readonly<Record<TaskType, readonly number[]>> = {
  "bug-fix": [8, 7, 4, 3],
  "new-feature": [0, 2, 9, 5],
  refactor: [4, 10],
  "file-create": [1, 9],
  tests: [7, 4],
  docs: [12],
  general: [0, 5],
};

/** "#2 verify, then try", for `interlock why`. */
export function rulesBehind(gate: string): string[] {
  const name = gate.replace(/^discipline\//, "");
  if (!gate.startsWith("discipline/") || !Object.hasOwn(rulesOfGate, name)) return [];
  return rulesOfGate[name as keyof typeof rulesOfGate].map((n) => `#${n} ${disciplineRules[n]!}`);
}
