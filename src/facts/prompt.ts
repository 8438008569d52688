// What a prompt asks for, decided on the whole of it. Invariant: pure over the text; a prompt nothing recognises is a task,
// and only a person's prompt can be a command, an approval or a change of task.
// Plain text is read without Unicode's classes, which are slow to compile.
import type { Event } from "../engine/event.js";
import { type CommandName, commandOf } from "./commands.js";
import { asksOf, frustrationOf, hasty, typesOf } from "./prompt-signs.js";
import {
  actionVerbs,
  approvals,
  asksForeign,
  asksForeignUnspaced,
  bigWords,
  fillers,
  interrogatives,
  manyOf,
  passthroughWords,
  researchVerbs,
  stopWords,
  talkVerbs,
  things,
} from "./prompt-words.js";
import { anyOf, find, type Seldom, seldom, setOf, startsWith } from "./seldom.js";

export type PromptKind = "passthrough" | "question" | "task" | "big-task" | "research-only";
export type TaskType = "bug-fix" | "new-feature" | "refactor" | "file-create" | "tests" | "docs" | "general";
/** What a prompt can ask for besides the change itself. */
export type Requirement = "plan" | "research" | "loop" | "commit" | "push" | "tests" | "docs";
export type Frustration = "correction" | "impatience" | "repetition" | "shouting";

export interface PromptFact {
  /** Typed by a person, as far as the host can tell. */
  person: boolean;
  command?: CommandName;
  kind: PromptKind;
  types: TaskType[];
  /** Words that have gone before haste: "quick", "just", ... */
  triggers: string[];
  frustration?: Frustration;
  asks: Requirement[];
  /** The words that tell this task from another, sorted. */
  keywords: string[];
  /** Says itself that it goes on with the task at hand, or that it leaves it. */
  bearing: "follows" | "leaves" | "open";
  /** The whole prompt is a yes. */
  approves: boolean;
}

export function promptOf(event: Event): PromptFact | undefined {
  if (!event.prompt) return undefined;
  const { text, machine } = event.prompt;
  return machine ? machineMade : readPrompt(text);
}

const machineMade: PromptFact = {
  person: false,
  kind: "passthrough",
  types: [],
  triggers: [],
  asks: [],
  keywords: [],
  bearing: "follows",
  approves: false,
};

export function readPrompt(text: string): PromptFact {
  const command = commandOf(text);
  const prose = proseOf(text);
  const low = prose.toLowerCase();
  const words = low.match(/\w+/g) ?? [];
  const bare = bareOf(low);
  const kind = command ? "passthrough" : kindOf(text, prose, bare);
  const works = kind === "task" || kind === "big-task";
  const frustration = frustrationOf(prose, low);
  return {
    person: true,
    ...(command && { command }),
    kind,
    types: works ? typesOf(low, words) : [],
    triggers: works ? [...new Set(words.filter((w) => hasty.has(w)))] : [],
    ...(frustration && !command && { frustration }),
    asks: command ? [] : asksOf(low),
    keywords: keywordsOf(low),
    bearing: bearingOf(low, words),
    approves: approvals.has(bare),
  };
}

const maxRead = 20_000;

/** The person's own words: pasted code, quotes, addresses and tags are what they talk about, not what they ask. */
function proseOf(text: string): string {
  let said = text.slice(0, maxRead);
  if (!isPlain(said))
    said = said
      .normalize("NFC")
      .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, "")
      .replace(/[’‘]/g, "'");
  if (said.includes("`")) said = said.replace(/```[^]*?(?:```|$)/g, " CODE. ").replace(/`[^`\n]*`/g, " CODE ");
  if (said.includes("://")) said = said.replace(/\bhttps?:\/\/\S+/g, " ");
  if (said.includes(">")) said = said.replace(/^>.*$/gm, " ");
  return said.trim();
}

/** Nothing but what every keyboard has: Unicode's classes would say no more than ASCII's. */
const isPlain = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const bareOf = (low: string): string =>
  low.replace(isPlain(low) ? /[\t-\r -/:-@[-`{-~]+/g : /[\p{P}\p{S}\s]+/gu, " ").trim();

const hasWord = (text: string): boolean => /[A-Za-z0-9]/.test(text) || (!isPlain(text) && /[\p{L}\p{N}]/u.test(text));

function kindOf(text: string, prose: string, bare: string): PromptKind {
  if (!hasWord(text)) return "passthrough";
  if (passthroughWords.has(bare)) return "passthrough";
  const slash = /^\/[a-z][\w:-]*(?:\s+|$)/i.exec(text.trimStart());
  const said = slash ? prose.slice(slash[0].length) : prose;
  const sentences = sentencesOf(said);
  const acts = sentences.some(asksForAction);
  if (slash && !acts) return "passthrough";
  if (find(forbidsChanges, said.toLowerCase())) return "research-only";
  if (acts) return isBig(said) || listed(said) >= 6 ? "big-task" : "task";
  if (sentences.some(asksForResearch)) return "research-only";
  if (sentences.some(asksForWords)) return "question";
  return isBig(said) ? "big-task" : "task";
}

function isBig(said: string): boolean {
  const text = said.toLowerCase();
  if (find(bigWords, text)) return true;
  return [...text.matchAll(manyOf)].some(([, after]) =>
    after!
      .split(/\s+/)
      .slice(0, 4)
      .some((w) => things.has(w)),
  );
}

const forbidsChanges = seldom(
  "not |n't |dont |without|no need|never|read only|read-only|no edits|no changes|hands off",
  () =>
    /\b(?:do not|don't|dont|without|no need to|never)\s+(?:edit|editing|chang(?:e|ing)|modify|modifying|touch|touching|writ(?:e|ing))\s+(?:to\s+)?(?:anything|any(?:\s+of\s+the)?\s+(?:code|files?)|(?:the\s+)?code|files)\b(?!\s+(?:in|outside|under|other|else|except|besides|that|which|below|of|from))|\b(?:read[- ]only|no edits|no changes|hands off)\b(?!\s+\p{L}+(?:s|ing)\b)/u,
);

interface Sentence {
  text: string;
  asks: boolean;
}

function sentencesOf(prose: string): Sentence[] {
  const out: Sentence[] = [];
  for (const [part] of prose.matchAll(/[^.!?。？！؟;\n]*(?:\.(?=\S)[^.!?。？！؟;\n]*)*[.!?。？！؟;\n]*/g)) {
    const text = part
      .trim()
      .replace(/^(?:[-*•]|\d+[.)])\s+/, "")
      .toLowerCase();
    if (hasWord(text)) out.push({ text, asks: /[?？؟]\s*$|[か吗呢][。.]?$/.test(text) });
  }
  return out;
}

/** A clause from its first word that matters on. */
function afterFillers(text: string): string {
  let rest = text.trimStart();
  for (let i = 0; i < 7; i++) {
    const word = /^([a-z']+|\d+[.)])[\s,]+/.exec(rest);
    if (!word || !(fillers.has(word[1]!) || /ly$|^\d/.test(word[1]!))) break;
    rest = rest.slice(word[0].length);
  }
  return rest;
}

const headOf = (text: string): string => /^[a-z']+(?:-[a-z]+)*/.exec(afterFillers(text))?.[0] ?? "";

const isAction = (text: string): boolean =>
  actionVerbs.has(headOf(text)) || actionVerbs.has(headOf(text).split("-")[0]!);

/** "adding", "removing", "stopping": an action in the form that follows "mind" and "how about". */
function isActing(text: string): boolean {
  const stem = /^([a-z]+)ing$/.exec(headOf(text))?.[1];
  return (
    stem !== undefined && (actionVerbs.has(stem) || actionVerbs.has(`${stem}e`) || actionVerbs.has(stem.slice(0, -1)))
  );
}

/** Whether an action follows any match of the lead. */
function leadsTo(text: string, lead: Seldom, test: (rest: string) => boolean): boolean {
  if (!lead.words.some((word) => text.includes(word))) return false;
  for (const match of text.matchAll(lead.pattern())) if (test(text.slice(match.index + match[0].length))) return true;
  return false;
}

const toYou = seldom(
  "can|ould|will|won't",
  () => /^(?:can|could|would|will|won't|can't|couldn't|wouldn't)\s+(?:you|u|ya|we|someone|somebody)\s+/,
);
const wish = seldom(
  "want|need|like|ask|expect|prefer|wish|hop|go ahead|sure|remember|forget|feel free|please|pls|plz|kindly",
  () =>
    /\b(?:want|wants|need|needs|like|ask|asking|expect|prefer|wish|hope|hoping)\s+(?:you\s+|it\s+|this\s+|that\s+|us\s+)?to\s+|\b(?:go ahead and|make sure (?:to|you|that you)|be sure to|remember to|don't forget to|feel free to|please|pls|plz|kindly)\s+/g,
);
const duty = seldom(
  "should|must|need|ha|can|could|would|ought|better",
  () =>
    /\b(?:you|we|it|this|that)\s+(?:should|must|need to|needs to|have to|has to|can|could|would|ought to|'d better)\s+/g,
);
const polite = seldom(
  "why|possible|you ",
  () =>
    /\bwhy\s+(?:don't|dont|not)\s+(?:(?:you|we)\s+)?|\bpossible\s+(?:that\s+you|for\s+you\s+to)\s+|\b(?:if|think|hope|wondering whether)\s+you\s+(?:can|could|would|might)\s+/g,
);
const minding = seldom("mind|about", () => /\b(?:do|would)\s+you\s+mind\s+|^(?:how|what)\s+about\s+/g);

function isRequest(clause: string): boolean {
  const rest = afterFillers(clause);
  const asked = find(toYou, rest);
  return (
    (asked !== null && isAction(rest.slice(asked[0].length))) ||
    leadsTo(clause, wish, isAction) ||
    leadsTo(clause, polite, isAction) ||
    leadsTo(rest, minding, isActing) ||
    /^please\s+do\b/.test(clause.trim())
  );
}

const wh = setOf("what where when why how which who whose");
const startsWh = (text: string): boolean => startsWith(afterFillers(text), wh);

/** Inside a question "add, remove and update" belong to the question; only what clearly starts anew is a clause of its own. */
function clausesOf({ text, asks }: Sentence): string[] {
  const own = asks || startsWh(text);
  return text.split(
    own
      ? /\s*[;:(—–]\s*|\s+-\s+|,?\s+(?:and\s+then|then|and\s+also|also|and\s+please|but)\s+|,\s+(?:so|and)\s+(?=\S)|(?=\bplease\b)|,\s+(?=(?:can|could|would|will)\s+(?:you|we)\b)/
      : /\s*[,;:(—–]\s*|\s+-\s+|\s+(?:and|then|but|so|or)\s+/,
  );
}

function asksForAction(sentence: Sentence): boolean {
  const { text, asks } = sentence;
  const plain = isPlain(text);
  if (!plain && asksForeignUnspaced(text)) return true;
  const how = text.includes("how") && /^(?:\S+\s+){0,2}how\s+(?:do|does|can|should|would|could|to|might)\b/.test(text);
  const clauses = clausesOf(sentence);
  for (const [i, clause] of clauses.entries()) {
    const starts = clause.trim();
    const continues = i > 0 && how && !/\b(?:please|then|also)\b/.test(text);
    if (isRequest(starts) || (isAction(starts) && !continues)) return true;
    if (!asks && !startsWh(text) && leadsTo(starts, duty, isAction)) return true;
  }
  return !latinEnglish(text, plain) && asksForeign(text, plain);
}

/** A word list of English tells English from its neighbours well enough to keep "implement" from being Spanish. */
const latinEnglish = (text: string, plain: boolean): boolean =>
  anyOf(text.match(/\w+/g) ?? [], englishWords) && (plain || !/[¿¡áéíóúñçàèùâêîôûäöüß]/.test(text));
const englishWords = setOf(
  "the a an is are do does what how why this that to of in it i you we and for with on my can could explain tell",
);

/** The word a clause asks with, a "can you" in front of it passed over. */
function askedWith(clause: string): string {
  const rest = afterFillers(clause);
  const asked = /^(?:can|could|would|will)\s+(?:you|we)\s+/.exec(rest);
  return headOf(asked ? rest.slice(asked[0].length) : rest);
}

const researches = (clause: string): boolean => researchVerbs.has(askedWith(clause));
const talks = (clause: string): boolean => talkVerbs.has(askedWith(clause));
const wants = seldom("want|need|like", () => /\b(?:want|need|like)\s+(?:you\s+)?to\s+/g);
const wantsToKnow = seldom(
  "want|need|like|wonder|curious",
  () =>
    /\b(?:want|need|like|wondering|curious|wonder)\b[^.]{0,200}\b(?:know|understand|explain|tell|describe|show|see|how|why|what|whether|if)\b/,
);
const notAVerb = setOf(
  "the a an my our its this that these those all any each every why what how where whether if when which who in on at for of to from with your their his her it you i we they me us also report see give let then possible other",
);

function asksForResearch(sentence: Sentence): boolean {
  const { text } = sentence;
  if (!researches(text) && !leadsTo(text, wants, (rest) => researchVerbs.has(headOf(rest)))) return false;
  return text
    .split(/\s*[,;]\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+/)
    .slice(1)
    .every((rest) => researches(rest) || talks(rest) || startsWith(rest.trim(), notAVerb));
}

const asksForWords = ({ text, asks }: Sentence): boolean =>
  asks || interrogatives.has(headOf(text)) || talks(text) || find(wantsToKnow, text) !== null;

const listed = (prose: string): number => prose.match(/^\s*(?:[-*•]|\d+[.)])\s+\S/gm)?.length ?? 0;

/** Whether it holds letters of a script that puts no spaces between words. */
const isUnspaced = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text);
const maxKeywords = 12;

function keywordsOf(low: string): string[] {
  const plain = isPlain(low);
  const words = plain
    ? (low.match(/\w{3,}/g) ?? [])
    : isUnspaced(low)
      ? [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(low)]
          .filter((s) => s.isWordLike)
          .map((s) => s.segment)
      : (low.match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
  const kept = words.filter(
    (w) =>
      w.length >= (!plain && isUnspaced(w) ? 2 : 3) &&
      !stopWords.has(w) &&
      !actionVerbs.has(w) &&
      !talkVerbs.has(w) &&
      !researchVerbs.has(w) &&
      !/^\d+$/.test(w),
  );
  const longest = [...new Set(kept)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return longest.slice(0, maxKeywords).sort();
}

const leaves = seldom(
  "new |different |next |another |separate |unrelated |forget|drop|leave|switch|something",
  () =>
    /\b(?:new|different|next|another|separate|unrelated) (?:task|topic|thing|issue|ticket|feature|project)\b|\b(?:forget|drop|leave) (?:that|this|it)\b(?:,|\s+and|\.)|\bswitch(?:ing)? to (?:a|the|another)\b|\bsomething (?:else|different)\b/,
);
const goesOn = setOf(
  "and also now then but ok okay actually no yes still again instead plus wait hmm great good perfect thanks",
);
const refers = setOf("it that this those these them same too again instead above previous");
const refersTogether = seldom("you just|as well", () => /\b(?:you just|as well)\b/);

function bearingOf(low: string, words: readonly string[]): PromptFact["bearing"] {
  if (find(leaves, low)) return "leaves";
  const follows = startsWith(low, goesOn) || anyOf(words, refers) || find(refersTogether, low);
  return follows && low.split(/\s+/).length <= 30 ? "follows" : "open";
}
