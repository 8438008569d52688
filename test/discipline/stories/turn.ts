// Stories of gates: what is due when a turn ends.
import { failing, passing } from "../agent.js";
import { edit, fix, loopCli, other, type Story } from "./story.js";

export const turn: readonly Story[] = [
  {
    gate: "requirements",
    how: "deny",
    reach: async (a) => {
      await a.prompt(`${fix}, then commit`);
      await edit(a);
      return a.stop("Changed src/a.ts.");
    },
    says: /also asked for: a commit/,
    remedy: (a) => a.bash('git commit -am "fix"', "[main 1] fix"),
    again: (a) => a.stop("Changed src/a.ts and committed."),
    later: [
      {
        when: "not due before the edit",
        run: async (a) => {
          await a.prompt("change it back and commit again");
          return edit(a);
        },
        outcome: "pass",
      },
      {
        when: "a question to the person",
        run: (a) => a.stop("Shall I commit this together with the other change?"),
        outcome: "pass",
      },
      { when: "still due", run: (a) => a.stop("Changed."), outcome: "deny" },
      {
        when: "research first is due before",
        run: async (a) => {
          await a.prompt(`${other}; research first`);
          return edit(a);
        },
        outcome: "deny",
        says: /research first/,
      },
    ],
  },
  {
    gate: "verification",
    how: "deny",
    reach: async (a) => {
      await edit(a);
      return a.stop("Changed src/a.ts.");
    },
    says: /src\/a\.ts[^]*npm test/,
    remedy: (a) => a.bash("npm test", passing()),
    again: (a) => a.stop("Changed src/a.ts, 5 tests pass."),
    later: [
      {
        when: "a failed run is no verification",
        run: async (a) => {
          await edit(a);
          await a.bash("npm test", failing(), 1);
          return a.stop("Done.");
        },
        outcome: "deny",
        says: /last run failed/,
      },
      {
        when: "a hidden exit code neither",
        run: async (a) => {
          await a.bash("npm test || true", "");
          return a.stop("Done.");
        },
        outcome: "deny",
        says: /hidden/,
      },
      { when: "bounded by the engine", run: (a) => a.stop("Done.", true), outcome: "deny" },
      { when: "the fourth end is let through", run: (a) => a.stop("Done.", true), outcome: "pass" },
      {
        when: "documents need none",
        run: async (a) => {
          await a.bash("npm test", passing());
          await a.write("README.md", "x\n");
          return a.stop("Wrote README.md.");
        },
        outcome: "pass",
      },
      {
        when: "a turn of words after one that was let through",
        run: async (a) => {
          await edit(a);
          for (let i = 0; i < 4; i++) await a.stop("Done.", i > 0);
          await a.prompt("what did you change?");
          return a.stop("The constant.");
        },
        outcome: "pass",
      },
      {
        when: "but the next edit asks again",
        run: async (a) => {
          await edit(a);
          return a.stop("Done.");
        },
        outcome: "deny",
      },
    ],
  },
  {
    gate: "evidence",
    how: "note",
    reach: async (a) => {
      await a.bash("npm test", passing(9));
      return a.bash("npm test", passing(7, 2));
    },
    says: /2 fewer tests[^]*2 more tests are skipped/,
    remedy: async () => undefined,
    again: (a) => a.bash("npm test", passing(9)),
    later: [
      {
        when: "a run that proves nothing",
        run: (a) => a.bash("npm test | grep ok", ""),
        outcome: "pass",
        says: /no evidence/,
      },
    ],
  },
  {
    gate: "claims",
    how: "note",
    reach: async (a) => {
      await edit(a);
      return a.stop("Fixed it; all tests pass.");
    },
    says: /no successful run after the last edit/,
    remedy: (a) => a.bash("npm test", passing()),
    again: (a) => a.stop("Fixed it; all tests pass."),
    later: [
      {
        when: "an honest answer",
        run: async (a) => {
          await edit(a);
          return a.stop("Fixed it; I have not checked whether tests pass.");
        },
        outcome: "pass",
      },
      { when: "counted", run: (a) => a.stop("The tests are green."), outcome: "pass", says: /this session: 2/ },
    ],
  },
  {
    gate: "gaming",
    how: "note",
    reach: async (a) => {
      let last = await a.call("WebSearch", { query: "x" }, { results: [] });
      for (let i = 0; i < 2; i++) last = await a.call("WebSearch", { query: "x" }, "No results found.");
      return last;
    },
    says: /brought nothing back/,
    remedy: (a) => a.search(),
    again: (a) => a.search(),
    later: [
      {
        when: "a vague summary",
        run: async (a) => {
          await edit(a);
          return a.stop("Made various changes and improved things.");
        },
        outcome: "pass",
        says: /names no file/,
      },
      {
        when: "all criteria ticked at once",
        run: async (a) => {
          await loopCli(a, "start", "x", "--criterion", "a", "--criterion", "b");
          for (const n of ["1", "2"]) await loopCli(a, "check", n);
          return a.bash("interlock loop check 1; interlock loop check 2", "Ticked.");
        },
        outcome: "pass",
        says: /ticked by one call/,
      },
      {
        when: "ratings without spread",
        run: async (a) => {
          for (let i = 2; i < 7; i++) {
            a.session = `session-${i}`;
            await edit(a);
            await a.stop(`Changed src/a.ts. Rating: ${i % 2 ? 9 : 10}/10`);
          }
          a.session = "session-8";
          return a.stop("Nothing to do.");
        },
        outcome: "pass",
        says: /all high and alike/,
      },
      { when: "told once", run: (a) => a.stop("Made various changes and improved things."), outcome: "pass" },
    ],
  },
];
