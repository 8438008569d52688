// How people ask in Bulgarian. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const bulgarian: PromptLanguage = {
  tag: "bg",
  change: ["поправи"],
};

export const bulgarianExamples: LanguageExamples = {
  task: ["Поправи грешката"],
};
