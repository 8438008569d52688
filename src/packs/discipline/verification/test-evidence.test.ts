import { passing } from "../../../../test/discipline/agent.js";
import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/evidence",
  how: "note",
  reach: async (a) => {
    await a.bash("npm test", passing(9));
    return a.bash("npm test", passing(7, 2));
  },
  says: /2 fewer tests[^]*2 more tests are skipped/,
  remedy: async () => undefined,
  again: (a) => a.bash("npm test", passing(9)),
  later: [
    {
      when: "a run that proves nothing",
      run: (a) => a.bash("npm test | grep ok", ""),
      outcome: "pass",
      says: /not evidence/,
    },
  ],
});
