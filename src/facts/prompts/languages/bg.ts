// How people ask in Bulgarian. The lists are explained in language.ts.
import type { Language, LanguageExamples } from "./language.js";

export const bulgarian: Language = {
  tag: "bg",
  change: ["поправи"],
};

export const bulgarianExamples: LanguageExamples = {
  task: ["Поправи грешката"],
};
