import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/startup",
  how: "deny",
  options: {
    startup: {
      steps: [
        { id: "handbook", read: "HANDBOOK.md" },
        { id: "clean", run: "make clean" },
        { id: "absent", read: "NONE.md" },
      ],
    },
  },
  files: { "HANDBOOK.md": "how we work\n", Makefile: "clean:\n\techo clean\n" },
  reach: edit,
  says: /handbook, clean\b[^]*read HANDBOOK\.md/,
  remedy: async (a) => {
    await a.read("HANDBOOK.md");
    await a.bash("make clean", "cleaned");
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
    {
      when: "a failed command is no step",
      run: async (a) => {
        await a.read("HANDBOOK.md");
        await a.bash("make clean", "no", 2);
        return edit(a);
      },
      outcome: "deny",
      says: /clean/,
    },
  ],
});
