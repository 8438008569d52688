import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/documents",
  how: "deny",
  spawned: true,
  files: { "CONTRIBUTING.md": "rules\n", "DEVELOPMENT.md": "more\n" },
  reach: edit,
  says: /0 of 2 read[^]*DEVELOPMENT\.md/,
  remedy: async (a) => {
    await a.read("CONTRIBUTING.md");
    await a.bash("cat DEVELOPMENT.md", "more\n");
  },
  again: edit,
  later: [
    { when: "it stays open", run: edit, outcome: "pass" },
    {
      when: "a new session",
      run: async (a) => {
        a.session = "session-2";
        return edit(a);
      },
      outcome: "deny",
    },
  ],
});
