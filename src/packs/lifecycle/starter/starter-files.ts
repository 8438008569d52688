// The files `interlock lifecycle init` lays down: agents, skills with phase guides, manifest and constitution.
// Invariant: pure; what a guide says of its gate is computed from the tables that the gate is judged by.
import { manifestText } from "../../../facts/agent-roles.js";
import { gateName, phaseKeys } from "../../../facts/phase-names.js";
import { agentsOf, type Catalogue, statedNeedsOf } from "../model/catalogue.js";
import type { Needs } from "../model/tables.js";
import { constitutionText } from "./constitution.js";
import { type StarterAgent, starterAgents } from "./starter-agents.js";

export interface StarterFile {
  path: string;
  text: string;
  /** agent: its name; the file is not needed where an agent of that name is there already. */
  agent?: string;
}

export function starterFiles(catalogue: Catalogue): StarterFile[] {
  return [
    { path: ".isdlc/config/skills-manifest.json", text: manifestText() },
    { path: "docs/isdlc/constitution.md", text: constitutionText() },
    ...starterAgents.map((agent) => ({
      path: `.claude/agents/${agent.name}.md`,
      text: agentText(agent),
      agent: agent.name,
    })),
    { path: ".claude/skills/lifecycle/SKILL.md", text: lifecycleSkill(catalogue) },
    ...phaseKeys.map((phase) => ({
      path: `.claude/skills/lifecycle/phases/${phase}.md`,
      text: phaseGuide(catalogue, phase),
    })),
    { path: ".claude/skills/generate-plan/SKILL.md", text: planSkill },
  ];
}

const agentText = ({ name, description, duties }: StarterAgent): string => `---
name: ${name}
description: ${JSON.stringify(description)}
---

${description}

${duties.map((duty) => `- ${duty}`).join("\n")}
- Stay in this phase. Do not edit \`.isdlc/state.json\`; Interlock keeps it.
- Measure your result by docs/isdlc/constitution.md and say in your last lines what you checked.
`;

function lifecycleSkill({ workflows }: Catalogue): string {
  const lines = ["feature", "fix", "upgrade", "test-run", "test-generate", "full-lifecycle"].flatMap((id) => {
    const workflow = workflows.get(id);
    return workflow ? [`- \`${id}\`: ${workflow.title}. ${workflow.phases.join(" > ")}`] : [];
  });
  return `---
name: lifecycle
description: ${JSON.stringify(
    "Work through a feature, fix or upgrade in phases with gates. Use when the user asks to follow the lifecycle, " +
      "or when a workflow is active.",
  )}
---

Interlock enforces the phases. Do the work in this order and its gates open:

1. \`interlock lifecycle status\`. No workflow: \`interlock lifecycle start <workflow> --branch "<the work>"\`.
2. Read the guide of the current phase in \`phases/\` beside this file.
3. From implementation on, write the plan first (skill \`generate-plan\`).
4. Delegate the phase to its agent with the Agent tool. Answer its questions by asking the user.
5. Run the tests on their own where the phase needs them.
6. Check the work against docs/isdlc/constitution.md, then record the check as \`interlock lifecycle next\` says.
7. \`interlock lifecycle advance\`. Go on at 2.

A refusal names the next step; do it. After an escalation stop, and ask the user how to go on.

Workflows:
${lines.join("\n")}
`;
}

const planSkill = `---
name: generate-plan
description: "Write the task plan of the active workflow to docs/isdlc/tasks.md before implementation starts."
---

1. Read requirements, design and test strategy of the work.
2. Write \`docs/isdlc/tasks.md\`: a list of tasks \`- [ ] T1 <what> (<requirement>, <files>)\`, in the order of the
   work, each small enough for one commit, tests before the code they test.
3. Show the plan to the user before anyone implements it.
`;

function phaseGuide(catalogue: Catalogue, phase: string): string {
  const [agent] = agentsOf(catalogue, undefined, phase);
  const duties = starterAgents.find((a) => a.name === agent)?.duties ?? [];
  const needs = statedNeedsOf(catalogue, undefined, phase) ?? {};
  const lines = gateLines(needs, agent).map((line, i) => `${i + 1}. ${line}`);
  const asks = lines.length ? `asks for, in this order:\n\n${lines.join("\n")}` : "asks for nothing.";
  return `# ${phase}

${agent ? `Agent: \`${agent}\`` : "No agent of its own: do the work yourself."}

${duties.map((duty) => `- ${duty}`).join("\n") || "- Write down what you find beside the code it is about."}

${gateName(phase)} ${asks}
`;
}

function gateLines(needs: Needs, agent: string | undefined): string[] {
  const lines: string[] = [];
  if (needs.plan) lines.push("the task plan in docs/isdlc/tasks.md");
  if (needs.delegation && agent) lines.push(`work done by \`${agent}\` (Agent tool)`);
  if (needs.elicitation) lines.push(`the user's answer to the menu: ${needs.elicitation.final.join(" or ")}`);
  if (needs.tests)
    lines.push(
      `a passing test run after the last change of code; at most ${needs.tests.max} attempts, ` +
        `${needs.tests.identical} equal failures in a row`,
    );
  if (needs.constitution)
    lines.push(
      "the check against the constitution, after the work: " +
        `\`interlock lifecycle validate --articles ${needs.constitution.articles.join(",")}\``,
    );
  return lines;
}
