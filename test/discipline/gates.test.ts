import assert from "node:assert/strict";
import { test } from "node:test";
import { disciplineGateNames } from "../../src/packs/discipline/gate-names.js";
import { disciplinePack as discipline } from "../../src/packs/discipline/index.js";

test("every gate has the texts of its page", () => {
  for (const gate of discipline.gates) {
    assert.ok(gate.about && gate.remedy && gate.title, `${gate.id} lacks words`);
    if (gate.state) assert.ok(gate.window && gate.reset, `${gate.id} remembers and says neither window nor reset`);
  }
});

test("the settings list exactly the pack's gates", () => {
  const names = discipline.gates.map((gate) => gate.id.slice("discipline/".length));
  assert.deepEqual([...disciplineGateNames].sort(), names.sort());
});
