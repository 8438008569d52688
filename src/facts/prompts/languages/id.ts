// How people ask in Indonesian. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const indonesian: PromptLanguage = {
  tag: "id",
  change: ["perbaiki", "tambah", "hapus"],
  canYou: ["bisa kamu", "bisakah kamu"],
  explain: ["jelaskan"],
  questionWords: ["mengapa", "bagaimana", "apa"],
  please: ["tolong"],
  yes: ["ya", "baik", "setuju"],
  replies: ["tidak", "terima kasih", "lanjut", "lanjutkan"],
  plainWords: { canYou: "bisa" },
};

export const indonesianExamples: LanguageExamples = {
  task: ["Perbaiki bug ini"],
};
