// How people ask in Hungarian. The lists are explained in language.ts.
import type { Language, LanguageExamples } from "./language.js";

export const hungarian: Language = {
  tag: "hu",
  change: ["javíts", "töröl"],
  questionWords: ["miért", "hogyan"],
  yes: ["igen", "rendben"],
  replies: ["nem", "köszönöm", "folytasd"],
};

export const hungarianExamples: LanguageExamples = {
  task: ["Javítsd ki a hibát"],
};
