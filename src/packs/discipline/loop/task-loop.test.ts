import { passing } from "../../../../test/discipline/agent.js";
import { edit, loopCli, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/loop",
  how: "deny",
  options: { loop: { maxIterations: 2 } },
  reach: async (a) => {
    await a.prompt("Rewrite the whole backend to use the new client");
    return edit(a);
  },
  says: /interlock loop start/,
  remedy: (a) =>
    a
      .bash('interlock loop start "new client" --criterion "tests pass"', "started", 0, undefined)
      .then(() => loopCli(a, "start", "new client", "--criterion", "tests pass")),
  again: edit,
  later: [
    {
      when: "the limit of iterations",
      run: async (a) => {
        for (let i = 0; i < 2; i++) {
          await edit(a);
          await a.bash("npm test", passing());
        }
        return edit(a);
      },
      outcome: "deny",
      says: /used its 2 iterations/,
    },
    {
      when: "completed without its criterion it is not",
      run: async (a) => {
        await loopCli(a, "complete");
        return edit(a);
      },
      outcome: "deny",
    },
    {
      when: "completed, and the big task asks for a new one",
      run: async (a) => {
        await loopCli(a, "check", "1");
        await loopCli(a, "complete");
        return edit(a);
      },
      outcome: "deny",
      says: /no loop/,
    },
    {
      when: "a person starts it",
      run: async (a) => {
        await a.prompt("sl+");
        return edit(a);
      },
      outcome: "pass",
    },
  ],
});
