import assert from "node:assert/strict";
import { test } from "node:test";
import type { PromptFact } from "../../facts/prompts/prompt.js";
import { testChange } from "../../facts/test-changes.js";
import { processorTime } from "../../testing/processor-time.js";
import { wantedSkills } from "./prompts/wanted-skills.js";
import { manifestProblems } from "./release/manifest-problems.js";
import { claimsSuccess } from "./verification/success-claim.js";

const project = { root: "/nowhere", id: "x", read: () => undefined, exists: () => false, list: () => [] };
const asked = { person: true, kind: "task" } as unknown as PromptFact;
const skills = [{ name: "a", words: ["run the"] }];

const readers: [string, (text: string) => unknown][] = [
  ["tests", (text) => testChange("", text)],
  ["a claim", claimsSuccess],
  ["a manifest", (text) => manifestProblems(text, { id: "a", file: "", signed: ["sig"] }, project)],
  ["a prompt for skills", (text) => wantedSkills(asked, text, skills, "t")],
];
const hostile = [
  "/*",
  " //",
  "expect(",
  "assert len(",
  "it('",
  "tests are now ",
  "npm test ",
  "<a url=",
  "<!--",
  "x= ",
  "don't run the ",
  '"run the ',
];

test("hostile texts are read in linear time", async () => {
  for (const [name, read] of readers)
    for (const piece of hostile) {
      const cost = (length: number) => {
        const text = piece.repeat(length / piece.length);
        return processorTime(() => read(text), 2);
      };
      await cost(2_000);
      const small = await cost(10_000);
      const large = await cost(80_000);
      assert.ok(large < 30 * small + 60_000, `${name} of ${JSON.stringify(piece)}: ${small} us, then ${large} us`);
    }
});
