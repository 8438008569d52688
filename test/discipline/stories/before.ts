// Stories of gates: what must be there before a change.
import { type Agent, passing } from "../agent.js";
import { edit, fix, loopCli, other, type Story } from "./story.js";

async function fail(a: Agent, times: number, command = "make"): Promise<void> {
  for (let i = 0; i < times; i++) await a.bash(command, `make: *** [all] Error ${i}`, 2);
}

export const before: readonly Story[] = [
  {
    gate: "startup",
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
  },
  {
    gate: "breaker",
    how: "deny",
    reach: async (a) => {
      await fail(a, 3);
      return edit(a);
    },
    says: /3 failures in a row[^]*Error/,
    remedy: async (a) => {
      await a.docs();
      await a.grep("x", "src/a.ts:1:x");
    },
    again: edit,
    later: [
      {
        when: "a success closed it; three of one signature trip it",
        run: async (a) => {
          await a.bash("make", "ok");
          for (let i = 0; i < 3; i++) {
            await a.bash("make", `/build/${i}/Makefile:${i}: *** missing separator.  Stop.`, 2);
            await a.bash("ls", "x");
          }
          return edit(a);
        },
        outcome: "deny",
        says: /same failure 3 times/,
      },
      { when: "reading and testing stay open", run: (a) => a.bash("npm test", passing()), outcome: "pass" },
      {
        when: "the one try fails",
        run: async (a) => {
          await a.docs();
          await a.search();
          await a.bash("make", "make: *** [all] Error 9", 2);
          return edit(a);
        },
        outcome: "deny",
        says: /one try after new research failed/,
      },
      {
        when: "a person resets it",
        run: async (a) => {
          await a.prompt("rb-");
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "documents",
    how: "deny",
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
  },
  {
    gate: "plan",
    how: "deny",
    reach: async (a) => {
      await a.prompt(`Make a plan first. ${fix}`);
      return edit(a);
    },
    says: /needs a plan/,
    remedy: async (a) => {
      await a.stop("The plan: read the settings reader, change the constant, run the tests, report.");
      await a.prompt("pa+");
    },
    again: edit,
    later: [
      {
        when: "a follow-up keeps it",
        run: async (a) => {
          await a.prompt("now also rename it");
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "another task with a plan",
        run: async (a) => {
          await a.prompt(`${other}. Make a plan first.`);
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "a yes to the shown plan",
        run: async (a) => {
          await a.stop("The plan: write the exporter, wire the button, test it.");
          await a.prompt("lgtm");
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "research-only",
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
  },
  {
    gate: "research",
    how: "deny",
    reach: async (a) => {
      await a.prompt(fix);
      return edit(a);
    },
    says: /docs, web, github, local/,
    remedy: (a) => a.research(),
    again: edit,
    later: [
      { when: "the shell too", run: (a) => a.bash("cp src/a.ts src/b.ts"), outcome: "pass" },
      {
        when: "a follow-up keeps it",
        run: async (a) => {
          await a.prompt("also add a test for it");
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "an obvious change of task asks again",
        run: async (a) => {
          await a.prompt(other);
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "and again",
        run: async (a) => {
          await a.research();
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "a person resets it",
        run: async (a) => {
          await a.prompt("reset research");
          return a.bash("cp src/a.ts src/c.ts");
        },
        outcome: "deny",
      },
    ],
  },
  {
    gate: "read-first",
    how: "deny",
    options: { research: { strict: true } },
    files: { "src/long.ts": `${Array.from({ length: 60 }, (_, i) => `export const c${i} = ${i};`).join("\n")}\n` },
    reach: async (a) => {
      await a.read("src/long.ts", { offset: 1, limit: 10 });
      return a.edit("src/long.ts", "c40 = 40", "c40 = 41");
    },
    says: /lines 41-41 were not read/,
    remedy: (a) => a.read("src/long.ts", { offset: 35, limit: 10 }),
    again: (a) => a.edit("src/long.ts", "c40 = 40", "c40 = 41"),
    later: [
      { when: "own edits keep it known", run: (a) => a.edit("src/long.ts", "c41 = 41", "c41 = 42"), outcome: "pass" },
      {
        when: "changed by other hands",
        run: async (a) => {
          a.put("src/long.ts", a.text("src/long.ts").replace("c0 = 0", "c0 = 1"));
          return a.edit("src/long.ts", "c1 = 1", "c1 = 2");
        },
        outcome: "deny",
        says: /changed since/,
      },
      {
        when: "search results count",
        run: async (a) => {
          await a.grep("c2 ", "3:export const c2 = 2;", "src/long.ts");
          return a.edit("src/long.ts", "c2 = 2;", "c2 = 3;");
        },
        outcome: "pass",
      },
      { when: "a new file is free", run: (a) => a.write("src/new.ts", "x\n"), outcome: "pass" },
    ],
  },
  {
    gate: "loop",
    how: "deny",
    options: { loop: { maxIterations: 2 } },
    reach: async (a) => {
      await a.prompt("Rewrite the whole backend to use the new client");
      return edit(a);
    },
    says: /interlock loop start/,
    remedy: (a) =>
      a
        .bash('interlock loop start "new client" --criterion "tests pass"', "started", 0, undefined)
        .then(() => loopCli(a, "start", "new client", "--criterion", "tests pass")),
    again: edit,
    later: [
      {
        when: "the limit of iterations",
        run: async (a) => {
          for (let i = 0; i < 2; i++) {
            await edit(a);
            await a.bash("npm test", passing());
          }
          return edit(a);
        },
        outcome: "deny",
        says: /used its 2 iterations/,
      },
      {
        when: "completed without its criterion it is not",
        run: async (a) => {
          await loopCli(a, "complete");
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "completed, and the big task asks for a new one",
        run: async (a) => {
          await loopCli(a, "check", "1");
          await loopCli(a, "complete");
          return edit(a);
        },
        outcome: "deny",
        says: /no loop/,
      },
      {
        when: "a person starts it",
        run: async (a) => {
          await a.prompt("sl+");
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
  {
    gate: "skill",
    how: "deny",
    options: { skills: [{ name: "docs-audit", words: ["audit the docs"], agents: 1 }] },
    reach: async (a) => {
      await a.prompt("Please audit the docs and fix what is wrong");
      return edit(a);
    },
    says: /docs-audit/,
    remedy: async (a) => {
      await a.call("Skill", { skill: "docs-audit" }, { success: true });
      await a.call(
        "Agent",
        { prompt: "look", subagent_type: "Explore", description: "d", run_in_background: false },
        { content: [{ type: "text", text: "found" }] },
      );
    },
    again: edit,
    later: [
      {
        when: "asked again it must be used again",
        run: async (a) => {
          await a.prompt("audit the docs once more, then fix them");
          return edit(a);
        },
        outcome: "deny",
      },
      {
        when: "a skill that can't be invoked is given up",
        run: async (a) => {
          for (let i = 0; i < 2; i++) {
            await a.before("Skill", { skill: "docs-audit" });
            await a.failed("Skill", { skill: "docs-audit" }, "Unknown skill");
          }
          return edit(a);
        },
        outcome: "pass",
      },
    ],
  },
];
