// How people ask in Thai. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const thai: PromptLanguage = {
  tag: "th",
  changeAnywhere: ["แก้", "เพิ่ม", "สร้าง", "ลบ"],
  yes: ["ใช่", "ตกลง"],
  replies: ["ไม่", "ขอบคุณ", "ทำต่อ", "ต่อไป"],
};

export const thaiExamples: LanguageExamples = {
  task: ["แก้บั๊กนี้"],
  question: ["ฟังก์ชันนี้ทำอะไร?"],
  passthrough: ["ใช่"],
};
