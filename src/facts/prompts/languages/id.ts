// How people ask in Indonesian. The lists are explained in language.ts.
import type { Language, LanguageExamples } from "./language.js";

export const indonesian: Language = {
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
