// How people ask in Danish and Norwegian. language.ts says how each list is used.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const danish: PromptLanguage = {
  tag: "da",
  change: [String.raw`ret(?!\p{L})`, "tilføj"],
  canYou: ["kan du"],
  yes: ["ja"],
  replies: ["nej", "fortsæt", "fortsett", "takk", "tak skal du have"],
  plainWords: { canYou: "kan du" },
};

export const danishExamples: LanguageExamples = {
  task: ["Ret fejlen i parseren"],
  passthrough: ["fortsæt", "takk"],
};
