// How people ask in Arabic. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const arabic: PromptLanguage = {
  tag: "ar",
  changeAnywhere: ["أصلح", "إصلاح", "أضف", "إضافة", "أنشئ", "احذف", "حذف", "عدل"],
  canYouAnywhere: ["يمكنك", "تستطيع"],
  explain: ["اشرح", "شرح"],
  questionStarts: ["لماذا", "كيف", "ماذا", "أين", String.raw`هل(?!\s*(?:يمكنك|تستطيع))`],
  please: ["من فضلك"],
  wholeAnywhere: ["كل ", "جميع"],
  yes: ["قبول", "نعم", "حسنا", "تمام"],
  replies: ["شكرا", "لا", "استمر", "تابع", "أكمل"],
};

export const arabicExamples: LanguageExamples = {
  task: ["أصلح الخطأ في المحلل", "أضف اختبارا", "هل يمكنك إصلاح الخطأ؟"],
  question: ["لماذا يفشل الاختبار؟", "هل يمكنك شرح هذا الكود؟"],
  passthrough: ["نعم", "استمر"],
};
