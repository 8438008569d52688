// What a prompt asks for, decided on the whole of it. Invariant: pure over the text; a prompt nothing recognises is a task,
// and only a person's prompt can be a command, an approval or a change of task.
import type { Event } from "../engine/event.js";
import { type CommandName, commandOf } from "./commands.js";
import {
  actionVerbs,
  approvals,
  bigWords,
  fillers,
  foreignActions,
  foreignActionsUnspaced,
  interrogatives,
  manyOf,
  passthroughWords,
  researchVerbs,
  stopWords,
  talkVerbs,
  things,
} from "./prompt-words.js";

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
  const bare = bareOf(prose);
  const kind = command ? "passthrough" : kindOf(text, prose, bare);
  const works = kind === "task" || kind === "big-task";
  const frustration = frustrationOf(prose);
  return {
    person: true,
    ...(command && { command }),
    kind,
    types: works ? typesOf(prose) : [],
    triggers: works ? triggersOf(prose) : [],
    ...(frustration && !command && { frustration }),
    asks: command ? [] : asksOf(prose),
    keywords: keywordsOf(prose),
    bearing: bearingOf(prose),
    approves: approvals.has(bare),
  };
}

const maxRead = 20_000;
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;

/** The person's own words: pasted code, quotes, addresses and tags are what they talk about, not what they ask. */
function proseOf(text: string): string {
  return text
    .slice(0, maxRead)
    .normalize("NFC")
    .replace(invisible, "")
    .replace(/[’‘]/g, "'")
    .replace(/```[^]*?(?:```|$)/g, " CODE. ")
    .replace(/`[^`\n]*`/g, " CODE ")
    .replace(/\bhttps?:\/\/\S+/g, " ")
    .replace(/^>.*$/gm, " ")
    .trim();
}

const bareOf = (prose: string): string =>
  prose
    .toLowerCase()
    .replace(/[\p{P}\p{S}\s]+/gu, " ")
    .trim();

function kindOf(text: string, prose: string, bare: string): PromptKind {
  if (!/[\p{L}\p{N}]/u.test(text)) return "passthrough";
  if (passthroughWords.has(bare)) return "passthrough";
  const slash = /^\/[a-z][\w:-]*(?:\s+|$)/i.exec(text.trimStart());
  const said = slash ? prose.slice(slash[0].length) : prose;
  const sentences = sentencesOf(said);
  const acts = sentences.some(asksForAction);
  if (slash && !acts) return "passthrough";
  if (forbidsChanges.test(said)) return "research-only";
  if (acts) return isBig(said) || listed(said) >= 6 ? "big-task" : "task";
  if (sentences.some(asksForResearch)) return "research-only";
  if (sentences.some(asksForWords)) return "question";
  return isBig(said) ? "big-task" : "task";
}

function isBig(said: string): boolean {
  const text = said.toLowerCase();
  if (bigWords.test(text)) return true;
  return [...text.matchAll(manyOf)].some(([, after]) =>
    after!
      .split(/\s+/)
      .slice(0, 4)
      .some((w) => things.has(w)),
  );
}

const forbidsChanges =
  /\b(?:do not|don't|dont|without|no need to|never)\s+(?:edit|editing|chang(?:e|ing)|modify|modifying|touch|touching|writ(?:e|ing))\s+(?:to\s+)?(?:anything|any(?:\s+of\s+the)?\s+(?:code|files?)|(?:the\s+)?code|files)\b(?!\s+(?:in|outside|under|other|else|except|besides|that|which|below|of|from))|\b(?:read[- ]only|no edits|no changes|hands off)\b(?!\s+\p{L}+(?:s|ing)\b)/iu;

interface Sentence {
  text: string;
  asks: boolean;
}

function sentencesOf(prose: string): Sentence[] {
  const out: Sentence[] = [];
  for (const [part] of prose.matchAll(/[^.!?。？！؟;\n]*(?:\.(?=\S)[^.!?。？！؟;\n]*)*[.!?。？！؟;\n]*/gu)) {
    const text = part
      .trim()
      .replace(/^(?:[-*•]|\d+[.)])\s+/, "")
      .toLowerCase();
    if (/[\p{L}\p{N}]/u.test(text)) out.push({ text, asks: /[?？؟]\s*$|か[。.]?$|吗[。.]?$|呢[。.]?$/u.test(text) });
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
function leadsTo(text: string, lead: RegExp, test: (rest: string) => boolean): boolean {
  for (const match of text.matchAll(lead)) if (test(text.slice(match.index + match[0].length))) return true;
  return false;
}

const toYou = /^(?:can|could|would|will|won't|can't|couldn't|wouldn't)\s+(?:you|u|ya|we|someone|somebody)\s+/;
const wish =
  /\b(?:want|wants|need|needs|like|ask|asking|expect|prefer|wish|hope|hoping)\s+(?:you\s+|it\s+|this\s+|that\s+|us\s+)?to\s+|\b(?:go ahead and|make sure (?:to|you|that you)|be sure to|remember to|don't forget to|feel free to|please|pls|plz|kindly)\s+/g;
const duty =
  /\b(?:you|we|it|this|that)\s+(?:should|must|need to|needs to|have to|has to|can|could|would|ought to|'d better)\s+/g;
const polite =
  /\bwhy\s+(?:don't|dont|not)\s+(?:(?:you|we)\s+)?|\bpossible\s+(?:that\s+you|for\s+you\s+to)\s+|\b(?:if|think|hope|wondering whether)\s+you\s+(?:can|could|would|might)\s+/g;
const minding = /\b(?:do|would)\s+you\s+mind\s+|^(?:how|what)\s+about\s+/g;

function isRequest(clause: string): boolean {
  const rest = afterFillers(clause);
  const asked = toYou.exec(rest);
  return (
    (asked !== null && isAction(rest.slice(asked[0].length))) ||
    leadsTo(clause, wish, isAction) ||
    leadsTo(clause, polite, isAction) ||
    leadsTo(rest, minding, isActing) ||
    /^please\s+do\b/.test(clause.trim())
  );
}

const startsWh = (text: string): boolean =>
  /^(?:what|what's|where|when|why|how|which|who|whose)\b/.test(afterFillers(text));

/** Inside a question "add, remove and update" belong to the question; only what clearly starts anew is a clause of its own. */
function clausesOf({ text, asks }: Sentence): string[] {
  const own = asks || startsWh(text);
  return text.split(
    own
      ? /\s*[;:(—–]\s*|\s+-\s+|,?\s+(?:and\s+then|then|and\s+also|also|and\s+please|but)\s+|,\s+(?:so|and)\s+(?=\S)|(?=\bplease\b)|,\s+(?=(?:can|could|would|will)\s+(?:you|we)\b)/u
      : /\s*[,;:(—–]\s*|\s+-\s+|\s+(?:and|then|but|so|or)\s+/u,
  );
}

function asksForAction(sentence: Sentence): boolean {
  const { text, asks } = sentence;
  if (foreignActionsUnspaced.test(text)) return true;
  const how = /^(?:\S+\s+){0,2}how\s+(?:do|does|can|should|would|could|to|might)\b/u.test(text);
  const clauses = clausesOf(sentence);
  for (const [i, clause] of clauses.entries()) {
    const starts = clause.trim();
    const continues = i > 0 && how && !/\b(?:please|then|also)\b/u.test(text);
    if (isRequest(starts) || (isAction(starts) && !continues)) return true;
    if (!asks && !startsWh(text) && leadsTo(starts, duty, isAction)) return true;
  }
  return !latinEnglish(text) && foreignActions.test(text);
}

/** A word list of English tells English from its neighbours well enough to keep "implement" from being Spanish. */
const latinEnglish = (text: string): boolean =>
  /\b(?:the|a|an|is|are|do|does|what|how|why|this|that|to|of|in|it|i|you|we|and|for|with|on|my|can|could|explain|tell)\b/u.test(
    text,
  ) && !/[¿¡áéíóúñçàèùâêîôûäöüß]/u.test(text);

/** The word a clause asks with, a "can you" in front of it passed over. */
function askedWith(clause: string): string {
  const rest = afterFillers(clause);
  const asked = /^(?:can|could|would|will)\s+(?:you|we)\s+/.exec(rest);
  return headOf(asked ? rest.slice(asked[0].length) : rest);
}

const researches = (clause: string): boolean => researchVerbs.has(askedWith(clause));
const talks = (clause: string): boolean => talkVerbs.has(askedWith(clause));
const wants = /\b(?:want|need|like)\s+(?:you\s+)?to\s+/g;
const wantsToKnow =
  /\b(?:want|need|like|wondering|curious|wonder)\b[^.]{0,200}\b(?:know|understand|explain|tell|describe|show|see|how|why|what|whether|if)\b/;
const notAVerb =
  /^(?:the|a|an|my|our|its|this|that|these|those|all|any|each|every|why|what|how|where|whether|if|when|which|who|in|on|at|for|of|to|from|with|your|their|his|her|it|you|i|we|they|me|us|also|report|see|give|let|then|possible|other)\b/u;

function asksForResearch(sentence: Sentence): boolean {
  const { text } = sentence;
  if (!researches(text) && !leadsTo(text, wants, (rest) => researchVerbs.has(headOf(rest)))) return false;
  return text
    .split(/\s*[,;]\s*(?:and\s+|then\s+)?|\s+(?:and|then)\s+/u)
    .slice(1)
    .every((rest) => researches(rest) || talks(rest) || notAVerb.test(rest.trim()));
}

const asksForWords = ({ text, asks }: Sentence): boolean =>
  asks || interrogatives.has(headOf(text)) || talks(text) || wantsToKnow.test(text);

const listed = (prose: string): number => prose.match(/^\s*(?:[-*•]|\d+[.)])\s+\S/gm)?.length ?? 0;

const typeWords: readonly (readonly [TaskType, RegExp])[] = [
  [
    "bug-fix",
    /\b(?:fix(?:es|ed|ing)?|bugs?|errors?|broken|fail(?:s|ing|ed|ure)?|crash(?:es|ed|ing)?|regression|repair|wrong)\b/i,
  ],
  [
    "file-create",
    /\b(?:create|new|add)\s+(?:an?\s+|the\s+)?(?:\w+\s+)?(?:file|class|struct|view|model|component|module|script)\b/i,
  ],
  ["new-feature", /\b(?:add|create|implement|introduce|new|feature|support for|build)\b/i],
  ["refactor", /\b(?:refactor|reorgani[sz]e|restructure|clean\s*up|simplify|rename|extract|split|move)\b/i],
  ["tests", /\b(?:tests?|specs?|coverage)\b/i],
  ["docs", /\b(?:docs?|documentation|readme|changelog|comments?)\b/i],
];

function typesOf(prose: string): TaskType[] {
  const found = typeWords.filter(([, words]) => words.test(prose)).map(([type]) => type);
  return found.length ? found : ["general"];
}

const triggersOf = (prose: string): string[] => [
  ...new Set(
    [
      ...prose.toLowerCase().matchAll(/\b(?:quick(?:ly)?|just|simple|simply|fast|easy|minor|small|tiny|trivial)\b/g),
    ].map(([w]) => w),
  ),
];

function frustrationOf(prose: string): Frustration | undefined {
  if (
    /\b(?:i just said|like i said|as i (?:mentioned|said)|i told you|how many times|not again|once again|yet again|for the (?:second|third|last) time)\b|\bagain[!?]+|\bstill (?:broken|failing|not working|doesn't work|wrong)\b/i.test(
      prose,
    )
  )
    return "repetition";
  if (
    /^no[,.!]\s|\bthat's (?:not|wrong)\b|\bi (?:said|meant|already (?:said|told|asked))\b|\bnot what i (?:asked|said|meant|wanted)\b/i.test(
      prose,
    )
  )
    return "correction";
  if (
    /\b(?:use your head|stop rushing|think (?:first|before|harder)|slow down|pay attention|idiot|stupid|wtf|ffs)\b|^think[.!]/im.test(
      prose,
    )
  )
    return "impatience";
  const words = prose.match(/\b[A-Za-z']{3,}\b/g) ?? [];
  const loud = words.filter((w) => w === w.toUpperCase()).length;
  return words.length >= 3 && loud >= 3 && loud / words.length > 0.6 ? "shouting" : undefined;
}

const requirementWords: readonly (readonly [Requirement, RegExp])[] = [
  [
    "plan",
    /\bplan (?:first|before|this|it)\b|\b(?:make|write|show|give|propose|draft)(?: me)? (?:a|the|your) plan\b|\bstart with a plan\b/i,
  ],
  [
    "research",
    /\bresearch (?:first|this|it|before|the|how)\b|\b(?:investigate|look into \S+(?: \S+)?) (?:first|before)\b|\bdo (?:some|your) research\b/i,
  ],
  ["loop", /\bsaneloop\b|\b(?:use|start|run|in) (?:a|the) (?:task )?loop\b|\bacceptance criteria\b/i],
  [
    "commit",
    /(?:^|[,;.:]\s*|\b(?:and|then|also|please|to|you)\s+)(?:git\s+)?commit\b(?!ment|s\b|\s+(?:message|hash|history|log)s?\b)/im,
  ],
  [
    "push",
    /(?:^|[,;.:]\s*|\b(?:and|then|also|please|to)\s+)(?:git\s+)?push\b(?=\s*(?:$|[.,;!]|it\b|to\b|the\b|them\b|everything\b|when\b))/im,
  ],
  [
    "tests",
    /\b(?:add|write|include|with|run|create)\s+(?:\w+\s+){0,3}(?:tests?|specs?)\b|\btest it\b|\bmake sure (?:\w+\s+){0,3}tests? pass/i,
  ],
  ["docs", /\b(?:update|write|add|adjust)\s+(?:\w+\s+){0,2}(?:docs?|documentation|readme|changelog)\b/i],
];
const refused = /\b(?:do not|don't|dont|never|without|no need to|not to|no)\s+(?:\w+\s+){0,2}$/i;

function asksOf(prose: string): Requirement[] {
  return requirementWords
    .filter(([, words]) => {
      const found = words.exec(prose);
      const verbAt = found && found.index + (/[a-z]/i.exec(found[0])?.index ?? 0);
      return (
        found &&
        !refused.test(prose.slice(0, verbAt ?? 0)) &&
        !refused.test(`${prose.slice(0, found.index)}${found[0].replace(/\S+$/, "")}`)
      );
    })
    .map(([name]) => name);
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const maxKeywords = 12;

function keywordsOf(prose: string): string[] {
  const text = prose.toLowerCase();
  const words = unspaced.test(text)
    ? [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)]
        .filter((s) => s.isWordLike)
        .map((s) => s.segment)
    : (text.match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
  const kept = words.filter(
    (w) =>
      w.length >= (unspaced.test(w) ? 2 : 3) &&
      !stopWords.has(w) &&
      !actionVerbs.has(w) &&
      !talkVerbs.has(w) &&
      !researchVerbs.has(w) &&
      !/^\d+$/.test(w),
  );
  const longest = [...new Set(kept)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return longest.slice(0, maxKeywords).sort();
}

function bearingOf(prose: string): PromptFact["bearing"] {
  const text = prose.toLowerCase();
  if (
    /\b(?:new|different|next|another|separate|unrelated) (?:task|topic|thing|issue|ticket|feature|project)\b|\b(?:forget|drop|leave) (?:that|this|it)\b(?:,|\s+and|\.)|\bswitch(?:ing)? to (?:a|the|another)\b|\bsomething (?:else|different)\b/.test(
      text,
    )
  )
    return "leaves";
  const words = text.split(/\s+/).length;
  const refers =
    /^(?:and|also|now|then|but|ok|okay|actually|no|yes|still|again|instead|plus|wait|hmm|great|good|perfect|thanks)\b|\b(?:it|that|this|those|these|them|same|too|again|instead|above|previous|you just|as well)\b/;
  return words <= 30 && refers.test(text) ? "follows" : "open";
}
