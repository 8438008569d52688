// Runs the examples of every language file: each must be read as the list it stands in says.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readPrompt } from "../prompt.js";
import { arabicExamples } from "./ar.js";
import { bulgarianExamples } from "./bg.js";
import { czechExamples } from "./cs.js";
import { danishExamples } from "./da.js";
import { germanExamples } from "./de.js";
import { greekExamples } from "./el.js";
import { englishExamples } from "./en.js";
import { spanishExamples } from "./es.js";
import { finnishExamples } from "./fi.js";
import { frenchExamples } from "./fr.js";
import { hebrewExamples } from "./he.js";
import { hindiExamples } from "./hi.js";
import { hungarianExamples } from "./hu.js";
import { indonesianExamples } from "./id.js";
import { otherLanguages } from "./index.js";
import { italianExamples } from "./it.js";
import { japaneseExamples } from "./ja.js";
import { koreanExamples } from "./ko.js";
import type { LanguageExamples } from "./language.js";
import { dutchExamples } from "./nl.js";
import { polishExamples } from "./pl.js";
import { portugueseExamples } from "./pt.js";
import { russianExamples } from "./ru.js";
import { swedishExamples } from "./sv.js";
import { thaiExamples } from "./th.js";
import { turkishExamples } from "./tr.js";
import { ukrainianExamples } from "./uk.js";
import { vietnameseExamples } from "./vi.js";
import { chineseExamples } from "./zh.js";

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

const languages: Record<string, LanguageExamples> = {
  ar: arabicExamples,
  bg: bulgarianExamples,
  cs: czechExamples,
  da: danishExamples,
  de: germanExamples,
  el: greekExamples,
  en: englishExamples,
  es: spanishExamples,
  fi: finnishExamples,
  fr: frenchExamples,
  he: hebrewExamples,
  hi: hindiExamples,
  hu: hungarianExamples,
  id: indonesianExamples,
  it: italianExamples,
  ja: japaneseExamples,
  ko: koreanExamples,
  nl: dutchExamples,
  pl: polishExamples,
  pt: portugueseExamples,
  ru: russianExamples,
  sv: swedishExamples,
  th: thaiExamples,
  tr: turkishExamples,
  uk: ukrainianExamples,
  vi: vietnameseExamples,
  zh: chineseExamples,
};

for (const [tag, examples] of Object.entries(languages)) {
  test(`${tag} has examples`, () => assert.ok(Object.values(examples).flat().length > 0));
  for (const [expected, texts] of Object.entries(examples) as [keyof LanguageExamples, readonly string[]][])
    for (const text of texts) test(`${tag}, ${expected}: ${JSON.stringify(text)}`, () => checks[expected](text));
}

test("every language file is read and tested", () => {
  const files = readdirSync(dirname(fileURLToPath(import.meta.url)));
  const tags = files.flatMap((name) => /^([a-z]{2})\.js$/.exec(name)?.[1] ?? []).sort();
  assert.deepEqual(Object.keys(languages).sort(), tags);
  assert.deepEqual(["en", ...otherLanguages.map((language) => language.tag)].sort(), tags);
});
