import assert from "node:assert/strict";
import { test } from "node:test";
import { disciplineGateNames } from "./gate-names.js";
import { disciplineRules, rulesBehind, rulesOfGate, rulesOfTask } from "./rule-map.js";

test("every gate enforces a rule of the list, and every rule but one has a gate", () => {
  assert.deepEqual(Object.keys(rulesOfGate).sort(), [...disciplineGateNames].sort());
  const used = new Set(Object.values(rulesOfGate).flat());
  for (const n of [...used, ...Object.values(rulesOfTask).flat()]) assert.ok(disciplineRules[n], `rule ${n}`);
  const without = disciplineRules.flatMap((_, n) => (used.has(n) ? [] : [n]));
  assert.deepEqual(without, [11], "going around a broken tool is guarded by the guard pack");
});

test("a verdict names the rules behind its gate", () => {
  assert.match(rulesBehind("discipline/research")[0]!, /^#2 verify/);
  assert.deepEqual(rulesBehind("guard/secrets"), []);
});
