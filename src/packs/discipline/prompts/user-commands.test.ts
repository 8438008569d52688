import { story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/commands",
  how: "note",
  spawned: true,
  reach: (a) => a.prompt("s?"),
  says: /Safemode is off/,
  remedy: (a) => a.prompt("s+"),
  again: (a) => a.prompt("s-curve fitting: add a logistic model"),
  later: [
    { when: "the command took effect", run: (a) => a.prompt("s?"), outcome: "pass", says: /Safemode is on/ },
    { when: "a machine's prompt is no command", run: (a) => a.prompt("s-", { source: "system" }), outcome: "pass" },
    { when: "it is still on", run: (a) => a.prompt("S? "), outcome: "pass", says: /Safemode is on/ },
  ],
});
