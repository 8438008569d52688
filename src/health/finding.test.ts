import assert from "node:assert/strict";
import { test } from "node:test";
import { type HealthFinding, planRepairs, type Repair } from "./finding.js";

const repair = (stage: Repair["stage"], id: string, more: Partial<Repair> = {}): Repair => ({
  stage,
  id,
  will: id,
  apply: () => assert.fail("planning applies nothing"),
  ...more,
});
const found = (planned: Repair, ok = false): HealthFinding => ({ area: "a", ok, what: "w", repair: planned });
const plan = (...findings: HealthFinding[]) => planRepairs(findings).map(({ will }) => will);

test("repairs are planned by stage: files, settings, server, registration", () => {
  const stages = ["registration", "server", "files", "settings"] as const;
  assert.deepEqual(plan(...stages.map((stage) => found(repair(stage, stage)))), [
    "files",
    "settings",
    "server",
    "registration",
  ]);
});

test("two findings with the same repair plan it once, and a more specific one wins", () => {
  const plain = found(repair("server", "server", { will: "start" }));
  const specific = found(repair("server", "server", { will: "replace", specific: true }));
  assert.deepEqual(plan(plain, plain), ["start"]);
  assert.deepEqual(plan(plain, specific), ["replace"]);
  assert.deepEqual(plan(specific, plain), ["replace"]);
});

test("a repair brings its follow-ups; a finding that is fine brings none", () => {
  const register = repair("registration", "register local");
  assert.deepEqual(plan(found(repair("server", "move", { followedBy: [register] }))), ["move", "register local"]);
  assert.deepEqual(plan(found(register, true)), []);
});
