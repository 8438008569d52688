// How people ask in Japanese. The lists are explained in language.ts.
import type { LanguageExamples, PromptLanguage } from "./language.js";

export const japanese: PromptLanguage = {
  tag: "ja",
  changeAnywhere: [
    "直して",
    "修正",
    "追加",
    "作成",
    "実装",
    "削除",
    "変更",
    "更新",
    "書いて",
    "作って",
    "リファクタ",
    String.raw`fix\s*して`,
  ],
  canYouAnywhere: ["てもらえ", "ていただけ", "てくれ(?:る|ます|ない)"],
  explain: ["説明", "教えて"],
  questionStarts: ["なぜ", "どうして", "どうやって", "どう", "何"],
  questionAnywhere: ["(?:です|ます|でしょう|の)か$", "何ですか"],
  please: ["ください", "下さい", "お願い", "て欲しい"],
  wholeAnywhere: ["すべて", "全体", "全部"],
  changeNothing: [
    "(?:何も|コード[はを])(?:変更|修正|編集)?(?:は|を)?し?ないで",
    String.raw`(?:^|[。、\s])変更[はを]?(?:しないで|せずに|不要)`,
  ],
  followsOnAnywhere: ["それ", "これ", "さらに", "まだ"],
  newTask: ["別のタスク", "新しいタスク"],
  yes: ["はい", "ええ", "お願いします", "いいです", "いいですよ", "それでお願いします"],
  replies: ["いいえ", "続けて", "続けてください", "続行", "ありがとう", "ありがとうございます", "次", "止めて", "了解"],
  commit: { afterAnywhere: ["後で", "して"], verbsAnywhere: ["コミット"], hints: ["コミット"] },
};

export const japaneseExamples: LanguageExamples = {
  task: [
    "このバグを直してください",
    "設定ファイルを削除してください",
    "テストを追加して",
    "テストを追加してもらえますか？",
    "なぜ失敗しますか？直してください。",
    "リファクタリングをお願いします",
    "parser の bug を fix して",
    "テストは変更しないで、バグを直して",
  ],
  "big-task": ["プロジェクト全体をTypeScriptに移行してください"],
  "research-only": ["調査だけしてください。変更はしないで。"],
  question: [
    "これは何ですか？",
    "この関数は何をしますか？",
    "どうしてテストが失敗するのですか",
    "なぜ失敗しますか？",
    "ブランチを削除するにはどうすればいいですか？",
    "このコードを説明してもらえますか？",
    "このコードを説明してください",
  ],
  passthrough: ["はい", "続けて", "続けてください", "お願いします", "ありがとう", "いいえ"],
  commit: ["バグを直してコミットして"],
};
