// How people ask in Hebrew. The lists are explained in language.ts.
import type { Language, LanguageExamples } from "./language.js";

export const hebrew: Language = {
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
