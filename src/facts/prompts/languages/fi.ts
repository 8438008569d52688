// How people ask in Finnish. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const finnish: PromptLanguage = {
  tag: "fi",
  change: ["korjaa", "lisää", "poista"],
  canYou: ["voitko", "voisitko"],
  explain: ["selit", "kerro"],
  questionWords: ["miksi", "miten", "mitä", "missä"],
  whole: ["koko"],
  followsOn: ["myös", "vielä"],
  yes: ["joo", "kyllä", "tee se"],
  replies: ["ei", "kiitos", "jatka"],
  plainWords: { canYou: "voitko voisitko", whole: "koko" },
};

export const finnishExamples: LanguageExamples = {
  task: ["Korjaa virhe"],
  question: ["Miksi testi epäonnistuu?"],
  passthrough: ["jatka"],
};
