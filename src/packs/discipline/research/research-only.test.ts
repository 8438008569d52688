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
      when: "commands that try things",
      run: (a) => a.before("Bash", { command: "./build/bench --runs 3" }),
      outcome: "pass",
    },
    {
      when: "a check or a review forbids no fix",
      run: async (a) => {
        await a.prompt("can you review the comments on the pr for this branch?");
        return edit(a);
      },
      outcome: "pass",
    },
    {
      when: "nothing may be changed, said so",
      run: async (a) => {
        await a.prompt("check the cache handling, but don't change anything yet");
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
