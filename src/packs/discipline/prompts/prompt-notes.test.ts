import { fix, story } from "../../../../test/discipline/story.js";

story({
  gate: "discipline/prompt-notes",
  how: "note",
  reach: (a) => a.prompt(`${fix}, quickly, then commit`),
  says: /Before a change[^]*research docs[^]*due before the turn ends: commit/,
  remedy: (a) => a.research(),
  again: (a) => a.prompt("what does it do?"),
  later: [
    { when: "frustration", run: (a) => a.prompt("no, that's not what I meant"), outcome: "pass", says: /frustrated/ },
    { when: "the same word of haste", run: (a) => a.prompt("quickly rename it"), outcome: "pass", says: /again/ },
  ],
});
