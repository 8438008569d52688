// How people ask in Swedish. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const swedish: PromptLanguage = {
  tag: "sv",
  change: ["rätta", "lägg till", "ta bort"],
  canYou: ["kan du", "skulle du kunna"],
  explain: ["förklara", "berätta"],
  questionWords: ["hur", "varför", "vad", "vilken"],
  whole: ["hela"],
  except: ["på", "i"],
  followsOn: ["också"],
  yes: ["ja", "javisst", "kör", "gör det"],
  replies: ["nej", "tack", "fortsätt"],
  plainWords: { canYou: "kan du", whole: "hela" },
};

export const swedishExamples: LanguageExamples = {
  task: ["Rätta felet i parsern"],
  question: ["Varför misslyckas testet?"],
  passthrough: ["fortsätt"],
};
