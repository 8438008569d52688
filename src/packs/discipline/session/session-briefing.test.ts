import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/session",
  how: "note",
  spawned: true,
  files: { "CONTRIBUTING.md": "x\n" },
  reach: (a) => a.start(),
  says: /First: read CONTRIBUTING\.md[^]*npm test/,
  remedy: (a) => a.read("CONTRIBUTING.md"),
  again: (a) => a.prompt("what is this?"),
  later: [
    {
      when: "the next session",
      run: async (a) => {
        a.session = "session-2";
        return a.start();
      },
      outcome: "pass",
      says: /First: read/,
    },
  ],
});
