// What each phase needs before its gate opens, and the shipped workflows: plain data, in the form users write.
// Invariant: every phase a shipped workflow names is defined here; a test walks them.

export interface Needs {
  /** Questions answered by the user through menus; `final` are the selections that may end them. */
  elicitation?: { min: number; final: readonly string[] };
  /** Test runs: how many attempts, and how many equal failures end them. */
  tests?: { max: number; identical: number; coverage?: number };
  /** Articles of the constitution the result is checked against. */
  constitution?: { max: number; articles: readonly string[] };
  /** The phase's own agent must have worked in it. */
  delegation?: boolean;
  /** A task plan must exist. */
  plan?: boolean;
  /** Files that must exist; a list is one-of; `*` stands for one name. */
  artifacts?: readonly (string | readonly string[])[];
  /** Acceptance tests first (ATDD): in a workflow of that mode, or always. */
  atdd?: Atdd;
  /** After the gate, the user decides where it will be deployed. */
  cloud?: boolean;
}

export interface Atdd {
  /** Also where the workflow is not in that mode. */
  always?: boolean;
  /** The checklist of acceptance criteria exists. */
  checklist?: boolean;
  /** The last passing run skipped no test. */
  noSkips?: boolean;
  /** Further files that must exist. */
  files?: readonly string[];
}

/** Needs that differ from a phase's own; `false` drops one. */
export type Adjustment = { [K in keyof Needs]?: Needs[K] | false };

export interface PhaseDef {
  id: string;
  title?: string;
  /** Agents that own it, the leading one first; the framework's own agents are in the roles table. */
  agents?: readonly string[];
  needs: Needs;
}

export interface WorkflowDef {
  id: string;
  title: string;
  /** Work happens on a branch of its own. */
  branch?: boolean;
  /** Keys of known phases, or phases written out. */
  phases: readonly (string | PhaseDef)[];
  /** Needs that differ in this workflow, by phase. */
  overrides?: Readonly<Record<string, Adjustment>>;
  /** What its phases need is recommended, not required; order, branch and agents still hold. */
  permissive?: boolean;
  /** Files that show a project uses this layout. */
  marks?: readonly string[];
}

const articles = (max: number, list: string) => ({ max, articles: list.split(" ") });
const tests = (max: number, coverage?: number) => ({ max, identical: 3, ...(coverage ? { coverage } : {}) });
const late = { delegation: true, plan: true } as const;
const early = { delegation: true } as const;

export const shippedPhases: readonly PhaseDef[] = [
  { id: "00-quick-scan", needs: { ...early } },
  {
    id: "01-requirements",
    needs: {
      ...early,
      elicitation: { min: 3, final: ["save", "continue"] },
      constitution: articles(5, "I IV VII IX XII"),
    },
  },
  { id: "02-impact-analysis", needs: { ...early, constitution: articles(5, "IV VII IX") } },
  { id: "02-tracing", needs: { ...early, constitution: articles(5, "IV VII IX") } },
  { id: "03-architecture", needs: { ...early, constitution: articles(5, "III IV V VII IX X"), cloud: true } },
  { id: "04-design", needs: { ...early, constitution: articles(5, "I IV V VII IX") } },
  {
    id: "05-test-strategy",
    needs: { ...early, constitution: articles(5, "II VII IX XI"), atdd: { checklist: true } },
  },
  {
    id: "06-implementation",
    needs: {
      ...late,
      tests: tests(10, 80),
      constitution: articles(5, "I II III V VI VII VIII IX X"),
      atdd: { noSkips: true },
    },
  },
  {
    id: "07-testing",
    needs: {
      ...late,
      tests: tests(10, 70),
      constitution: articles(5, "II VII IX XI"),
      atdd: { noSkips: true },
    },
  },
  { id: "08-code-review", needs: { ...late, constitution: articles(5, "V VI VII VIII IX") } },
  { id: "09-validation", needs: { ...late, constitution: articles(5, "III IX X XII") } },
  { id: "10-cicd", needs: { ...late, tests: tests(5), constitution: articles(5, "II IX") } },
  { id: "11-local-testing", needs: { ...late, constitution: articles(5, "VIII IX") } },
  { id: "12-remote-build", needs: { ...late } },
  { id: "12-test-deploy", needs: { ...late, constitution: articles(5, "IX X") } },
  { id: "13-production", needs: { ...late, constitution: articles(5, "IX X") } },
  { id: "14-operations", needs: { ...late, constitution: articles(5, "VIII IX XII") } },
  { id: "15-upgrade", needs: { ...late, tests: tests(5), constitution: articles(5, "I VII IX X") } },
  {
    id: "16-quality-loop",
    needs: { ...late, tests: tests(10, 80), constitution: articles(5, "II III V VI VII IX XI") },
  },
  { id: "16-upgrade-plan", needs: { ...late, constitution: articles(5, "I VII IX X") } },
  { id: "16-upgrade-execute", needs: { ...late, tests: tests(5), constitution: articles(5, "I VII IX X") } },
  { id: "r1-behavior-extraction", needs: {} },
  { id: "r2-characterization-tests", needs: {} },
  { id: "r3-artifact-integration", needs: {} },
  { id: "r4-atdd-bridge", needs: {} },
];

const keys = (list: string) => list.split(" ");

// The quick track has a technical specification instead of requirements and architecture.
const quick = ["_bmad-output/*/tech-spec*.md", "docs/tech-spec*.md"];
const bmadBrief = [
  "docs/brief.md",
  "_bmad-output/*/product-brief*.md",
  "docs/project-brief.md",
  "docs/product-brief*.md",
];
const bmadPrd = [
  "docs/prd.md",
  "_bmad-output/*/prd.md",
  "docs/PRD.md",
  "docs/*-prd.md",
  "docs/prd/*.md",
  "_bmad-output/*/prd/*.md",
  "_bmad-output/prd.md",
  ...quick,
];
const bmadArchitecture = [
  "docs/architecture.md",
  "_bmad-output/*/architecture.md",
  "docs/*-architecture.md",
  "docs/architecture/*.md",
  "_bmad-output/*/architecture/*.md",
  "_bmad-output/architecture.md",
  ...quick,
];
const bmadStories = [
  "docs/stories/*.md",
  "_bmad-output/*/epics.md",
  "_bmad-output/*/epics/*.md",
  "_bmad-output/*/stories/*.md",
  "_bmad-output/implementation-artifacts/*.md",
  "docs/epics.md",
];

export const shippedWorkflows: readonly WorkflowDef[] = [
  {
    id: "feature",
    title: "A new feature",
    branch: true,
    phases: keys(
      "00-quick-scan 01-requirements 02-impact-analysis 03-architecture 04-design 05-test-strategy " +
        "06-implementation 11-local-testing 07-testing 10-cicd 08-code-review",
    ),
  },
  {
    id: "fix",
    title: "A bug fixed",
    branch: true,
    phases: keys(
      "01-requirements 02-tracing 05-test-strategy 06-implementation 11-local-testing 07-testing 10-cicd " +
        "08-code-review",
    ),
    overrides: { "01-requirements": { elicitation: { min: 1, final: ["save", "continue", "exit"] } } },
  },
  { id: "test-run", title: "The tests run", phases: keys("11-local-testing 07-testing") },
  {
    id: "test-generate",
    title: "Tests written for what exists",
    branch: true,
    phases: keys("05-test-strategy 06-implementation 11-local-testing 07-testing 08-code-review"),
  },
  {
    id: "full-lifecycle",
    title: "From requirements to operations",
    branch: true,
    phases: keys(
      "01-requirements 03-architecture 04-design 05-test-strategy 06-implementation 07-testing " +
        "08-code-review 09-validation 10-cicd 11-local-testing 12-test-deploy 13-production 14-operations",
    ),
  },
  {
    id: "upgrade",
    title: "A dependency or runtime upgraded",
    branch: true,
    phases: keys("16-upgrade-plan 16-upgrade-execute 08-code-review"),
  },
  {
    id: "reverse-engineer",
    title: "Behaviour extracted from existing code",
    permissive: true,
    phases: keys("r1-behavior-extraction r2-characterization-tests r3-artifact-integration r4-atdd-bridge"),
  },
  {
    id: "spec-kit",
    title: "Spec Kit: specify, plan, tasks, implement",
    branch: true,
    marks: [".specify/memory/constitution.md", ".specify"],
    phases: [
      { id: "speckit-specify", needs: { artifacts: [["specs/*/spec.md", ".specify/specs/*/spec.md"]] } },
      { id: "speckit-plan", needs: { artifacts: [["specs/*/plan.md", ".specify/specs/*/plan.md"]] } },
      { id: "speckit-tasks", needs: { artifacts: [["specs/*/tasks.md", ".specify/specs/*/tasks.md"]] } },
      { id: "speckit-implement", needs: { tests: tests(10) } },
    ],
  },
  {
    id: "bmad",
    title: "BMAD: brief, PRD, architecture, stories, development, review",
    branch: true,
    marks: [".bmad-core", "_bmad", ".bmad", "bmad/bmm"],
    phases: [
      // Optional in BMAD: not needed if there are requirements.
      { id: "bmad-brief", agents: ["bmad-analyst"], needs: { artifacts: [[...bmadBrief, ...bmadPrd]] } },
      { id: "bmad-prd", agents: ["bmad-pm"], needs: { artifacts: [bmadPrd] } },
      { id: "bmad-architecture", agents: ["bmad-architect"], needs: { artifacts: [bmadArchitecture] } },
      { id: "bmad-stories", agents: ["bmad-sm", "bmad-po"], needs: { artifacts: [bmadStories] } },
      { id: "bmad-develop", agents: ["bmad-dev"], needs: { tests: tests(10) } },
      { id: "bmad-review", agents: ["bmad-qa"], needs: {} },
    ],
  },
];
