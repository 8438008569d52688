// What a prompt says besides what is to be done: the kind of task, frustration, what it asks for beside the change.
// Invariant: every function gets the text in lower case and says the same for the same text.

import { anyOf, findLazy, type LazyPattern, lazyPattern, setOf } from "../lazy-pattern.js";
import type { Frustration, Requirement, TaskType } from "./prompt.js";

/** Words that mean a kind of task by themselves, and the pattern of those that do so only together. */
const typeWords: readonly (readonly [TaskType, ReadonlySet<string>, LazyPattern?])[] = [
  [
    "bug-fix",
    setOf(
      "fix fixes fixed fixing bug bugs error errors broken fail fails failing failed failure crash crashes crashed crashing regression repair wrong",
    ),
  ],
  [
    "file-create",
    new Set(),
    lazyPattern(
      "file|class|struct|view|model|component|module|script",
      () =>
        /\b(?:create|new|add)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:file|class|struct|view|model|component|module|script)\b/,
    ),
  ],
  [
    "new-feature",
    setOf("add create implement introduce new feature build"),
    lazyPattern("support for", () => /\bsupport for\b/),
  ],
  [
    "refactor",
    setOf("refactor reorganise reorganize restructure simplify rename extract split move"),
    lazyPattern("clean", () => /\bclean\s*up\b/),
  ],
  ["tests", setOf("test tests spec specs coverage")],
  ["docs", setOf("doc docs documentation readme changelog comment comments")],
];

export function typesOf(low: string, words: readonly string[]): TaskType[] {
  const found = typeWords.filter(([, alone, together]) => anyOf(words, alone) || (together && findLazy(together, low)));
  return found.length ? found.map(([type]) => type) : ["general"];
}

export const hasty = setOf("quick quickly just simple simply fast easy minor small tiny trivial");

const frustrations: readonly (readonly [Frustration, LazyPattern])[] = [
  [
    "repetition",
    lazyPattern(
      "said|mentioned|told you|how many times|again|second time|third time|last time|still ",
      () =>
        /\b(?:i just said|like i said|as i (?:mentioned|said)|i told you|how many times|not again|once again|yet again|for the (?:second|third|last) time)\b|\bagain[!?]+|\bstill (?:broken|failing|not working|doesn't work|wrong)\b/,
    ),
  ],
  [
    "correction",
    lazyPattern(
      "wrong|no,|no.|no!|that's|i said|i meant|i already|not what i",
      () =>
        /^(?:no[,.!]\s|wrong\b)|\bthat's (?:not|wrong)\b|\bi (?:said|meant|already (?:said|told|asked))\b|\bnot what i (?:asked|said|meant|wanted)\b/,
    ),
  ],
  [
    "impatience",
    lazyPattern(
      "use your head|stop rushing|think|slow down|pay attention|idiot|stupid|wtf|ffs",
      () =>
        /\b(?:use your head|stop rushing|think (?:first|before|harder)|slow down|pay attention|idiot|stupid|wtf|ffs)\b|^think[.!]/m,
    ),
  ],
];

export function frustrationOf(prose: string, low: string): Frustration | undefined {
  const said = frustrations.find(([, pattern]) => findLazy(pattern, low));
  if (said) return said[0];
  const words = prose.match(/\b[A-Za-z']{3,}\b/g) ?? [];
  const loud = words.filter((w) => w === w.toUpperCase()).length;
  return words.length >= 3 && loud >= 3 && loud / words.length > 0.6 ? "shouting" : undefined;
}

const requirementWords: readonly (readonly [Requirement, LazyPattern])[] = [
  [
    "plan",
    lazyPattern(
      "plan",
      () =>
        /\bplan (?:first|before|this|it)\b|\b(?:make|write|show|give|propose|draft)(?: me)? (?:a|the|your) plan\b|\bstart with a plan\b/,
    ),
  ],
  [
    "research",
    lazyPattern(
      "research|investigate|look into",
      () =>
        /\bresearch (?:first|this|it|before|the|how)\b|\b(?:investigate|look into \S+(?: \S+)?) (?:first|before)\b|\bdo (?:some|your) research\b/,
    ),
  ],
  [
    "loop",
    lazyPattern(
      "loop|acceptance criteria",
      () => /\bsaneloop\b|\b(?:use|start|run|in) (?:a|the) (?:task )?loop\b|\bacceptance criteria\b/,
    ),
  ],
  [
    "commit",
    lazyPattern(
      "commit|закоммить|提交|コミット|커밋",
      () =>
        /(?:^|[,;.:&]\s*|(?<!\p{L})(?:and|then|also|please|to|you|und|dann|puis|et|luego|e|poi|en|и)\s+)(?:git\s+)?(?:commit(?:te|te[rz]|tea|tare)?|закоммить\p{L}*)(?![\p{L}-])(?!\s+(?:message|hash|history|log|hook)s?\b)|\b(?:make|create|do)\s+(?:a|the|one)\s+(?:\w+\s+)?commit\b|(?:然后|并|再|後で|して)(?:提交|コミット)|提交(?:代码|更改|修改)|커밋해/mu,
    ),
  ],
  [
    "push",
    lazyPattern(
      "push",
      () =>
        /(?:^|[,;.:&]\s*|\b(?:and|then|also|please|to|und|et|y|e|и)\s+)(?:git\s+)?push(?:e|en)?\b(?=\s*(?:$|[.,;!]|it\b|to\b|the\b|them\b|everything\b|when\b))/m,
    ),
  ],
  [
    "tests",
    lazyPattern(
      "test|spec",
      () =>
        /\b(?:add|write|include|including|incl\.?|plus|with|run|create)\s+(?:\w+\s+){0,3}(?:tests?|specs?)\b|\btest it\b|\bmake sure (?:\w+\s+){0,3}tests? pass/,
    ),
  ],
  [
    "docs",
    lazyPattern(
      "doc|readme|changelog",
      () =>
        /\b(?:update|write|add|adjust)\s+(?:\w+\s+){0,2}(?:docs?|documentation|readme|changelog)\b|(?:^|[,;.]\s*|\band\s+)document\s+(?:it|this|that|the|how)\b/m,
    ),
  ],
];

/** "I'll commit myself": what the person does is not asked for. */
const isTheirs = (before: string): boolean =>
  /\b(?:i|we)(?:'ll| will| can| want to|'m going to| am going to)\s[^.;]*$/.test(before);
const isRefused = (before: string): boolean =>
  /\b(?:do not|don['’]t|dont|never|without|no need to|not to|no)\s+(?!forget\b|fail\b|hesitate\b)(?:\w+\s+){0,2}$/.test(
    before,
  );

export function asksOf(low: string): Requirement[] {
  return requirementWords
    .filter(([, words]) => {
      const found = findLazy(words, low);
      if (!found) return false;
      const verbAt = found.index + (/[a-z]/.exec(found[0])?.index ?? 0);
      return (
        !isTheirs(low.slice(0, verbAt)) &&
        !isRefused(low.slice(0, verbAt)) &&
        !isRefused(`${low.slice(0, found.index)}${found[0].replace(/\S+$/, "")}`)
      );
    })
    .map(([name]) => name);
}

const declined: readonly (readonly [Requirement, RegExp])[] = [
  ["commit", /commit/],
  ["push", /push/],
  ["tests", /tests?/],
  ["docs", /docs?|documentation|readme|changelog/],
];

/** What a prompt takes back: "don't commit it after all". */
export function declinesOf(low: string): Requirement[] {
  if (!/n.t\b|\b(?:dont|not|never|need|skip|forget)\b/.test(low)) return [];
  return declined
    .filter(([, word]) =>
      new RegExp(
        `\\b(?:do not|don['’]t|dont|never|no need (?:to|for)|skip|(?<!n['’]t |dont |not |never )forget(?: about)?)\\s+(?!forget\\b|fail\\b|hesitate\\b)(?:\\w+\\s+){0,3}?(?:${word.source})(?![\\w-])`,
      ).test(low),
    )
    .map(([name]) => name);
}
