import { passing } from "../../../../test/discipline/agent.js";
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
  ],
});
