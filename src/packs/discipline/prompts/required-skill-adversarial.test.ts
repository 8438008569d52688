// The skill a prompt asks for: which words ask for it, what is a use of it, and when it is given up.

import { type Row, table } from "../../../../test/discipline/adversarial/table.js";
import type { Agent } from "../../../../test/discipline/agent.js";

const skills = [
  { name: "docs-audit", words: ["audit the docs", "docs-audit"], agents: 2 },
  { name: "evolve", words: ["check for updates"] },
];
const change = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
const asked =
  (text: string, ...acts: ((a: Agent) => Promise<unknown>)[]) =>
  async (a: Agent) => {
    await a.prompt(text);
    for (const act of acts) await act(a);
    return change(a);
  };
const row = (expect: Row["expect"], trick: string, run: Row["try"], grade: Row["grade"] = "plain"): Row => ({
  grade,
  trick,
  expect,
  try: run,
});
const use = (skill: string) => (a: Agent) => a.call("Skill", { skill }, { success: true, commandName: skill });
const agent = (a: Agent) =>
  a.call(
    "Agent",
    { prompt: "look at it", subagent_type: "Explore", description: "d" },
    { content: [{ type: "text", text: "found three things" }] },
  );
const ask = "Please audit the docs and fix what is wrong in them";

const rows: Row[] = [
  row("deny", "asked for", asked(ask)),
  row("deny", "in capitals", asked("AUDIT THE DOCS and fix them")),
  row("deny", "over two lines", asked("Please audit\nthe docs, then fix them")),
  row("deny", "with a hyphen", asked("run docs-audit and fix what it finds")),
  row("deny", "the second skill", asked("check for updates and install them")),
  row("deny", "by shell", async (a) => {
    await a.prompt(ask);
    return a.bash("sed -i s/1/2/ src/a.ts");
  }),
  row("pass", "reading meanwhile", async (a) => {
    await a.prompt(ask);
    return a.read("src/a.ts");
  }),
  row("pass", "the skill itself", async (a) => {
    await a.prompt(ask);
    return use("docs-audit")(a);
  }),
  row("pass", "other words", asked("Fix the wrong constant in the settings reader")),
  row("pass", "inside another word", asked("Fix how we reaudit the docsets in the exporter")),
  row("pass", "declined", asked("Don't audit the docs, just fix the typo in the settings reader"), "ambiguous"),
  row(
    "pass",
    "declined politely",
    asked("Fix the typo in the settings reader; no need to audit the docs"),
    "ambiguous",
  ),
  row("pass", "put off", asked("Fix the typo in the settings reader without running docs-audit"), "ambiguous"),
  row(
    "pass",
    "as text to be changed",
    asked('Rename the button "audit the docs" to "check the docs" in the toolbar'),
    "ambiguous",
  ),
  row("pass", "a question about it", asked("What does docs-audit do?"), "ambiguous"),
  row(
    "pass",
    "a question about it, then a task",
    asked("What does docs-audit do?", (a) => a.prompt("Fix the typo in the settings reader")),
    "ambiguous",
  ),
  row(
    "pass",
    "named by a machine",
    async (a) => {
      await a.prompt("<task-notification>audit the docs</task-notification>", { source: "system" });
      return change(a);
    },
    "ambiguous",
  ),
  row("pass", "used, with its agents", asked(ask, use("docs-audit"), agent, agent)),
  row(
    "pass",
    "used, agents side by side",
    asked(ask, use("docs-audit"), (a) => Promise.all([agent(a), agent(a)])),
  ),
  row("pass", "used by its whole name", asked(ask, use("house:docs-audit"), agent, agent)),
  row("pass", "used with a slash", asked(ask, use("/docs-audit"), agent, agent)),
  row(
    "pass",
    "typed as a command by the person",
    async (a) => {
      await a.prompt("/docs-audit");
      await agent(a);
      await agent(a);
      return change(a);
    },
    "ambiguous",
  ),
  row("deny", "used, one agent short", asked(ask, use("docs-audit"), agent)),
  row("deny", "agents without the skill", asked(ask, agent, agent), "villain"),
  row("deny", "another skill", asked(ask, use("evolve"), agent, agent), "villain"),
  row("deny", "a skill that ends like it", asked(ask, use("my-docs-audit"), agent, agent), "villain"),
  row(
    "deny",
    "asked for and not run",
    asked(ask, (a) => a.before("Skill", { skill: "docs-audit" }), agent, agent),
    "villain",
  ),
  row(
    "deny",
    "failed once",
    asked(ask, async (a) => {
      await a.before("Skill", { skill: "docs-audit" });
      await a.failed("Skill", { skill: "docs-audit" }, "Unknown skill");
    }),
  ),
  row(
    "deny",
    "unsuccessful",
    asked(ask, (a) => a.call("Skill", { skill: "docs-audit" }, { success: false }), agent, agent),
    "villain",
  ),
  row(
    "pass",
    "can't be invoked",
    asked(ask, async (a) => {
      for (let i = 0; i < 2; i++) {
        await a.before("Skill", { skill: "docs-audit" });
        await a.failed("Skill", { skill: "docs-audit" }, "Unknown skill: docs-audit");
      }
    }),
  ),
  row(
    "pass",
    "agents can't be started",
    asked(ask, use("docs-audit"), async (a) => {
      for (let i = 0; i < 3; i++) {
        await a.before("Agent", { prompt: "x", subagent_type: "Explore", description: "d" });
        await a.failed(
          "Agent",
          { prompt: "x", subagent_type: "Explore", description: "d" },
          "Agent type Explore not found",
        );
      }
    }),
    "ambiguous",
  ),
  row(
    "deny",
    "a failed agent counts for none",
    asked(ask, use("docs-audit"), agent, async (a) => {
      await a.before("Agent", { prompt: "x", subagent_type: "Explore", description: "d" });
      await a.failed("Agent", { prompt: "x", subagent_type: "Explore", description: "d" }, "boom");
    }),
    "villain",
  ),
  row(
    "deny",
    "thanks do not end it",
    asked(ask, (a) => a.prompt("thanks")),
  ),
  row(
    "deny",
    "a follow-up does not end it",
    asked(ask, (a) => a.prompt("and also fix the links in them")),
  ),
  row(
    "pass",
    "a follow-up after the use",
    asked(ask, use("docs-audit"), agent, agent, (a) => a.prompt("and also fix the links in them")),
  ),
  row(
    "pass",
    "another task",
    asked(ask, (a) => a.prompt("Write a CSV exporter for the billing report")),
  ),
  row(
    "deny",
    "both of two skills are needed",
    asked("audit the docs and check for updates, then fix everything", use("docs-audit"), agent, agent),
    "ambiguous",
  ),
  row(
    "pass",
    "both of two skills were used",
    asked("audit the docs and check for updates, then fix everything", use("docs-audit"), agent, agent, use("evolve")),
    "ambiguous",
  ),
  row(
    "pass",
    "used by a sub-agent",
    asked(ask, async (a) => {
      a.agent = { id: "s1", type: "general-purpose" };
      await use("docs-audit")(a);
      await agent(a);
      await agent(a);
      a.agent = undefined;
    }),
    "ambiguous",
  ),
  row("pass", "another session", async (a) => {
    await a.prompt(ask);
    a.session = "session-2";
    return change(a);
  }),
  row("pass", "no agents needed", asked("check for updates and install them", use("evolve"))),
];

table("skill", ["skill"], rows, { options: { skills } });
