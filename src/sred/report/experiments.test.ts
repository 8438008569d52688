// Experiments as messages describe them: values, several in one message, outcomes only where they are said.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readSredMessage } from "../message.js";
import { contradicts, experimentsIn } from "./experiments.js";

const trailers = "\n\nSRED-Type: applied-research\nSRED-Claim: ALPHA\n";
const only = (body: string) => {
  const found = experimentsIn(`feat(x): try\n\n${body}${trailers}`);
  assert.equal(found.length, 1, body);
  return found[0]!;
};

test("an outcome is what RESULT begins with, and nothing is inferred from other words", () => {
  const rows: [result: string, outcome: string][] = [
    ["SUCCESS, 20 % faster", "SUCCESS"],
    ["success: all 4 runs", "SUCCESS"],
    ["FAILED after 3 of 5 runs", "FAILED"],
    ["failure in every run", "FAILED"],
    ["PARTIAL, 2 of 4", "PARTIAL"],
    ["partially reached", "PARTIAL"],
    ["12 ms at the median", "not stated"],
    ["much better than before", "not stated"],
    ["improved; nothing broke", "not stated"],
    ["unsuccessful", "not stated"],
  ];
  for (const [result, outcome] of rows) {
    const e = only(`HYPOTHESIS: it holds\nRESULT: ${result}`);
    assert.deepEqual([e.outcome, e.result], [outcome, result]);
    assert.equal(e.saidBy, outcome === "not stated" ? undefined : "result");
  }
});

test("a failure told in other words counts, and says where it was told", () => {
  const e = only("HYPOTHESIS: it holds\n\nThe filter did not achieve the bound.");
  assert.deepEqual([e.outcome, e.saidBy], ["FAILED", "message"]);
  const bare = experimentsIn(`fix: contrary to hypothesis, drift grows${trailers}`);
  assert.deepEqual(bare, [{ outcome: "FAILED", saidBy: "message", claims: [] }]);
  assert.deepEqual(experimentsIn(`feat: plain work${trailers}`), []);
});

test("a squashed message holds several experiments, each with the project named beside it", () => {
  const found = experimentsIn(
    "squash of two\n\nHYPOTHESIS: first\nRESULT: FAILED, no\n\nSRED-Claim: ALPHA\n\n" +
      "HYPOTHESIS: second\nmore of it\nRESULT: SUCCESS, yes\n\nSRED-Claim: BETA\n",
  );
  assert.deepEqual(
    found.map((e) => [e.hypothesis, e.outcome, e.claims]),
    [
      ["first", "FAILED", ["ALPHA"]],
      ["second\nmore of it", "SUCCESS", ["BETA"]],
    ],
  );
});

test("a success that tells of a failure contradicts itself; a count of no failures does not", () => {
  const rows: [string, boolean][] = [
    ["RESULT: SUCCESS, although 3 runs FAILED", true],
    ["RESULT: SUCCESS\nANALYSIS: contrary to hypothesis", true],
    ["RESULT: SUCCESS, no run FAILED", false],
    ["RESULT: SUCCESS, 0 tests FAILED", false],
    ["RESULT: FAILED and FAILED again", false],
  ];
  for (const [body, expected] of rows) {
    const message = `feat(x): try\n\n${body}${trailers}`;
    assert.equal(contradicts(experimentsIn(message)[0]!, readSredMessage(message)), expected, body);
  }
});
