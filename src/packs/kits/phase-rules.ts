// What a phase of a kit allows, as data: who may write what, which commands are refused, which content is checked.
// Invariant: a rule only refuses; two phases at once refuse what either of them refuses.
import type { PlaceName } from "./kit-options.js";

export type PhaseKit = "tdd" | "research" | "math";

/** Commands that a phase refuses, by name; `command-rules.ts` says what each one matches. */
export type CommandRuleName =
  | "lake-clean"
  | "raw-lake-build"
  | "run-experiment"
  | "update-snapshots"
  | "direct-agent"
  | "inline-code"
  | "privilege";

/** Checks of what an edit makes of a file, by name; each kit's gate does its own. */
export type ContentRuleName =
  | "tests-kept"
  | "test-scripts-kept"
  | "no-new-axioms"
  | "sorry-bodies"
  | "same-declarations"
  | "same-proofs"
  | "append-only-domain"
  | "research-documents";

export interface PhaseRules {
  /** Only these may be written; absent: everything that is not locked. */
  writable?: readonly PlaceName[];
  /** Never written; their hashes are taken when the phase starts. */
  locked?: readonly PlaceName[];
  /** Locked but for the run's own folder of results. */
  earlierResults?: true;
  commands: readonly CommandRuleName[];
  content?: readonly ContentRuleName[];
  /** Why, in the words a refusal uses. */
  why: string;
  /** What to do instead. */
  next: string;
  /** How the phase must leave the tests. */
  tests?: "fail" | "pass";
}

const usual: readonly CommandRuleName[] = ["direct-agent", "privilege", "inline-code"];

const tdd: Readonly<Record<string, PhaseRules>> = {
  red: {
    writable: ["tests", "fixtures", "testSettings", "testSnapshots"],
    commands: usual,
    why: "red writes tests only; the code comes in green",
    next: "write the test that the code must pass, and end the phase with failing tests",
    tests: "fail",
  },
  green: {
    locked: ["tests", "fixtures", "testSettings", "testSnapshots"],
    commands: [...usual, "update-snapshots"],
    content: ["test-scripts-kept"],
    why: "tests are locked in green: they are the specification",
    next: "change the code until the tests pass; if a test is wrong, say so in the capsule and end the phase",
    tests: "pass",
  },
  refactor: {
    locked: ["testSettings"],
    commands: [...usual, "update-snapshots"],
    content: ["tests-kept", "test-scripts-kept"],
    why: "a refactoring keeps every assertion",
    next: "keep the test as strict as it was and change the code",
    tests: "pass",
  },
  breadcrumbs: {
    writable: ["breadcrumbs"],
    commands: usual,
    why: "breadcrumbs writes CLAUDE.md, AGENTS.md, LAST_TOUCH.md and README.md files only",
    next: "write what the next session must know in one of these files",
  },
};

const research: Readonly<Record<string, PhaseRules>> = {
  survey: {
    writable: ["documents", "questions", "handoffs"],
    locked: ["experiments", "results"],
    commands: [...usual, "run-experiment"],
    content: ["research-documents"],
    why: "survey reads and takes notes; it changes no code, no spec and no result",
    next: "write findings to QUESTIONS.md or a notes file",
  },
  frame: {
    writable: ["experiments", "questions", "handoffs"],
    commands: [...usual, "run-experiment"],
    content: ["research-documents"],
    why: "frame designs the experiment; it writes its spec, no code and no results",
    next: "write the spec under experiments/; code comes in run",
  },
  run: {
    locked: ["experiments", "researchLog"],
    earlierResults: true,
    commands: usual,
    content: ["research-documents"],
    why: "the spec is frozen once a run starts, earlier results are read-only, and the log comes later",
    next: "follow the spec; if it is wrong, end the phase and say so in the capsule",
  },
  read: {
    writable: ["analysis", "researchLog", "questions", "handoffs"],
    commands: [...usual, "run-experiment"],
    content: ["research-documents"],
    why: "read interprets the results that are there; it changes no code, spec or metrics and runs nothing again",
    next: "write analysis.md; what must be run again goes into the capsule",
  },
  log: {
    writable: ["researchLog", "questions", "handoffs", "breadcrumbs"],
    commands: [...usual, "run-experiment"],
    content: ["research-documents"],
    why: "log writes RESEARCH_LOG.md and QUESTIONS.md only",
    next: "record the verdict in RESEARCH_LOG.md",
  },
  synthesize: {
    writable: ["synthesis"],
    commands: [...usual, "run-experiment"],
    why: "synthesize writes SYNTHESIS.md only",
    next: "write it to SYNTHESIS.md",
  },
};

const mathUsual: readonly CommandRuleName[] = [...usual, "lake-clean"];

const mathBuilding: readonly CommandRuleName[] = [...mathUsual, "raw-lake-build"];

const math: Readonly<Record<string, PhaseRules>> = {
  survey: {
    writable: [],
    commands: mathUsual,
    content: ["no-new-axioms"],
    why: "survey only reads",
    next: "print what you found in the capsule; a scratch file outside the project is fine",
  },
  specify: {
    locked: ["lean", "leanCache"],
    commands: mathUsual,
    content: ["no-new-axioms"],
    why: "no Lean is written before formalize",
    next: "write the specification in words under specs/",
  },
  construct: {
    locked: ["lean", "leanCache"],
    commands: mathUsual,
    content: ["no-new-axioms"],
    why: "no Lean is written before formalize",
    next: "write the construction in words",
  },
  formalize: {
    locked: ["specs", "domain", "constructions", "leanCache"],
    commands: mathBuilding,
    content: ["no-new-axioms", "sorry-bodies"],
    why: "formalize states what the specs say; the specs are locked",
    next: "write the statements in Lean with `sorry` as every proof",
  },
  prove: {
    locked: ["specs", "constructions", "leanCache"],
    commands: mathBuilding,
    content: ["no-new-axioms", "same-declarations", "append-only-domain"],
    why: "prove fills in proofs; specs and statements are locked",
    next: "prove the statement as it stands; if it is false, write REVISION.md and end the phase",
  },
  polish: {
    locked: ["specs", "domain", "constructions", "leanCache"],
    commands: mathUsual,
    content: ["no-new-axioms", "same-declarations", "same-proofs"],
    why: "polish changes comments and layout; statements and proofs are locked",
    next: "leave the proof as it is",
  },
  audit: {
    writable: ["auditLogs"],
    commands: mathUsual,
    why: "audit writes CONSTRUCTION_LOG.md and REVISION.md only",
    next: "report the finding in CONSTRUCTION_LOG.md, or ask for a change in REVISION.md",
  },
  log: {
    locked: ["leanCache"],
    commands: mathUsual,
    content: ["no-new-axioms"],
    why: "the compiled cache takes long to rebuild",
    next: "leave .lake alone",
  },
};

export const phaseRules: Readonly<Record<PhaseKit, Readonly<Record<string, PhaseRules>>>> = { tdd, research, math };

export const rulesOf = (kit: PhaseKit, phase: string): PhaseRules | undefined =>
  Object.hasOwn(phaseRules[kit], phase) ? phaseRules[kit][phase] : undefined;

/** The variable that adds a phase's rules to a session. */
export const phaseVariables: Readonly<Record<PhaseKit, string>> = {
  tdd: "TDD_PHASE",
  research: "EXP_PHASE",
  math: "MATH_PHASE",
};
