import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { choiceIn } from "./menu-choices.js";
import { answeredChoice, testLimits } from "./phase-evidence.js";

const finishes: readonly string[] = [
  ...["save", "Save", "SAVE!", "continue", "c", "S", "[S]", "s)", "[C] Continue", "save and continue", "save\n"],
  ...["save please", "please save", "save it", "ok, save", "yes, save", "Save, thanks", "'save'", '"continue"'],
  ...["continue please", "let's continue", "S - save", "option S", "Looks good, save", "save the requirements"],
];
const others: readonly string[] = [
  ...["refine", "adjust", "a", "exit", "save the file as notes.md", "continue with the second persona, it is missing"],
  ...["don't save", "not yet, refine", "do not continue", "can we save?", "savee", "why save?", "ok", "/save", "yes"],
  ...["save money is a goal too", "continue where? I am lost", "no, save later", "good, but save it after story 3"],
];
test("what a person types finishes the menu only as a whole answer", () => {
  for (const answer of finishes) assert.match(choiceIn(answer) ?? "", /^(?:save|continue)$/, answer);
  for (const answer of others) assert.doesNotMatch(choiceIn(answer) ?? "", /^(?:save|continue)$/, answer);
});

const asked = (labels: string[], answer: string, multiSelect = false): JsonObject => ({
  questions: [{ question: "What now?", header: "Menu", options: labels.map((label) => ({ label })), multiSelect }],
  answers: { "What now?": answer },
});
const dialogs: [name: string, response: JsonObject, choice: string | undefined][] = [
  ["a label with more words", asked(["Save & continue", "Refine further"], "Save & continue"), "save"],
  ["a recommended one", asked(["Save (Recommended)", "Refine"], "Save (Recommended)"), "save"],
  ["a letter and an object", asked(["[S] Save requirements", "[R] Refine stories"], "[S] Save requirements"), "save"],
  ["yes and no", asked(["Yes, save", "No, refine"], "Yes, save"), "save"],
  ["the no of it", asked(["Yes, save", "No, refine"], "No, refine"), "refine"],
  ["approved", asked(["Approve and save", "Refine"], "Approve and save"), "save"],
  ["typed instead of chosen", asked(["Yes", "No"], "save"), "save"],
  ["typed with a condition", asked(["Save", "Refine"], "save but first change story 3"), undefined],
  ["several at once", asked(["Save", "Refine"], "Save, Refine", true), undefined],
  ["words of another matter", asked(["Save money with one", "Continue with three"], "Save money with one"), undefined],
];
for (const [name, response, choice] of dialogs)
  test(`an answered dialog: ${name}`, () => assert.equal(answeredChoice(response).choice, choice));

test("what agents wrote never raises a limit, the user's own may", () => {
  const needs = { max: 5, identical: 3 };
  assert.deepEqual(testLimits(needs, { lowered: { max: 10 } }, { max: 10 }), { max: 5, identical: 3 });
  assert.deepEqual(testLimits(needs, { limits: { max: 8 }, lowered: { max: 7 } }, { max: 9 }).max, 7);
  assert.deepEqual(testLimits(needs, { limits: { max: 8 } }, undefined).max, 8);
});
