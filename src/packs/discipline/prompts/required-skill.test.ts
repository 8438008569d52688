import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/skill",
  how: "deny",
  options: { skills: [{ name: "docs-audit", words: ["audit the docs"], agents: 1 }] },
  reach: async (a) => {
    await a.prompt("Please audit the docs and fix what is wrong");
    return edit(a);
  },
  says: /docs-audit/,
  remedy: async (a) => {
    await a.call("Skill", { skill: "docs-audit" }, { success: true });
    await a.call(
      "Agent",
      { prompt: "look", subagent_type: "Explore", description: "d", run_in_background: false },
      { content: [{ type: "text", text: "found" }] },
    );
  },
  again: edit,
  later: [
    {
      when: "asked again it must be used again",
      run: async (a) => {
        await a.prompt("audit the docs once more, then fix them");
        return edit(a);
      },
      outcome: "deny",
    },
    {
      when: "a skill that can't be invoked is given up",
      run: async (a) => {
        for (let i = 0; i < 2; i++) {
          await a.before("Skill", { skill: "docs-audit" });
          await a.failed("Skill", { skill: "docs-audit" }, "Unknown skill");
        }
        return edit(a);
      },
      outcome: "pass",
    },
  ],
});
