// What the preset `standard` does with single commands of many tools: dangerous ones are refused or asked about, ordinary ones pass.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { reactionTo } from "../../src/packs/guard/presets.js";
import { hazardsOf } from "../../src/shell/hazards/path-hazards.js";
import { analyse } from "../../src/shell/index.js";

const verdicts = JSON.parse(readFileSync(new URL("verdicts.json", import.meta.url), "utf8")) as Record<
  "deny" | "ask" | "pass",
  string[]
>;
const places = { cwd: "/home/u/p", root: "/home/u/p", home: "/home/u" };

function verdictOn(command: string): string {
  const reactions = hazardsOf(analyse(command, places).effects, places)
    .filter(({ hazard }) => hazard.class !== "verification-skip")
    .map(({ hazard }) => reactionTo(hazard, {}));
  return reactions.includes("deny") ? "deny" : reactions.includes("ask") ? "ask" : "pass";
}

for (const [verdict, commands] of Object.entries(verdicts))
  test(`${commands.length} commands: ${verdict}`, () => {
    assert.deepEqual(
      commands.filter((command) => verdictOn(command) !== verdict).map((c) => `${verdictOn(c)}: ${c}`),
      [],
    );
  });
