// How people ask in Hungarian. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const hungarian: PromptLanguage = {
  tag: "hu",
  change: ["javíts", "töröl"],
  questionWords: ["miért", "hogyan"],
  yes: ["igen", "rendben"],
  replies: ["nem", "köszönöm", "folytasd"],
};

export const hungarianExamples: LanguageExamples = {
  task: ["Javítsd ki a hibát"],
};
