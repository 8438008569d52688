import { edit, fix, other, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/requirements",
  how: "deny",
  reach: async (a) => {
    await a.prompt(`${fix}, then commit`);
    await edit(a);
    return a.stop("Changed src/a.ts.");
  },
  says: /also asked for: a commit/,
  remedy: (a) => a.bash('git commit -am "fix"', "[main 1] fix"),
  again: (a) => a.stop("Changed src/a.ts and committed."),
  later: [
    {
      when: "not due before the edit",
      run: async (a) => {
        await a.prompt("change it back and commit again");
        return edit(a);
      },
      outcome: "pass",
    },
    {
      when: "a question to the person",
      run: (a) => a.stop("Shall I commit this together with the other change?"),
      outcome: "pass",
    },
    { when: "still due", run: (a) => a.stop("Changed."), outcome: "deny" },
    {
      when: "research first is due before",
      run: async (a) => {
        await a.prompt(`${other}; research first`);
        return edit(a);
      },
      outcome: "deny",
      says: /research first/,
    },
  ],
});
