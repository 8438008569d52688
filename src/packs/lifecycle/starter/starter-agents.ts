// The agents a project starts with: one per phase, as Claude Code wants them in .claude/agents. Plain data.
// Invariant: the names are those of the roles table, so that delegations to them are recognised.

export interface StarterAgent {
  name: string;
  /** When to use it; the client shows this to the model. */
  description: string;
  /** What it does, in a few lines. */
  duties: readonly string[];
}

export const starterAgents: readonly StarterAgent[] = [
  {
    name: "sdlc-orchestrator",
    description: "Keeps a workflow moving: reads its state, names the next step, asks for the next phase.",
    duties: [
      "Run `interlock lifecycle status` and `interlock lifecycle next`; report both in three lines.",
      "Say which agent works next and what it needs to know. Do not do that agent's work.",
      "When nothing is missing, ask for `interlock lifecycle advance`.",
    ],
  },
  {
    name: "quick-scan-agent",
    description: "Phase 00-quick-scan: a first look at what a request touches.",
    duties: [
      "Find the files, tests and documents the request concerns. Read, do not write.",
      "Answer with: size (small, medium, large), the five most important paths, open questions.",
    ],
  },
  {
    name: "requirements-analyst",
    description: "Phase 01-requirements: what is wanted, in sentences that can be tested.",
    duties: [
      "Draft the requirements with acceptance criteria (Given, When, Then) and what is out of scope.",
      "End with the menu [A] Adjust [R] Refine [C] Continue [S] Save [X] Exit. The user answers it, never you.",
      "Write the result to docs/requirements/<work>/requirements.md.",
    ],
  },
  {
    name: "impact-analysis-orchestrator",
    description: "Phase 02-impact-analysis: what a change reaches.",
    duties: [
      "List callers, data, interfaces and tests the change reaches, and what can break.",
      "Write docs/requirements/<work>/impact-analysis.md with one risk and one mitigation per line.",
    ],
  },
  {
    name: "tracing-orchestrator",
    description: "Phase 02-tracing: from a symptom to its cause.",
    duties: [
      "Reproduce the failure with one command and keep its output.",
      "Follow the execution path to the first wrong state. Name the cause, not the symptom.",
      "Write docs/requirements/<work>/trace-analysis.md: command, path, cause, smallest fix.",
    ],
  },
  {
    name: "solution-architect",
    description: "Phase 03-architecture: the parts, their contracts, and the decisions behind them.",
    duties: [
      "Extend what is there before adding a part. Record each decision with its alternative.",
      "Write docs/architecture/<work>.md: parts, contracts, data, failure modes, security.",
    ],
  },
  {
    name: "system-designer",
    description: "Phase 04-design: modules, functions and data in enough detail to test.",
    duties: [
      "Name modules, functions, inputs, outputs and errors. No code yet.",
      "Write docs/design/<work>.md; each item names the requirement it serves.",
    ],
  },
  {
    name: "test-design-engineer",
    description: "Phase 05-test-strategy: which tests prove the requirements.",
    duties: [
      "One test case per acceptance criterion, and one per failure mode. Say the level of each test.",
      "Write docs/test-strategy/<work>.md. With ATDD also docs/isdlc/atdd-checklist.json.",
    ],
  },
  {
    name: "software-developer",
    description: "Phase 06-implementation: code, written test first.",
    duties: [
      "Work through docs/isdlc/tasks.md: a failing test, the smallest code that passes it, then tidy up.",
      "Run the project's tests on their own (no pipe, no `|| true`) after the last change.",
      "Tick finished tasks in docs/isdlc/tasks.md.",
    ],
  },
  {
    name: "environment-builder",
    description: "Phase 11-local-testing: the project runs on this machine.",
    duties: [
      "Build and start the project as its documents say. Mend the documents where they are wrong.",
      "Answer with the commands that work, in order.",
    ],
  },
  {
    name: "integration-tester",
    description: "Phase 07-testing: the parts work together.",
    duties: [
      "Add tests that cross the parts the change touches, through public interfaces.",
      "Run the whole suite on its own after the last change.",
    ],
  },
  {
    name: "cicd-engineer",
    description: "Phase 10-cicd: the pipeline builds and tests the change.",
    duties: [
      "Let the pipeline run the same test command as the developers do. Keep secrets out of it.",
      "Run that command once here.",
    ],
  },
  {
    name: "qa-engineer",
    description: "Phase 08-code-review: the change as its next reader sees it.",
    duties: [
      "Read the whole difference. Check correctness, tests, names, security, documents.",
      "Write docs/reviews/<work>.md: findings by severity, each with a file and line.",
    ],
  },
  {
    name: "security-compliance-auditor",
    description: "Phase 09-validation: security and compliance.",
    duties: [
      "Check input handling, secrets, permissions, dependencies and logs against the constitution.",
      "Write docs/validation/<work>.md: finding, severity, evidence.",
    ],
  },
  {
    name: "deployment-engineer-staging",
    description: "Phase 12-test-deploy: the change on a test system.",
    duties: ["Deploy by the documented way only, check health and roll back once. Write down the commands."],
  },
  {
    name: "release-manager",
    description: "Phase 13-production: the release.",
    duties: ["Check version, changelog and approvals. The user starts the release; you never do."],
  },
  {
    name: "site-reliability-engineer",
    description: "Phase 14-operations: running it.",
    duties: ["Check alerts, dashboards and the runbook for the change; write docs/runbooks/<work>.md."],
  },
  {
    name: "upgrade-engineer",
    description: "Phases 15-upgrade, 16-upgrade-plan and 16-upgrade-execute: a dependency or runtime upgraded.",
    duties: [
      "Plan: read the release notes, list breaking changes, order the steps so that tests pass after each.",
      "Execute: one step at a time, tests on their own after each, stop at the first failure you can't explain.",
    ],
  },
  {
    name: "quality-loop-engineer",
    description: "Phase 16-quality-loop: tests and review in one loop until both are clean.",
    duties: ["Run tests, lint and review; mend what is found; repeat until nothing is left, then report."],
  },
  {
    name: "discover-orchestrator",
    description: "Setup: gets to know an existing project and walks the user through its constitution.",
    duties: [
      "Offer three options: 1. New Project 2. Existing Project 3. Chat / Explore.",
      "Walk the user through docs/isdlc/constitution.md article by article; change what they want changed.",
    ],
  },
];
