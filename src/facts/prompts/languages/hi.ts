// How people ask in Hindi. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const hindi: PromptLanguage = {
  tag: "hi",
  changeAnywhere: ["सुधार", "जोड़", "बनाओ", "हटा", "ठीक कर"],
  canYouAnywhere: ["आप.*सकते"],
  explain: ["समझा", "बता"],
  questionStarts: ["क्यों", "कैसे", String.raw`क्या(?!\s+आप)`],
  please: ["कृपया"],
  wholeAnywhere: ["पूरे", "पूरा", "सभी"],
  yes: ["हाँ", "हां", "ठीक है", "जी हाँ"],
  replies: ["नहीं", "शुक्रिया", "धन्यवाद", "जारी रखें", "जारी रखो", "आगे बढ़ो"],
};

export const hindiExamples: LanguageExamples = {
  task: ["पार्सर में बग ठीक करो", "क्या आप टेस्ट जोड़ सकते हैं?"],
  question: ["यह फ़ंक्शन क्या करता है?"],
  passthrough: ["शुक्रिया", "हाँ", "जारी रखें"],
};
