// Runs the examples of every language file: each must be read as the list it stands in says.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { readPrompt } from "../prompt.js";
import { otherLanguages } from "./index.js";
import type { LanguageExamples } from "./language.js";

const checks: Record<keyof LanguageExamples, (text: string) => void> = {
  task: isKind("task"),
  "big-task": isKind("big-task"),
  "research-only": isKind("research-only"),
  question: isKind("question"),
  passthrough: isKind("passthrough"),
  commit: (text) => assert.deepEqual(readPrompt(text).asks, ["commit"]),
  follows: (text) => assert.equal(readPrompt(text).bearing, "follows"),
  newTask: (text) => assert.equal(readPrompt(text).bearing, "leaves"),
};

function isKind(kind: string) {
  return (text: string) => assert.equal(readPrompt(text).kind, kind);
}

const tags = readdirSync(import.meta.dirname ?? new URL(".", import.meta.url).pathname).flatMap(
  (name) => /^([a-z]{2})\.js$/.exec(name)?.[1] ?? [],
);

for (const tag of tags) {
  const module = (await import(`./${tag}.js`)) as Record<string, LanguageExamples>;
  const examples = Object.entries(module).find(([name]) => name.endsWith("Examples"))?.[1] ?? {};
  test(`${tag} has examples`, () => assert.ok(Object.values(examples).flat().length > 0));
  for (const [expected, texts] of Object.entries(examples) as [keyof LanguageExamples, readonly string[]][])
    for (const text of texts) test(`${tag}, ${expected}: ${JSON.stringify(text)}`, () => checks[expected](text));
}

test("every language file is listed", () => {
  assert.deepEqual(otherLanguages.map((language) => language.tag).sort(), tags.filter((tag) => tag !== "en").sort());
});
