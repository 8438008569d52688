// Whether a message states that the tests pass; a wish, a condition or a question is not a statement.
// Invariant: pure, over the end of the message; a hedge or a negation in front of the claim cancels it.
import { alternatives } from "../../../facts/lazy-pattern.js";

const runner =
  "(?:npm (?:run )?test|yarn test|pnpm test|vitest|jest|pytest|go test|cargo test|make test|mvn " +
  "test|gradle test|rspec)";
const subject = `(?:tests?|specs?|(?:test )?suite|${runner}\`?)`;
const filler = "(?:now|still|all|are|is|also|again|both|were|have|has|finally|fully)";
/** "passes an empty string" is not a result. */
const handsOn = "(?!\\s+(?:an?|the|null|undefined|its?|in|this|that|[\"'`])\\b)";
const passes = `(?:pass(?:es|ed|ing)?${handsOn}|(?:go|goes|went) green|green|succeed(?:s|ed)?)`;

const statements = [
  new RegExp(`\\b${subject}[:,]?\\s+(?:${filler}\\s+)*${passes}\\b`, "i"),
  /\bpass(?:es|ed|ing)? (?:all|every|the)(?: \w+)? (?:tests?|specs?|checks|suite)\b/i,
  alternatives(
    [
      String.raw`\bno (?:more )?(?:tests? (?:fails?|failed|is failing|are failing)|(?:test )?failures)\b`,
      String.raw`\b0 (?:failures|failed|failing)\b`,
    ],
    "i",
  ),
  alternatives(
    [
      String.raw`\ball(?: checks)? (?:are |is |now )*(?:green|passing)\b`,
      String.raw`\b(?:everything|it all|the build)\s+(?:now\s+)?(?:passes|is passing|is green|works)\b`,
    ],
    "i",
  ),
  /\b(?:fully|tested and) verified\b|\bverified (?:with|by) (?:the |all )?tests?\b/i,
  alternatives(
    [
      "alle tests (?:sind |laufen |jetzt |wieder )*(?:grün|bestanden|durch|erfolgreich)",
      "tous les tests (?:passent|sont (?:verts|ok)|réussissent)",
      "tod[oa]s l[oa]s (?:pruebas|tests) (?:pasan|pasaron)",
      "tutti i test passano",
      "todos os testes (?:passam|passaram)",
    ],
    "i",
  ),
  alternatives(
    [
      "все тесты (?:проходят|прошли|зел[её]ные)",
      "(?:所有|全部)的?测试.{0,4}(?:通过|成功)",
      "(?:すべて|全て|全部)の?テスト.{0,4}(?:通|成功|パス)",
      "모든 테스트.{0,4}통과",
    ],
    "i",
  ),
];

const hedged = alternatives(
  [
    String.raw`\b(?:not|never|without|unable|cannot|could|whether|if|once|until|should|will|would|may` +
      "|might|must|needs?|please|ensure|make sure|check that|so that|to (?:be|make|get|have|let" +
      String.raw`|see)|let|expect|unless|you said|nicht|sollten?|wenn|falls|pas|devrai\w*|si|deberían?|если` +
      String.raw`|не)\b`,
    String.raw`n['’]t\b`,
    "应该",
    "如果",
    "未",
    "没有",
    "はず",
    "べき",
  ],
  "i",
);

export function claimsSuccess(message: string): boolean {
  return message
    .slice(-20_000)
    .split(/(?<=[.!?])\s+|\n+|(?<=[。！？])/u)
    .some((sentence) => !/[?？]\s*$/u.test(sentence) && statements.some((s) => isStated(s, sentence)));
}

function isStated(statement: RegExp, sentence: string): boolean {
  const found = statement.exec(sentence);
  return found !== null && !hedged.test(/[^;,:—(]*$/u.exec(sentence.slice(0, found.index))![0]);
}
