// What kind of prompt it is, read sentence by sentence and clause by clause.
// Invariant: pure over the text; what nothing recognises is a task.

import {
  alternatives,
  anyOf,
  findLazy,
  isPlain,
  type LazyPattern,
  lazyPattern,
  setOf,
  startsWithWord,
} from "../lazy-pattern.js";
import {
  actionVerbs,
  bigWords,
  countedThings,
  fillers,
  interrogatives,
  investigating,
  manyOf,
  mechanical,
  menuChoice,
  oneFile,
  researchVerbs,
  smallBefore,
  talkVerbs,
} from "./languages/en.js";
import {
  asksForChange,
  asksForChangeAnywhere,
  asksForExplanation,
  asksQuestion,
  forbidsChange,
  meansTheWhole,
  plainCanYou,
} from "./other-languages.js";
import { acknowledgement } from "./replies.js";

export type PromptKind = "passthrough" | "question" | "task" | "big-task" | "research-only";

/** The whole prompt names one of several answers that were offered. */
export const isChoice = (text: string, bare: string): boolean => menuChoice.test(bare) && !text.includes("#");

export function kindOf(text: string, prose: string, bare: string): PromptKind {
  if (!hasWord(text)) return "passthrough";
  if ((acknowledgement(bare) && !text.includes("://")) || isChoice(text, bare)) return "passthrough";
  const slash = /^\/[a-z][\w:-]*(?:\s+|$)/i.exec(text.trimStart());
  const said = slash ? prose.slice(slash[0].length) : prose;
  if (!hasWord(said) && text.includes("</")) return "passthrough";
  const sentences = sentencesOf(said);
  const acts = sentences.some(asksForAction);
  if (slash && !acts) return "passthrough";
  const low = said.toLowerCase();
  if (forbids(low) || (!acts && keepsHandsOff(low))) return "research-only";
  if (acts) return isBig(said) || ordersListed(said) >= 6 ? "big-task" : "task";
  if (sentences.some(asksForResearch))
    return isReminder(low) ? "passthrough" : handsOn.test(low) ? "task" : "research-only";
  if (sentences.some(asksForWords)) return "question";
  return isBig(said) ? "big-task" : "task";
}

const forbids = (low: string): boolean => findLazy(forbidsChanges, low) !== null || forbidsChange(low);
const keepsHandsOff = (low: string): boolean => findLazy(handsOff, low) !== null && !reportsNoChange.test(low);

/** Of a prompt that asks to find out: nothing may be changed, because it says so or because a finding comes first. */
export function withholdsChange(prose: string): boolean {
  const low = prose.toLowerCase();
  return (
    forbids(low) ||
    keepsHandsOff(low) ||
    /\blook(?:ing)?\s+into\b|\b(?:find|figure)\s+out\s+why\b/.test(low) ||
    sentencesOf(prose).some(
      ({ text }) =>
        investigating.has(askedWith(text)) || leadsTo(text, wants, (rest) => investigating.has(headOf(rest))),
    ) ||
    // Other languages have one list for all verbs of finding out.
    (mayBeForeign(low) && !latinEnglish(low))
  );
}

/** "I refreshed and tried again. No changes.": what was seen, no order. */
const reportsNoChange =
  /\b(?:tried|refresh(?:ed)?|reload(?:ed)?|restart(?:ed)?|still|looked)\b[^?]{0,80}\bno changes\b/;
/** A look that is to lead to a change: "see how it could benefit, and after making the change push the changes". */
const handsOn = /\b(?:push|commit|merge|apply|making) (?:the|these|those|your|all(?: the)?) changes?\b/;

const reminded = "prompt|instructions?|message|request|question|rules?|guidelines?|what i (?:wrote|said|asked)";
/** "READ THE PROMPT", "read CONTRIBUTING.md first": how to go on with the work at hand; it forbids nothing. */
const reminder = lazyPattern(
  "first|again|before|carefully|prompt|instruction|message|request|rule|guideline|what i",
  () =>
    alternatives([
      String.raw`\b(?:first|again|carefully|properly)\s*[.!]*\s*$`,
      String.raw`\bbefore\s+(?:you|we|doing|anything|starting|continuing|going|that|the|any)\b`,
      String.raw`^(?:[a-z',]+\s+){0,4}read\s+(?:[a-z]+\s+){0,3}(?:${reminded})\b`,
    ]),
);
const isReminder = (low: string): boolean => low.length < 160 && findLazy(reminder, low) !== null;

const hasWord = (text: string): boolean => /[A-Za-z0-9]/.test(text) || (!isPlain(text) && /[\p{L}\p{N}]/u.test(text));

function isBig(said: string): boolean {
  const text = said.toLowerCase();
  if (findLazy(bigWords, text) || meansTheWhole(text)) return true;
  if (oneFile.test(text)) return false;
  return [...text.matchAll(manyOf)].some(({ 1: after, index }) => {
    // "All references to the table" counts references.
    const words = after!
      .split(/\s+(?:of|to|in|on|for|from|with|that|which|into)\b|,/)[0]!
      .split(/\s+/)
      .slice(0, 4);
    return (
      words.some((w) => countedThings.has(w)) && !anyOf(words, mechanical) && !smallBefore.test(text.slice(0, index))
    );
  });
}

/** Whether a sentence of it orders something; a report, an answer or an opinion does not. */
export const ordersAction = (prose: string): boolean => sentencesOf(prose).some(asksForAction);

const dont = "(?:do not|don't|dont)";
const changing = "(?:edit|editing|chang(?:e|ing)|modify|modifying|touch|touching|writ(?:e|ing)|fix|fixing)";
const anything = String.raw`(?:anything|any(?:\s+of\s+the)?\s+(?:code|files?)|(?:the\s+)?code|files)`;
/** "Don't change files in vendor" forbids one place, "don't change code style" one thing. */
const onlyPart =
  "(?:in|outside|under|other|else|except|besides|that|which|below|of|from|styles?|paths?|formats?|quality|base|owners" +
  "|behaviou?r)";

const forbidsChanges = lazyPattern("not |n't |dont |without|no need|never|nothing", () =>
  alternatives(
    [
      String.raw`\b(?:do not|don't|dont|without|no need to|never)\s+${changing}\s+(?:to\s+)?${anything}\b` +
        String.raw`(?!\s+${onlyPart}\b)`,
      String.raw`\b(?:change|edit|modify|touch|write)\s+nothing\b(?!\s+(?:else|in|outside|other|but|except|under))`,
      String.raw`\b${dont}\s+(?:fix|change|edit|touch)\s+(?:it|anything|this|that)\s+yet\b`,
    ],
    "u",
  ),
);

/** In passing it may mean one thing only ("the field, read-only, ..."), so it counts where nothing else is asked. */
const handsOff = lazyPattern("not |n't |dont |only|no |hands off", () => {
  const before = String.raw`(?:^|[.,;:!(\n—–-]\s*|\b(?:please|and|with|but|just)\s+)`;
  const phrases = [
    "read[- ]only",
    String.raw`no\s+(?:code\s+|file\s+)?(?:edits|changes|modifications)`,
    "hands off",
    String.raw`(?:report|analysis)\s+only`,
    String.raw`only\s+(?:look|read|report|investigate|analy[sz]e)`,
    String.raw`${dont}\s+${changing}`,
  ];
  const after = String.raw`(?=\s*(?:$|[.,;:!)\n]|please|yet\b|for now\b|it\b|them\b|the code\b))`;
  return new RegExp(`${before}(?:${phrases.join("|")})${after}`, "u");
});

interface Sentence {
  text: string;
  asks: boolean;
}

function sentencesOf(prose: string): Sentence[] {
  const out: Sentence[] = [];
  for (const [part] of prose.matchAll(/[^.!?。？！؟;\n]*(?:\.(?=\S)[^.!?。？！؟;\n]*)*[.!?。？！؟;\n]*/gu)) {
    const text = part
      .trim()
      .replace(/^(?:[-*•]|\d+[.)])\s+/u, "")
      .toLowerCase()
      .replace(/\s+&\s+|\b([a-z]+)\/([a-z]+)\b/g, (whole, a, b) =>
        !a ? " and " : isVerb(a) && isVerb(b) ? `${a} and ${b}` : whole,
      );
    if (hasWord(text)) out.push({ text, asks: /[?？؟]\s*$|[か吗嗎呢][。.]?$/u.test(text) });
  }
  return out;
}

const isVerb = (word: string): boolean => actionVerbs.has(word) || researchVerbs.has(word);

/** A clause without the filler words at its start. */
function afterFillers(text: string): string {
  let rest = text
    .trimStart()
    .replace(/^if\s+(?:so|yes|not|no|possible|needed|necessary|that's\s+the\s+case)[\s,]+/, "");
  for (let i = 0; i < 7; i++) {
    const word = /^([a-z']+|\d+[.)])[\s,]+/.exec(rest);
    if (!word || !(fillers.has(word[1]!) || /ly$|^\d/.test(word[1]!))) break;
    rest = rest.slice(word[0].length);
  }
  return rest;
}

const headOf = (text: string): string => /^[a-z']+(?:-[a-z]+)*/.exec(afterFillers(text))?.[0] ?? "";

/** Requests whose verb says nothing by itself. */
const idioms = [
  String.raw`get\s+(?:rid\s+of|(?:\S+\s+){1,6}` +
    "(?:to\\s+(?:pass|work|build|compile|run)|working|passing|done|fixed|running|green|going))",
  String.raw`take\s+care\s+of`,
  String.raw`do\s+(?:the\s+same|that|this|it|so|likewise)`,
  String.raw`make\s+(?:it|that|this)\s+so`,
  String.raw`go\s+for\s+it`,
  String.raw`(?:speed|sort|clear|hook|set|wire|polish|back|beef)(?:\s+\S+){0,4}\s+(?:up|out)`,
  String.raw`speed\s+up`,
  String.raw`sort\s+out`,
  String.raw`close\s+#?\d`,
  String.raw`closes?\s+#\d`,
  String.raw`check\s?out\s+(?:(?:\S+\s+){0,4}(?:branch|tag|commit|pr)|main|master|develop|origin\/\S+)\b`,
];
const idiom = new RegExp(String.raw`^(?:${idioms.join("|")})\b`);

const idiomatic = setOf(
  "get take do make go speed sort clear hook set wire polish back beef close closes check checkout",
);

function isAction(text: string): boolean {
  const rest = afterFillers(text);
  if (startsWithWord(rest, idiomatic) && idiom.test(rest)) return true;
  const head = headOf(rest);
  if (!actionVerbs.has(head) && !actionVerbs.has(head.split("-")[0]!)) return false;
  return !/^\S+\s+nothing\b/.test(rest);
}

/** "adding", "removing", "stopping": an action in the form that follows "mind" and "how about". */
function isActing(text: string): boolean {
  const stem = /^([a-z]+)ing$/.exec(headOf(text))?.[1];
  return (
    (stem !== undefined &&
      (actionVerbs.has(stem) || actionVerbs.has(`${stem}e`) || actionVerbs.has(stem.slice(0, -1)))) ||
    /^taking\s+care\b|^(?:getting\s+rid|sorting|speeding)\b/.test(afterFillers(text))
  );
}

/** Whether an action follows one of the matches. */
function leadsTo(text: string, lead: LazyPattern, test: (rest: string) => boolean): boolean {
  if (!lead.words.some((word) => text.includes(word))) return false;
  for (const match of text.matchAll(lead.pattern())) if (test(text.slice(match.index + match[0].length))) return true;
  return false;
}

const toYou = lazyPattern(
  "can|ould|will|won't",
  () =>
    new RegExp(
      String.raw`^(?:can|could|would|will|won't|can't|couldn't|wouldn't)\s+(?:you|u|ya|we|someone|somebody)\s+` +
        String.raw`(?:be\s+(?:so\s+kind\s+as|so\s+good\s+as|kind\s+enough|able|willing)\s+to\s+)?`,
    ),
);
const wish = lazyPattern(
  "want|need|like|ask|expect|prefer|wish|hop|go ahead|sure|remember|forget|feel free|please|pls|plz|kindly",
  () =>
    alternatives(
      [
        String.raw`\b(?:want|wants|need|needs|like|ask|asking|expect|prefer|wish|hope|hoping)\s+` +
          String.raw`(?:you\s+|it\s+|this\s+|that\s+|us\s+)?to\s+`,
        String.raw`\b(?:go ahead and|make sure (?:to|you|that you)|be sure to|remember to|don't forget to` +
          String.raw`|feel free to|please|pls|plz|kindly)\s+`,
      ],
      "g",
    ),
);
const duty = lazyPattern(
  "should|must|need|ha|can|could|would|ought|better",
  () =>
    new RegExp(
      String.raw`\b(?:you|we|it|this|that)\s+` +
        String.raw`(?:should|must|need to|needs to|have to|has to|can|could|would|ought to|'d better)\s+`,
      "g",
    ),
);
const polite = lazyPattern("why|possible|you |about", () =>
  alternatives(
    [
      String.raw`\bwhy\s+(?:don't|dont|not)\s+(?:(?:you|we)\s+)?`,
      String.raw`\bpossible\s+(?:that\s+you|for\s+you\s+to)\s+`,
      String.raw`\b(?:if|think|hope|wondering whether|chance|way)\s+(?:that\s+)?you\s+(?:can|could|would|might)\s+`,
      String.raw`^(?:how|what)\s+about\s+(?:we|you|if\s+(?:we|you))\s+`,
      String.raw`\bask\s+you\s+to\s+`,
    ],
    "g",
  ),
);
const minding = lazyPattern("mind|about|help|consider", () =>
  alternatives(
    [
      String.raw`^(?:(?:do|would)\s+you\s+)?mind\s+`,
      String.raw`^(?:how|what)\s+about\s+`,
      String.raw`^consider\s+`,
      String.raw`\bhelp\s+(?:with\s+)?(?=[a-z]+ing\b)`,
    ],
    "g",
  ),
);

/** "do I need to restart it" asks, it does not request. */
const asksWhether =
  /^(?:do|does|did|should|must|shall|will|would|may|might|have|am)\s+(?:i|we|they|users?|it|one|people|this|that)\b/;

function isRequest(clause: string): boolean {
  const rest = afterFillers(clause);
  const asked = findLazy(toYou, rest);
  const doubted = asksWhether.test(rest);
  return (
    (asked !== null && isAction(rest.slice(asked[0].length))) ||
    (!doubted && leadsTo(clause, wish, isAction)) ||
    /^(?:i(?:'d|\s+would)?|we(?:'d|\s+would)?|would)\s+(?:really\s+)?love\b/.test(rest) ||
    leadsTo(clause, polite, isAction) ||
    leadsTo(rest, minding, isActing) ||
    /^please\s+do\b/.test(clause.trim())
  );
}

const wh = setOf("what where when why how which who whose");
const startsWh = (text: string): boolean => startsWithWord(afterFillers(text), wh);

const dash = String.raw`\s+-\s+`;
const newClause = alternatives([String.raw`\s*[,;:(—–]\s*`, dash, String.raw`\s+(?:and|then|but|so|or)\s+`]);
const newClauseInQuestion = alternatives([
  String.raw`\s*[;:(—–]\s*`,
  dash,
  String.raw`,?\s+(?:and\s+then|then|and\s+also|also|and\s+please|but)\s+`,
  String.raw`,\s+(?:so|and)\s+(?=\S)`,
  String.raw`(?=\bplease\b)`,
  String.raw`,\s+(?=(?:can|could|would|will)\s+(?:you|we)\b)`,
]);

/** Inside a question "add, remove and update" belong to the question; only a clear new start is a clause. */
const clausesOf = ({ text, asks }: Sentence): string[] =>
  text.split(asks || startsWh(text) ? newClauseInQuestion : newClause);

function asksForAction(sentence: Sentence): boolean {
  const { text, asks } = sentence;
  const foreign = mayBeForeign(text);
  if (foreign && asksForChangeAnywhere(text)) return true;
  if (text.includes(" and ") && findLazy(toYou, afterFillers(text)) && also(text)) return true;
  const how = text.includes("how") && /^(?:\S+\s+){0,2}how\s+(?:do|does|can|should|would|could|to|might)\b/.test(text);
  const clauses = clausesOf(sentence);
  for (const [i, clause] of clauses.entries()) {
    const starts = clause.trim();
    const continues = i > 0 && how && !/\b(?:please|then|also)\b/.test(text);
    if (isRequest(starts) || (isAction(starts) && !continues)) return true;
    if (!asks && !startsWh(text) && leadsTo(starts, duty, isAction)) return true;
  }
  return foreign && !latinEnglish(text) && asksForChange(text);
}

/** "can you look at it and restart it": the second verb is a request too, unless both belong to a how or whether. */
function also(text: string): boolean {
  const parts = text.split(/\s+and\s+/);
  return parts.some(
    (part, i) =>
      i > 0 &&
      isAction(part) &&
      /^\S+\s+(?:it|them|that|this|these|those|the|all|any|my|our|its)\b/.test(afterFillers(part)) &&
      !/\bhow\b|\bwhat\b|\bto\s+[a-z]+(?:\s+\S+){0,3}$/.test(parts[i - 1]!),
  );
}

/** Enough to tell English from its neighbours, so that "implement" is not taken for Spanish. */
const latinEnglish = (text: string): boolean =>
  anyOf(text.match(/\w+/g) ?? [], englishWords) && (isPlain(text) || !/[¿¡áéíóúñçàèùâêîôûäöüß]/u.test(text));
const englishWords = setOf(
  "the a an is are do does what how why this that to of in it i you we and for with on my can could explain tell",
);

/** The patterns of other languages are long; plain English without their words is not matched against them. */
const mayBeForeign = (text: string): boolean =>
  !isPlain(text) || !latinEnglish(text) || anyOf(text.match(/\w+/g) ?? [], plainCanYou);

/** The verb of a clause, without a "can you" in front of it. */
function askedWith(clause: string): string {
  const rest = afterFillers(clause);
  const asked = /^(?:can|could|would|will)\s+(?:you|we)\s+/.exec(rest);
  return headOf(asked ? rest.slice(asked[0].length) : rest);
}

const looks = lazyPattern("look|research|digging", () =>
  alternatives([
    String.raw`^(?:take|have)\s+(?:a|another)\s+(?:\w+\s+)?look\b`,
    String.raw`^do\s+(?:some|a\s+bit\s+of|more)\s+(?:research|digging)\b`,
  ]),
);
const researches = (clause: string): boolean =>
  researchVerbs.has(askedWith(clause)) || findLazy(looks, afterFillers(clause)) !== null;
const talks = (clause: string): boolean => talkVerbs.has(askedWith(clause));
const wants = lazyPattern("want|need|like", () => /\b(?:want|need|like)\s+(?:you\s+)?to\s+/g);
const wantsToKnow = lazyPattern(
  "want|need|like|wonder|curious",
  () =>
    new RegExp(
      String.raw`\b(?:want|need|like|wondering|curious|wonder)\b[^.]{0,200}` +
        String.raw`\b(?:know|understand(?:ing)?|explain|tell|describe|show|see|how|why|what|whether|if)\b`,
    ),
);
const notAVerb = setOf(`
  the a an my our its this that these those all any each every why what how where whether if when which who in on at for
  of to from with your their his her it you i we they me us also report see give let then possible other`);

function asksForResearch(sentence: Sentence): boolean {
  const { text } = sentence;
  if (!researches(text) && !leadsTo(text, wants, (rest) => researchVerbs.has(headOf(rest)))) return false;
  return text
    .split(/\s*[,;]\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+/)
    .slice(1)
    .every((rest) => researches(rest) || talks(rest) || startsWithWord(rest.trim(), notAVerb));
}

const asksForWords = ({ text, asks }: Sentence): boolean =>
  asks ||
  startsAsking(text) ||
  talks(text) ||
  findLazy(wantsToKnow, text) !== null ||
  (mayBeForeign(text) && (asksQuestion(text) || (!latinEnglish(text) && asksForExplanation(text))));

/** "when I click it breaks" and "don't write comments" start like questions but are not. */
function startsAsking(text: string): boolean {
  const head = headOf(text);
  if (!interrogatives.has(head)) return false;
  const next = /^\S+\s+([a-z']+)/.exec(afterFillers(text))?.[1] ?? "";
  if (head === "when" || head === "where") return !pronouns.has(next);
  return head === "don't" || head === "do" ? pronouns.has(next) : true;
}
const pronouns = setOf("i we you they it he she the a an this that these those users there");

/** Items of a list that order something; a list of requirements describes one thing. */
const ordersListed = (prose: string): number =>
  [...prose.matchAll(/^\s*(?:[-*•]|\d+[.)])\s+(\S.*)$/gmu)].filter(([, item]) => isAction(item!.toLowerCase())).length;
