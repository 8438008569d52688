// How people ask in Turkish. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const turkish: PromptLanguage = {
  tag: "tr",
  change: ["düzelt", "ekle", "oluştur", "güncelle", String.raw`sil(?:in)?(?!\p{L})`],
  canYouAnywhere: ["(?:abilir|ebilir) mi(?:sin|siniz)"],
  explain: ["açıkla", "anlat", "söyle"],
  questionWords: ["nasıl", "neden", "niçin", "nerede", "hangi"],
  please: ["lütfen"],
  whole: ["bütün", "tüm"],
  changeNothing: [String.raw`hiçbir\s+şeyi\s+değiştirme`],
  followsOn: ["bunu", "hala"],
  yes: ["evet", "tamam", "olur"],
  replies: ["hayır", "teşekkürler", "teşekkür ederim", "devam", "devam et"],
  plainWords: { canYou: "misin misiniz", followsOn: "bunu hala" },
};

export const turkishExamples: LanguageExamples = {
  task: ["Hatayı düzelt", "Test ekleyebilir misin?"],
  question: ["Bu fonksiyon ne yapıyor?"],
  passthrough: ["evet", "devam et"],
};
