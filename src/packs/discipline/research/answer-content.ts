// Whether an answer holds something: not blank, not an empty list, not only sentences that say there is nothing.
// Invariant: pure over the event. Files and code of the project may say anything; they count when they are not blank.
import { alternatives, lazyRegExp } from "../../../facts/lazy-pattern.js";
import type { Event } from "../../../model/event.js";
import { isObject, type Json } from "../../../model/json.js";

/** Whether a successful call returned something: not blank, not an empty list, not "no results". */
export function hasContent({ outcome, tool }: Event, local: boolean): boolean {
  const text = outcome?.text.trim() ?? "";
  // An HTTP error page is no content.
  if (isObject(outcome?.response) && Number(outcome.response["code"]) >= 400) return false;
  if (local) return text !== "" && !/^no (?:files|matches) found\W*$/i.test(text);
  if (text.length < 20 || text.length > 5000) return text.length > 5000;
  const asked = JSON.stringify(tool?.input ?? {});
  const whole = parsed(text.replace(/^```\w*\n|\n?```$/g, ""));
  if (whole !== undefined) return !isHollow(whole, asked);
  // A search answers with its hits as data and with words about them.
  const lines = text.split("\n").filter((line) => {
    const value = parsed(line);
    return value === undefined || !isHollow(value, asked);
  });
  return lines.length > 0 && !saysNothing(lines.join("\n"));
}

/** Undefined where the text is no list and no object. */
function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** `asked`: an answer may repeat the question. */
function isHollow(value: Json, asked: string): boolean {
  if (typeof value === "string") return saysNothing(value);
  if (Array.isArray(value)) return value.every((v) => (isObject(v) ? isBlank(v) : isHollow(v, asked)));
  if (!isObject(value)) return !value;
  const values = Object.values(value).map((v) => v ?? null);
  // Beside an empty list, or "not found", stand a name, numbers and the question; more than that is an answer.
  const isEmpty = (v: Json) => (Array.isArray(v) || typeof v === "string") && v !== "" && isHollow(v, asked);
  const answers = values.filter((v) => !isHollow(v, asked));
  if (!values.some(isEmpty)) return answers.length === 0;
  const rest = answers.filter((v) => typeof v !== "string" || !asked.includes(v));
  const names = rest.filter((v) => typeof v === "string" && !/\s|^\w+:\/\/|^\d+$/.test(v));
  return (
    names.length < 2 &&
    rest.every((v) => typeof v === "number" || v === true || (typeof v === "string" && !/\s/.test(v)))
  );
}

/** A hit of a list, whatever its words say. */
const isBlank = (value: Json): boolean =>
  value !== null && typeof value === "object" ? Object.values(value).every((v) => isBlank(v as Json)) : !value;

/** A short answer of which every sentence says that there is nothing, or what to try instead. */
function saysNothing(text: string): boolean {
  if (text.length >= 300) return false;
  const sentences = text
    .replace(/["'`“‘][^"'`“”‘’\n]{0,80}["'`”’](?!\w)/gu, "X")
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter(Boolean);
  const [first = ""] = sentences;
  if (text.length < 120 && otherLanguages().test(first)) return true;
  return sentences.every((s) => heading.test(s) || advice.test(s) || (nothing().test(s) && !condition.test(s)));
}

const heading = /^[\w ]{0,40}:\W*$|^\W*(?:none|empty|null|undefined)?\W*$/i;
const advice = /^(?:please|try|check|you (?:can|may|could)|consider|make sure|sorry|oops|go back)\b/i;
/** "returns null when nothing is found" tells what happens. */
const condition = /\b(?:when|whenever|if|unless|because|while|raise[sd]?|throws?)\b/i;

const things =
  "(?:results?|match(?:es)?|files?|documents?|entries|data|content|issues?|repos(?:itories)?|libraries|library|pages?" +
  "|hits?|links?|items?|sources?|packages?|modules?|articles?|answers?|snippets?|examples?|topics?|records?|docs" +
  "|documentation|information|info|commits?|code|papers?|posts?|questions?|discussions?|threads?|symbols?|references?)";
const after =
  "(?: (?:are |is |was |were |could be |have been )?(?:found|available|located|returned|match\\w*|exist\\w*)" +
  "| (?:for|in|about|on|to show|to display|yet|here|related)\\b|[.,!]|\\W*$)";

const nothing = lazyRegExp(() =>
  alternatives(
    [
      String.raw`^[^;:]{0,60}\b(?:no|zero|0) (?:[\w/@.-]+ ){0,3}${things}${after}`,
      String.raw`(?:\bnot|n['’]t|\bunable to|\bcannot) (?:[\w-]+ ){0,3}?(?:find|found|locate|located)\b`,
      String.raw`(?:\bnot|n['’]t) (?:(?:see|match|contain|have|include|mention|return) )?any\b|n['’]t exist\b`,
      String.raw`\bnot (?:yet |currently )?available\W*$`,
      String.raw`\b(?:returned|found|yielded|matched|produced) (?:no|zero|0|nothing)\b`,
      String.raw`^(?:\W*(?:sorry|there is|there was)\W+)?nothing (?:was |is |here |to |relevant |related )?` +
        "(?:found|match|return|relevant|related|about|for|show|display)",
      String.raw`\b(?:page|content|results?|response|list|document|search|query|answer)\b[^.;]{0,30}` +
        String.raw`(?:\b(?:is|was|are|returned)|:) (?:an |\()?empty\b`,
      String.raw`^(?:[\w ]{0,20}\b)?(?:error|failed|failure) ?:|^failed to\b`,
      String.raw`^(?:access denied|forbidden|unauthori[sz]ed)\b`,
      String.raw`^(?:http )?(?:error )?[45]\d\d\b[^.]{0,40}$`,
    ],
    "i",
  ),
);

/** "Nothing found" in the languages of search pages. */
const otherLanguages = lazyRegExp(
  () =>
    new RegExp(
      [
        String.raw`\b(?:kein\w*|nicht)\b.*\b(?:gefunden|Ergebnis\w*|Treffer)`,
        String.raw`\b(?:geen|niet)\b.*\b(?:gevonden|resultaten)`,
        String.raw`\b(?:aucune?|pas de) (?:résultat|page|document)|\bintrouvable`,
        String.raw`\bno se (?:encontr|han encontrado)|\bsin resultados|\bning[uú]n resultado`,
        String.raw`\bnenhum\w* (?:resultado|página)|\bnão (?:foi|foram) encontrad`,
        String.raw`\bnessun\w* (?:risultat|pagina)|\bnon (?:è|sono) stat\w+ trovat`,
        "見つかりません|該当なし|未找到|没有找到|找不到|없습니다|찾을 수 없|не найден|нет результатов",
      ].join("|"),
      "iu",
    ),
);
