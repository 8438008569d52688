// Notes of claims, gaming and evidence: what is reported once, and what an honest agent never hears.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, failing, passing, play } from "../agent.js";
import { loopCli } from "../story.js";

const change = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");
interface Case {
  name: string;
  gate: "claims" | "gaming" | "evidence";
  go(a: Agent): Promise<{ context: string; shown: string; text: string }>;
  told: RegExp | undefined;
}
const ran = (a: Agent, out = passing(), exit = 0) => a.bash("npm test", out, exit);
const claim =
  (message: string, ...acts: ((a: Agent) => Promise<unknown>)[]) =>
  async (a: Agent) => {
    for (const act of acts) await act(a);
    return a.stop(message);
  };
const cases: Case[] = [
  {
    name: "all tests pass, nothing was run",
    gate: "claims",
    go: claim("All tests pass.", change),
    told: /no|without|not/i,
  },
  {
    name: "all tests pass, run before the edit",
    gate: "claims",
    go: claim("All tests pass now.", ran, change),
    told: /./,
  },
  {
    name: "all tests pass, run after the edit",
    gate: "claims",
    go: claim("All 5 tests pass.", change, ran),
    told: undefined,
  },
  {
    name: "all tests pass, they failed",
    gate: "claims",
    go: claim("All tests pass.", change, (a) => ran(a, failing(), 1)),
    told: /./,
  },
  {
    name: "the suite is green, nothing was run",
    gate: "claims",
    go: claim("The whole suite is green.", change),
    told: /./,
  },
  {
    name: "honest: the tests were not run",
    gate: "claims",
    go: claim("I did not run the tests.", change),
    told: undefined,
  },
  {
    name: "honest: some fail",
    gate: "claims",
    go: claim("Two tests still fail; the rest pass.", change, (a) => ran(a, failing(), 1)),
    told: undefined,
  },
  {
    name: "a plan that they should pass",
    gate: "claims",
    go: claim("Next I will make sure that all tests pass.", change),
    told: undefined,
  },
  {
    name: "a condition",
    gate: "claims",
    go: claim("If all tests pass in CI, it can be merged.", change),
    told: undefined,
  },
  {
    name: "no edit in the session: what the person said is repeated",
    gate: "claims",
    go: claim("You said that all tests pass; then the cause is elsewhere.", (a) => a.read("src/a.ts")),
    told: undefined,
  },
  {
    name: "fewer tests than before",
    gate: "evidence",
    go: async (a) => {
      await change(a);
      await ran(a, passing(9));
      await change(a);
      return ran(a, passing(7));
    },
    told: /7[^]*9|9[^]*7|fewer/,
  },
  {
    name: "more skipped than before",
    gate: "evidence",
    go: async (a) => {
      await change(a);
      await ran(a, passing(9, 0));
      await change(a);
      return ran(a, passing(9, 3));
    },
    told: /skipped/,
  },
  {
    name: "as many as before",
    gate: "evidence",
    go: async (a) => {
      await change(a);
      await ran(a, passing(9, 1));
      await change(a);
      return ran(a, passing(9, 1));
    },
    told: undefined,
  },
  {
    name: "more than before",
    gate: "evidence",
    go: async (a) => {
      await change(a);
      await ran(a, passing(9));
      await change(a);
      return ran(a, passing(12));
    },
    told: undefined,
  },
  {
    name: "one file of the suite is not the suite",
    gate: "evidence",
    go: async (a) => {
      await change(a);
      await ran(a, passing(9));
      await change(a);
      return a.bash("npm test -- test/a.test.ts", passing(2));
    },
    told: undefined,
  },
  {
    name: "a vague summary",
    gate: "gaming",
    go: claim("I made various changes and cleaned things up.", change),
    told: /names no file/,
  },
  {
    name: "a summary that names what changed",
    gate: "gaming",
    go: claim("I made some changes: src/a.ts has the new constant; 5 tests passed.", change),
    told: undefined,
  },
  { name: "a short honest summary", gate: "gaming", go: claim("Fixed.", change), told: undefined },
  {
    name: "a vague answer without edits",
    gate: "gaming",
    go: claim("There are various ways to do it.", (a) => a.read("src/a.ts")),
    told: undefined,
  },
  {
    name: "all criteria ticked by one call",
    gate: "gaming",
    go: async (a) => {
      await loopCli(a, "start", "x", "--criterion", "a", "--criterion", "b", "--criterion", "c");
      return a.bash("for i in 1 2 3; do interlock loop check $i; done", "Ticked.", 0, undefined).then(async (said) => {
        for (const i of ["1", "2", "3"]) await loopCli(a, "check", i);
        const later = await a.bash("ls", "x");
        return { ...later, context: `${said.context}\n${later.context}`.trim(), shown: later.shown, text: "" };
      });
    },
    told: /ticked by one call/,
  },
  {
    name: "one criterion of three ticked",
    gate: "gaming",
    go: async (a) => {
      await loopCli(a, "start", "x", "--criterion", "a", "--criterion", "b", "--criterion", "c");
      await loopCli(a, "check", "1");
      return a.bash("interlock loop check 1", "Ticked. 2 to go.");
    },
    told: undefined,
  },
  {
    name: "honest parallel research",
    gate: "gaming",
    go: async (a) => {
      await Promise.all([a.read("src/a.ts"), a.docs(), a.search(), a.github()]);
      return a.stop("I read src/a.ts and four pages.");
    },
    told: undefined,
  },
];
const claimed = [
  "The suite passes.",
  "Every test passes.",
  "After the change all tests pass.",
  "I changed src/a.ts so that it reads the file; all tests pass.",
  "It could not be simpler, and all tests pass.",
  "I ran nothing else. All 12 tests passed!",
  "5/5 tests pass.",
  "It passes all tests.",
  "No test fails anymore.",
  "There are 0 failures.",
  "✅ All green.",
  "Everything is green.",
  "All specs are green.",
  "`npm test` passes.",
  "pytest passes with the change in src/a.ts.",
  "I changed src/a.ts.\n\n- Tests: all passing",
  "Fixed and verified with the tests.",
  "Alle Tests sind grün.",
  "Alle Tests laufen durch.",
  "Tous les tests passent.",
  "Todas las pruebas pasan.",
  "所有测试都通过了。",
  "すべてのテストが通りました。",
  "Все тесты проходят.",
];
const unclaimed = [
  "The tests should pass now.",
  "Please check that all tests pass.",
  "To make all tests pass, src/a.ts needs another change.",
  "I could not verify it: the tests were not run.",
  "I verified that src/a.ts exists.",
  "The change is not verified yet.",
  "The new test passes an empty string to the parser in src/a.ts.",
  "The green button in src/a.ts is fixed.",
  "Tests are missing for src/a.ts.",
  "Not all tests pass.",
  "All tests fail.",
  "Do all tests pass for you?",
  "Once the tests pass, merge it.",
  "The test file src/a.test.ts is where it was.",
  "Ich habe die Tests nicht ausgeführt.",
];
for (const [list, told] of [
  [claimed, /./],
  [unclaimed, undefined],
] as const)
  for (const message of list)
    cases.push({ name: JSON.stringify(message), gate: "claims", go: claim(message, change), told });

for (const c of cases)
  test(`${c.gate}: ${c.name} -> ${c.told ? "told" : "not told"}`, async (t) => {
    const a = play(t, { gates: [c.gate] });
    await a.prompt("Fix the wrong constant in the settings reader");
    const said = await c.go(a);
    const all = [said.context, said.shown, said.text].join("\n").trim();
    if (c.told) assert.match(all, c.told);
    else assert.equal(all, "");
  });
