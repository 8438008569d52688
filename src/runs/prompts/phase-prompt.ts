// The prompt of a phase: its task, its rules, what the phase before handed over, and the capsule it ends with.
// Invariant: nothing of another session gets in but a valid capsule and pointers.
import type { KitName } from "../actions.js";
import { capsuleEnd, capsuleLabels, capsuleLimits, capsuleStart } from "../capsule.js";
import { mathPrompts } from "./math-prompts.js";
import { researchPrompts } from "./research-prompts.js";
import { tddPrompts } from "./tdd-prompts.js";

export interface PhasePrompt {
  goal: string;
  steps: readonly string[];
}

export const kitPrompts: Readonly<Record<KitName, Readonly<Record<string, PhasePrompt>>>> = {
  tdd: tddPrompts,
  research: researchPrompts,
  math: mathPrompts,
};

export interface PromptFacts {
  kit: KitName;
  phase: string;
  args: readonly string[];
  runId: string;
  /** The rules that gates enforce, told up front. */
  rules: readonly string[];
  /** Commands the phase uses, and what must hold at its end. */
  conditions: readonly string[];
  handed?: { capsule: string; capsulePath: string; manifestPath: string };
  request?: { file: string; mustRead: readonly string[]; deliverables: readonly string[] };
}

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length ? [title, ...lines.map((line) => (line.startsWith(" ") ? `  ${line.trim()}` : `- ${line}`)), ""] : [];

export function phasePrompt(facts: PromptFacts): string {
  const own = kitPrompts[facts.kit][facts.phase];
  if (!own) throw new Error(`${facts.kit} has no prompt for ${facts.phase}`);
  const about = facts.args.length ? `About: ${facts.args.join(" ")}` : "";
  return [
    `You do one phase of the ${facts.kit} kit: ${facts.phase}. ${own.goal}`,
    ...(about ? [about] : []),
    "",
    ...list("Steps:", own.steps),
    ...list("Rules. They are enforced; a refused call is answered with what to do instead:", facts.rules),
    ...list("At the end:", facts.conditions),
    ...list("General:", general(facts)),
    ...(facts.handed ? handover(facts.handed) : []),
    ...(facts.request ? asked(facts.request) : []),
    ...capsuleRequest(),
  ].join("\n");
}

const general = ({ runId }: PromptFacts): string[] => [
  "Stop when the same command has failed in the same way three times; say so in the capsule.",
  "Large files and logs are queried: interlock query-log tail|errors|grep|tests <file>.",
  `This run is ${runId}. Work of another kit: interlock request <kit.phase> <args>, then`,
  "  interlock pump --request <id>.",
];

const handover = ({ capsule, capsulePath, manifestPath }: NonNullable<PromptFacts["handed"]>): string[] => [
  `The phase before left this capsule (${capsulePath}); its files with hashes are in ${manifestPath}:`,
  ...capsule
    .trimEnd()
    .split("\n")
    .map((line) => `> ${line}`),
  "",
];

const asked = ({ file, mustRead, deliverables }: NonNullable<PromptFacts["request"]>): string[] =>
  list(`Another run asked for this work; the request is ${file}.`, [
    ...mustRead.map((path) => `Read first: ${path}`),
    ...deliverables.map((glob) => `Make: ${glob}`),
  ]);

const capsuleRequest = (): string[] => [
  `End your last message with a capsule of at most ${capsuleLimits.lines} lines: pointers instead of code, no code`,
  "fences, no log lines, each label once and exactly one next action:",
  capsuleStart,
  ...capsuleLabels.map((label) => `${label} ...`),
  capsuleEnd,
  "",
];
