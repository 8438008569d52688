import { edit, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/safemode",
  how: "deny",
  spawned: true,
  reach: async (a) => {
    await a.prompt("s+");
    return edit(a);
  },
  says: /safemode on[^]*s-/,
  remedy: (a) => a.prompt("s-"),
  again: edit,
  later: [
    { when: "it stays off", run: (a) => a.bash("git commit -m x"), outcome: "pass" },
    {
      when: "on again",
      run: async (a) => {
        await a.prompt("safemode on");
        return a.bash("echo x > src/b.ts");
      },
      outcome: "deny",
    },
    {
      when: "another session of the project",
      run: async (a) => {
        a.session = "session-2";
        return edit(a);
      },
      outcome: "deny",
    },
    { when: "reading is open", run: (a) => a.read("src/a.ts"), outcome: "pass" },
  ],
});
