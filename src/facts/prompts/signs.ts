// What a prompt says besides what is to be changed: the type of task, frustration, and what else it asks for.
// Invariant: pure; every function gets the text in lower case.
import { alternatives, anyOf, findLazy, type LazyPattern, lazyPattern, setOf } from "../lazy-pattern.js";
import { english } from "./languages/en.js";
import { otherLanguages } from "./languages/index.js";
import type { Frustration, Requirement, TaskType } from "./prompt.js";

const fileKinds = "file|class|struct|view|model|component|module|script";

/** Words that mean a type of task by themselves, and a pattern of words that do so together. */
const typeWords: readonly (readonly [TaskType, ReadonlySet<string>, LazyPattern?])[] = [
  [
    "bug-fix",
    setOf(`
      fix fixes fixed fixing bug bugs error errors broken fail fails failing failed failure crash crashes crashed
      crashing regression repair wrong`),
  ],
  [
    "file-create",
    new Set(),
    lazyPattern(
      fileKinds,
      () => new RegExp(String.raw`\b(?:create|new|add)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:${fileKinds})\b`),
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
    lazyPattern("said|mentioned|told you|how many times|again|second time|third time|last time|still ", () =>
      alternatives([
        String.raw`\b(?:i just said|like i said|as i (?:mentioned|said)|i told you|how many times|not again` +
          String.raw`|once again|yet again|for the (?:second|third|last) time)\b`,
        String.raw`\bagain[!?]+`,
        String.raw`\bstill (?:broken|failing|not working|doesn't work|wrong)\b`,
      ]),
    ),
  ],
  [
    "correction",
    lazyPattern("wrong|no,|no.|no!|that's|i said|i meant|i already|not what i", () =>
      alternatives([
        String.raw`^(?:no[,.!]\s|wrong\b)`,
        String.raw`\bthat's (?:not|wrong)\b`,
        String.raw`\bi (?:said|meant|already (?:said|told|asked))\b`,
        String.raw`\bnot what i (?:asked|said|meant|wanted)\b`,
      ]),
    ),
  ],
  [
    "impatience",
    lazyPattern("use your head|stop rushing|think|slow down|pay attention|idiot|stupid|wtf|ffs", () =>
      alternatives(
        [
          String.raw`\b(?:use your head|stop rushing|think (?:first|before|harder)|slow down|pay attention|idiot` +
            String.raw`|stupid|wtf|ffs)\b`,
          "^think[.!]",
        ],
        "m",
      ),
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

const languages = [english, ...otherLanguages];
const listed = (lists: readonly (readonly string[] | undefined)[]): string =>
  [...new Set(lists.flatMap((list) => list ?? []))].join("|");
const commitWords = languages.map((language) => language.commit ?? {});
const pushWords = languages.map((language) => language.push ?? {});

/** "then commit", "commit it", in any language; not "commit message". */
const commitPattern = (): RegExp => {
  const verbs = listed(commitWords.map((c) => c.verbs));
  return alternatives(
    [
      String.raw`(?:^|[,;.:&]\s*|(?<!\p{L})(?:${listed(commitWords.map((c) => c.after))})\s+)(?:git\s+)?(?:${verbs})` +
        String.raw`(?![\p{L}-]|[.=]\w)(?!\s+(?:message|hash|history|log|hook)s?\b)`,
      String.raw`\b(?:make|create|do)\s+(?:a|the|one)\s+(?:\w+\s+)?commit\b`,
      `(?:${listed(commitWords.map((c) => c.afterAnywhere))})(?:${listed(commitWords.map((c) => c.verbsAnywhere))})`,
      listed(commitWords.map((c) => c.anywhere)),
    ],
    "mu",
  );
};

const pushPattern = (): RegExp =>
  new RegExp(
    String.raw`(?:^|[,;.:&]\s*|\b(?:${listed(pushWords.map((w) => w.after))})\s+)(?:git\s+)?` +
      String.raw`(?:${listed(pushWords.map((w) => w.verbs))})\b` +
      String.raw`(?=\s*(?:$|[.,;!]|it\b|to\b|the\b|them\b|everything\b|when\b))`,
    "m",
  );

const requirementWords: readonly (readonly [Requirement, LazyPattern])[] = [
  [
    "plan",
    lazyPattern("plan", () =>
      alternatives([
        String.raw`\bplan (?:first|before|this|it)\b`,
        String.raw`\b(?:make|write|show|give|propose|draft)(?: me)? (?:a|your) plan\b`,
        String.raw`\b(?:make|write|propose|draft|show)(?: me)? the plan\b(?! (?:into|to a|in a|for (?:both|all|each)))`,
        String.raw`\bstart with a plan\b`,
      ]),
    ),
  ],
  [
    "research",
    lazyPattern("research|investigate|look into", () =>
      alternatives([
        String.raw`\bresearch (?:first|this|it|before|the|how)\b`,
        String.raw`\b(?:investigate|look into \S+(?: \S+)?) (?:first|before)\b`,
        String.raw`\bdo (?:some|your) research\b`,
      ]),
    ),
  ],
  [
    "loop",
    lazyPattern(
      "loop|acceptance criteria",
      () => /\bsaneloop\b|\b(?:use|start|run|in) (?:a|the) (?:task )?loop\b|\bacceptance criteria\b/,
    ),
  ],
  ["commit", lazyPattern(listed(commitWords.map((c) => c.hints)), commitPattern)],
  ["push", lazyPattern("push", pushPattern)],
  [
    "tests",
    lazyPattern("test|spec", () =>
      alternatives([
        String.raw`\b(?:add|write|include|including|incl\.?|plus|with|run|create)\s+(?:\w+\s+){0,3}(?:tests?|specs?)\b`,
        String.raw`\btest it\b(?!\s+(?:by|with|using|in|on|via|yourself|out|manually|locally|live)\b)`,
        String.raw`\bmake sure (?:\w+\s+){0,3}tests? pass`,
      ]),
    ),
  ],
  [
    "docs",
    lazyPattern("doc|readme|changelog", () =>
      alternatives(
        [
          String.raw`\b(?:update|write|add|adjust)\s+(?:\w+\s+){0,2}(?:docs?|documentation|readme|changelog)\b`,
          String.raw`(?:^|[,;.]\s*|\band\s+)document\s+(?:it|this|that|the|how)\b`,
        ],
        "m",
      ),
    ),
  ],
];

/** "I'll commit myself" asks for nothing. */
const isTheirs = (before: string): boolean =>
  /\b(?:i|we)(?:'ll| will| can| want to|'m going to| am going to)\s[^.;]*$/.test(before) || told.test(before);
/** "It should be told to run the tests", "how to push": what somebody else does, or how it is done. */
const told = new RegExp(
  String.raw`\b(?:told|asked|allowed|instructed|able|supposed|expected|used|required|how|when|where|whether|why|what` +
    "|users?|people|developers?|contributors?|claude|agents?|ci|it|they|trying|tried|fail(?:s|ed)?|attempt(?:s|ed)?" +
    String.raw`|try|tries|option|options|command|commands|ability|way|button)\s+(?:not\s+)?to\s+$`,
);
const negation = "(?:do not|don['’]t|dont|never";
/** "don't forget to commit" asks for it. */
const notForget = String.raw`(?!forget\b|fail\b|hesitate\b)`;
const refusal = new RegExp(String.raw`\b${negation}|without|no need to|not to|no)\s+${notForget}(?:\w+\s+){0,2}$`);
const isRefused = (before: string): boolean => refusal.test(before);

export function asksOf(low: string): Requirement[] {
  return requirementWords
    .filter(([, words]) => {
      const found = findLazy(words, low);
      if (!found) return false;
      const verbAt = found.index + (/[a-z]/.exec(found[0])?.index ?? 0);
      if (told.test(`${low.slice(0, found.index)}${found[0].replace(/\S+$/, "")}`)) return false;
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

/** What a prompt no longer asks for: "don't commit it after all". */
export function declinesOf(low: string): Requirement[] {
  if (!/n.t\b|\b(?:dont|not|never|need|skip|forget)\b/.test(low)) return [];
  return declined
    .filter(([, word]) =>
      new RegExp(
        String.raw`\b${negation}|no need (?:to|for)|skip|(?<!n['’]t |dont |not |never )forget(?: about)?)\s+` +
          String.raw`${notForget}(?:\w+\s+){0,3}?(?:${word.source})(?![\w-])`,
      ).test(low),
    )
    .map(([name]) => name);
}
