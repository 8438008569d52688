// How people ask in Greek. The lists are explained in language.ts.
import type { Language, LanguageExamples } from "./language.js";

export const greek: Language = {
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
