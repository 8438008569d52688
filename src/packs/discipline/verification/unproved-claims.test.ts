import { failing, passing } from "../../../../test/discipline/agent.js";
import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/claims",
  how: "note",
  reach: async (a) => {
    await edit(a);
    return a.stop("Fixed it; all tests pass.");
  },
  says: /no successful run after the last edit/,
  remedy: (a) => a.bash("npm test", passing()),
  again: (a) => a.stop("Fixed it; all tests pass."),
  later: [
    {
      when: "an honest answer",
      run: async (a) => {
        await edit(a);
        return a.stop("Fixed it; I have not checked whether tests pass.");
      },
      outcome: "pass",
    },
    { when: "counted", run: (a) => a.stop("The tests are green."), outcome: "pass", says: /this session: 2/ },
    {
      when: "after a failed run it is refused, though nothing was edited since",
      run: async (a) => {
        await a.bash("npm test", passing());
        await a.prompt("run the tests again");
        await a.bash("npm test", failing(), 1);
        return a.stop("I ran them. All tests pass.");
      },
      outcome: "deny",
      says: /the last run failed: npm test \(1 failed\)/,
    },
    { when: "what failed may be said", run: (a) => a.stop("All tests pass except adds."), outcome: "pass" },
    {
      when: "and the claim after a run that succeeded",
      run: async (a) => {
        await a.bash("npm test", passing());
        return a.stop("All tests pass.");
      },
      outcome: "pass",
    },
  ],
});

story({
  gate: "discipline/claims",
  how: "deny",
  spawned: true,
  reach: async (a) => {
    await a.prompt("run the tests");
    await a.bash("npm test", failing(), 1);
    return a.stop("All tests pass.");
  },
  says: /the last run failed/,
  remedy: (a) => a.bash("npm test", passing()),
  again: (a) => a.stop("All tests pass."),
  later: [{ when: "no claim", run: (a) => a.stop("Ran them."), outcome: "pass" }],
});
