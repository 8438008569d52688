import assert from "node:assert/strict";
import { test } from "node:test";
import { passing, play } from "./agent.js";

test("an honest small task meets no refusal after its research", async (t) => {
  const a = play(t);
  const brief = await a.start();
  assert.match(brief.context, /Before the first change/);
  const told = await a.prompt("Fix the wrong constant in src/a.ts");
  assert.match(told.context, /research docs, web, github, local/);
  const early = await a.edit("src/a.ts", "1", "2");
  assert.equal(early.gate, "research", early.text);
  await a.research();
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  const stop = await a.stop("Changed the constant.");
  assert.equal(stop.gate, "verification", stop.text);
  await a.bash("npm test", passing());
  const end = await a.stop("Changed the constant in src/a.ts; 5 tests pass.");
  assert.equal(end.outcome, "pass", end.text);
});
