// How people ask in Vietnamese. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const vietnamese: PromptLanguage = {
  tag: "vi",
  changeAnywhere: ["sửa", "thêm", "xóa", "xoá"],
  explain: ["giải thích"],
  questionStarts: ["tại sao", "làm sao", "làm thế nào"],
  please: ["vui lòng"],
  wholeAnywhere: ["toàn bộ"],
  yes: ["có", "được", "đồng ý", "vâng"],
  replies: ["không", "cảm ơn", "tiếp tục"],
};

export const vietnameseExamples: LanguageExamples = {
  task: ["Sửa lỗi này"],
  question: ["Tại sao test bị lỗi?"],
  passthrough: ["tiếp tục"],
};
