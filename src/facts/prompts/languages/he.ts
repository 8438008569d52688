// How people ask in Hebrew. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const hebrew: PromptLanguage = {
  tag: "he",
  changeAnywhere: ["תקן", "הוסף", "צור", "מחק"],
  canYou: ["תוכל"],
  explain: ["הסבר"],
  questionStarts: ["למה", "איך", "מה", "איפה"],
  yes: ["כן", "בסדר"],
  replies: ["לא", "תודה", "תמשיך", "המשך", "לה"],
};

export const hebrewExamples: LanguageExamples = {
  task: ["תקן את הבאג"],
  question: ["למה הבדיקה נכשלת?"],
  passthrough: ["כן"],
};
