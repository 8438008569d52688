import { failing, passing } from "../../../../test/discipline/agent.js";
import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/verification",
  how: "deny",
  spawned: true,
  reach: async (a) => {
    await edit(a);
    return a.stop("Changed src/a.ts.");
  },
  says: /src\/a\.ts[^]*npm test/,
  remedy: (a) => a.bash("npm test", passing()),
  again: (a) => a.stop("Changed src/a.ts, 5 tests pass."),
  later: [
    {
      when: "a failed run is no verification",
      run: async (a) => {
        await edit(a);
        await a.bash("npm test", failing(), 1);
        return a.stop("Done.");
      },
      outcome: "deny",
      says: /last run failed/,
    },
    {
      when: "a hidden exit code neither",
      run: async (a) => {
        await a.bash("npm test || true", "");
        return a.stop("Done.");
      },
      outcome: "deny",
      says: /hidden/,
    },
    { when: "bounded by the engine", run: (a) => a.stop("Done.", true), outcome: "deny" },
    { when: "the fourth end is let through", run: (a) => a.stop("Done.", true), outcome: "pass" },
    {
      when: "documents need none",
      run: async (a) => {
        await a.bash("npm test", passing());
        await a.write("README.md", "x\n");
        return a.stop("Wrote README.md.");
      },
      outcome: "pass",
    },
    {
      when: "a turn of words after one that was let through",
      run: async (a) => {
        await edit(a);
        for (let i = 0; i < 4; i++) await a.stop("Done.", i > 0);
        await a.prompt("what did you change?");
        return a.stop("The constant.");
      },
      outcome: "pass",
    },
    {
      when: "but the next edit asks again",
      run: async (a) => {
        await edit(a);
        return a.stop("Done.");
      },
      outcome: "deny",
    },
  ],
});
