// How prompts ask in languages other than English: for a change, for an explanation, for leaving everything alone.
// Invariant: pure; `text` is one lower-case sentence or the whole prose, and no match means no opinion.
// The lists of all languages make one pattern each, compiled on first use.
import { isPlain, lazyRegExp } from "../lazy-pattern.js";
import { otherLanguages } from "./languages/index.js";
import type { HintedPattern, PromptLanguage } from "./languages/language.js";

type ListName = {
  [K in keyof PromptLanguage]-?: NonNullable<PromptLanguage[K]> extends readonly string[] ? K : never;
}[keyof PromptLanguage];

export const phrasesOf = (name: ListName): string[] => otherLanguages.flatMap((language) => language[name] ?? []);
const either = (name: ListName): string => [...new Set(phrasesOf(name))].join("|");

const notAfterLetter = String.raw`(?<!\p{L})`;
const notBeforeLetter = String.raw`(?!\p{L})`;
const word = (name: ListName): string => `${notAfterLetter}(?:${either(name)})${notBeforeLetter}`;

const change = lazyRegExp(() => new RegExp(`${notAfterLetter}(?:${either("change")})`, "iu"));
const changeAnywhere = lazyRegExp(() => new RegExp(either("changeAnywhere"), "u"));
const canYou = lazyRegExp(() => new RegExp(`${word("canYou")}|${either("canYouAnywhere")}`, "iu"));
const explain = lazyRegExp(() => new RegExp(either("explain"), "iu"));
const questionStart = lazyRegExp(
  () =>
    new RegExp(
      String.raw`^[¿\s]*(?:(?:${either("questionWords")})${notBeforeLetter}|${either("questionStarts")})`,
      "iu",
    ),
);
const questionAnywhere = lazyRegExp(() => new RegExp(either("questionAnywhere"), "u"));
const please = lazyRegExp(() => new RegExp(either("please"), "iu"));
const whole = lazyRegExp(() => new RegExp(`${word("whole")}|${either("wholeAnywhere")}`, "iu"));
const changeNothing = lazyRegExp(() => {
  const except = String.raw`(?!\s*(?:${either("except")})${notBeforeLetter})`;
  return new RegExp(either("changeNothing").replaceAll("{except}", except), "iu");
});
const followsOn = lazyRegExp(() => new RegExp(`${word("followsOn")}|${either("followsOnAnywhere")}`, "iu"));
const newTask = lazyRegExp(() => new RegExp(either("newTask"), "iu"));

/** The same text without accents on Latin letters: "arréglalo" and "arreglalo" are one request. */
const folded = (text: string): string => text.normalize("NFD").replace(/(?<=\p{Script=Latin})\p{M}+/gu, "");
const matchesFolded = (pattern: RegExp, text: string): boolean => pattern.test(text) || pattern.test(folded(text));

const plainWords = (name: HintedPattern): ReadonlySet<string> =>
  new Set(otherLanguages.flatMap(({ plainWords }) => plainWords?.[name]?.split(" ") ?? []));

/** Words by which plain text may ask "can you" in another language. */
export const plainCanYou = plainWords("canYou");
const plainWhole = plainWords("whole");
const plainChangeNothing = plainWords("changeNothing");
const plainFollowsOn = plainWords("followsOn");
const plainNewTask = plainWords("newTask");

/** Plain text is searched only when it has one of the words; other text always is. */
const mayMatch = (text: string, words: ReadonlySet<string>): boolean =>
  !isPlain(text) || (text.match(/\w+/g) ?? []).some((w) => words.has(w));

export const asksQuestion = (text: string): boolean => {
  const bare = text.replace(/[\s.。!！?？؟]+$/u, "");
  // Greek asks with a semicolon.
  return questionStart().test(bare) || questionAnywhere().test(bare) || /\p{Script=Greek}[^;]*;\s*$/u.test(text);
};

/** Unspaced and right-to-left scripts mix with English words; their verbs are sure signs wherever they stand. */
export function asksForChangeAnywhere(text: string): boolean {
  if (asksQuestion(text) && !please().test(text) && !matchesFolded(canYou(), text)) return false;
  if (matchesFolded(canYou(), text)) return !matchesFolded(explain(), text);
  return changeAnywhere().test(text);
}

export function asksForChange(text: string): boolean {
  if (questionStart().test(text) && !please().test(text)) {
    if (/[?？؟]\s*$/u.test(text)) return false;
    const [, ...rest] = text.split(/\s*[,:;—–]\s*/u);
    return rest.some((clause) => matchesFolded(change(), clause));
  }
  return matchesFolded(change(), text);
}

export const asksForExplanation = (text: string): boolean => matchesFolded(explain(), text);

/** "The whole project"; English has its own list. */
export const meansTheWhole = (text: string): boolean => mayMatch(text, plainWhole) && whole().test(text);

/** Nothing at all is to be changed; "nothing else" and "nothing in vendor" are not that. */
export const forbidsChange = (prose: string): boolean =>
  mayMatch(prose, plainChangeNothing) && changeNothing().test(prose);

export const continuesTask = (text: string): boolean => mayMatch(text, plainFollowsOn) && followsOn().test(text);
export const startsNewTask = (text: string): boolean => mayMatch(text, plainNewTask) && newTask().test(text);
