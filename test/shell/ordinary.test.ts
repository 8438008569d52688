// Ordinary development commands: none of them may be called dangerous, and hardly any may be unknown.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hazardsOf } from "../../src/shell/hazards/path-hazards.js";
import { analyse } from "../../src/shell/index.js";

const commands = JSON.parse(readFileSync(new URL("ordinary.json", import.meta.url), "utf8")) as string[];
const places = { cwd: "/home/u/p", root: "/home/u/p", home: "/home/u" };

test(`${commands.length} ordinary commands carry no hazard above level 1`, () => {
  const found = commands.flatMap((command) =>
    hazardsOf(analyse(command, places).effects, places)
      .filter(({ hazard }) => hazard.level >= 2)
      .map(({ hazard }) => `${command}: ${hazard.id}`),
  );
  assert.deepEqual(found, []);
});

test("an ordinary command is unknown only if it runs a script whose text was not given", () => {
  for (const command of commands)
    for (const effect of analyse(command, places).effects)
      if (effect.kind === "unknown") assert.match(effect.reason, /its text can't be read$/, command);
});
