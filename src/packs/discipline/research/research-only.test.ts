import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/research-only",
  how: "deny",
  reach: async (a) => {
    await a.prompt("Investigate why the settings reader is slow");
    return edit(a);
  },
  says: /asked to investigate/,
  remedy: (a) => a.prompt("ok, now fix it"),
  again: edit,
  later: [
    {
      when: "again",
      run: async (a) => {
        await a.prompt("look into the memory leak");
        return edit(a);
      },
      outcome: "deny",
    },
    {
      when: "thanks do not change it",
      run: async (a) => {
        await a.prompt("thanks");
        return edit(a);
      },
      outcome: "deny",
    },
    {
      when: "notes outside the project",
      run: (a) => a.before("Write", { file_path: "/tmp/notes-of-mine.md", content: "x" }),
      outcome: "pass",
    },
  ],
});
