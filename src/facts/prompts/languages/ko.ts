// How people ask in Korean. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const korean: PromptLanguage = {
  tag: "ko",
  changeAnywhere: ["수정", "고쳐", "추가", "만들어", "구현", "삭제", "변경", "작성"],
  canYouAnywhere: ["줄 수 있", "주시겠", "줄래"],
  explain: ["설명", "알려"],
  questionStarts: ["왜", "어떻게", "무엇"],
  questionAnywhere: ["나요$", "까요$", "입니까$"],
  please: ["주세요", "해 ?줘", "주십시오"],
  wholeAnywhere: ["전체", "모든"],
  changeNothing: [String.raw`(?:아무것도|코드[는를])\s*(?:수정|변경)하지\s*(?:말|마)`],
  followsOnAnywhere: ["이것", "그것", "아직"],
  newTask: ["새(?:로운)? 작업"],
  yes: ["네", "예", "좋아요", "좋습니다", "응"],
  replies: [
    "아니요",
    "아니",
    "계속",
    "계속해",
    "계속해줘",
    "계속해 줘",
    "계속해주세요",
    "계속해 주세요",
    "감사합니다",
    "고마워",
    "잠깐",
    "안녕하세요",
  ],
  commit: { anywhere: ["커밋해"], hints: ["커밋"] },
};

export const koreanExamples: LanguageExamples = {
  task: ["이 버그를 수정해 주세요", "테스트를 추가해 줘", "테스트를 추가해 줄 수 있나요?"],
  question: [
    "왜 테스트가 실패하나요?",
    "왜 이 파일을 삭제했나요?",
    "이 코드를 설명해 줄 수 있나요?",
    "이 코드를 설명해 주세요",
  ],
  passthrough: ["네", "계속", "계속해 주세요"],
};
