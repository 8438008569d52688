import { edit, fix, other, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/research",
  how: "deny",
  spawned: true,
  reach: async (a) => {
    await a.prompt(fix);
    return edit(a);
  },
  says: /docs, web, github, local/,
  remedy: (a) => a.research(),
  again: edit,
  later: [
    { when: "the shell too", run: (a) => a.bash("cp src/a.ts src/b.ts"), outcome: "pass" },
    {
      when: "a follow-up keeps it",
      run: async (a) => {
        await a.prompt("also add a test for it");
        return edit(a);
      },
      outcome: "pass",
    },
    {
      when: "an obvious change of task asks again",
      run: async (a) => {
        await a.prompt(other);
        return edit(a);
      },
      outcome: "deny",
    },
    {
      when: "and again",
      run: async (a) => {
        await a.research();
        return edit(a);
      },
      outcome: "pass",
    },
    {
      when: "a person resets it",
      run: async (a) => {
        await a.prompt("reset research");
        return a.bash("cp src/a.ts src/c.ts");
      },
      outcome: "deny",
    },
  ],
});
