// How people ask in Greek. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const greek: PromptLanguage = {
  tag: "el",
  change: ["διόρθωσ", "πρόσθεσ", "σβήσ", "διέγραψ"],
  canYou: ["μπορείς", "μπορείτε"],
  explain: ["εξήγ"],
  questionWords: ["γιατί", "πώς", "πως", "τι", "πού"],
  yes: ["ναι", "εντάξει"],
  replies: ["όχι", "ευχαριστώ", "συνέχισε"],
};

export const greekExamples: LanguageExamples = {
  task: ["Διόρθωσε το σφάλμα"],
  question: ["Γιατί αποτυγχάνει το τεστ;"],
  passthrough: ["ναι"],
};
