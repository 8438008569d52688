// Stories of gates: what the person says, confirms and is told.
import { join } from "node:path";
import { edit, fix, type Story } from "./story.js";

export const person: readonly Story[] = [
  {
    gate: "commands",
    how: "note",
    reach: (a) => a.prompt("s?"),
    says: /Safemode is off/,
    remedy: (a) => a.prompt("s+"),
    again: (a) => a.prompt("s-curve fitting: add a logistic model"),
    later: [
      { when: "the command took effect", run: (a) => a.prompt("s?"), outcome: "pass", says: /Safemode is on/ },
      { when: "a machine's prompt is no command", run: (a) => a.prompt("s-", { source: "system" }), outcome: "pass" },
      { when: "it is still on", run: (a) => a.prompt("S? "), outcome: "pass", says: /Safemode is on/ },
    ],
  },
  {
    gate: "safemode",
    how: "deny",
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
  },
  {
    gate: "sensitive-files",
    how: "ask",
    files: { ".github/workflows/ci.yml": "on: push\n" },
    reach: (a) =>
      a.before("Edit", {
        file_path: join(a.root, ".github/workflows/ci.yml"),
        old_string: "push",
        new_string: "pull_request",
      }),
    says: /reaches further/,
    remedy: (a) => a.edit(".github/workflows/ci.yml", "push", "pull_request"),
    again: (a) => a.edit(".github/workflows/ci.yml", "pull_request", "push"),
    later: [
      {
        when: "another file asks",
        run: (a) => a.before("Write", { file_path: join(a.root, "Dockerfile"), content: "FROM x" }),
        outcome: "ask",
      },
      {
        when: "a new session asks again",
        run: async (a) => {
          a.session = "session-2";
          return a.before("Bash", { command: "echo x >> .github/workflows/ci.yml" });
        },
        outcome: "ask",
      },
    ],
  },
  {
    gate: "prompt-notes",
    how: "note",
    reach: (a) => a.prompt(`${fix}, quickly, then commit`),
    says: /Before a change[^]*research docs[^]*due before the turn ends: commit/,
    remedy: (a) => a.research(),
    again: (a) => a.prompt("what does it do?"),
    later: [
      { when: "frustration", run: (a) => a.prompt("no, that's not what I meant"), outcome: "pass", says: /frustrated/ },
      { when: "the same word of haste", run: (a) => a.prompt("quickly rename it"), outcome: "pass", says: /again/ },
    ],
  },
  {
    gate: "session",
    how: "note",
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
  },
];
