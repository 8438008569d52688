// How people ask in Ukrainian. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const ukrainian: PromptLanguage = {
  tag: "uk",
  change: ["додай", "виправ", "створи"],
  questionWords: ["чому", "як", "де", "що"],
  yes: ["так"],
};

export const ukrainianExamples: LanguageExamples = {
  task: ["Виправ помилку"],
};
