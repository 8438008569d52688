// What a prompt asks for, decided on the whole of it.
// Invariant: pure over the text. A prompt nothing recognises is a task; only a person's prompt can be a command, an
// approval or a change of task. Plain text is read without Unicode classes, which are slow to compile.
import type { Event } from "../../model/event.js";
import { alternatives, anyOf, findLazy, isPlain, lazyPattern, setOf, startsWithWord } from "../lazy-pattern.js";
import { type CommandName, commandOf } from "../typed-commands.js";
import { isChoice, kindOf, ordersAction, type PromptKind, withholdsChange } from "./kind.js";
import { actionVerbs, researchVerbs, stopWords, talkVerbs } from "./languages/en.js";
import { continuesTask, startsNewTask } from "./other-languages.js";
import { acknowledgement } from "./replies.js";
import { asksOf, declinesOf, frustrationOf, hasty, typesOf } from "./signs.js";

export type { PromptKind };
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
  /** Haste words: "quick", "just", ... */
  triggers: string[];
  frustration?: Frustration;
  asks: Requirement[];
  /** What it no longer asks for. */
  declines?: Requirement[];
  /** The words that distinguish this task from others, sorted. */
  keywords: string[];
  /** Whether it says itself that it continues or leaves the current task. */
  bearing: "follows" | "leaves" | "open";
  /** The whole prompt is a yes. */
  approves: boolean;
  /** The whole prompt names one of several answers that were offered: "2", "option b". */
  chooses?: boolean;
  /** A task: how long it is without what a program printed. */
  length?: number;
  /** It orders something; a report, an answer or an opinion does not. */
  orders?: boolean;
  /** It carries out a plan that the person approved in the host's plan mode. */
  planned?: boolean;
  /** research-only: it says that nothing may be changed, or asks for an investigation; not a check or a review. */
  handsOff?: boolean;
}

export function promptOf(event: Event): PromptFact | undefined {
  if (!event.prompt) return undefined;
  const { text, machine } = event.prompt;
  return machine || continued.test(text) ? machineMade : readPrompt(text);
}

/** What the client writes when a conversation was too long and goes on from its summary. */
const continued = /^\s*This session is being continued from a previous conversation\b/;

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

/** What Claude Code sends when the person approves a plan and starts afresh with it. */
const plan = /^\s*(?:implement|execute|carry out) the following (?:approved )?plan:?[ \t]*\n+([^]*)/i;

function readPlan(text: string): PromptFact {
  const title = /^#+\s*(?:(?:implementation )?plan:?\s*)?(.*)$/im.exec(text)?.[1] ?? text.slice(0, 200);
  const low = proseOf(`${title}\n${text.slice(0, 1_000)}`).toLowerCase();
  return {
    person: true,
    kind: "task",
    types: typesOf(low, low.match(/\w+/g) ?? []),
    triggers: [],
    asks: [],
    keywords: keywordsOf(low),
    bearing: "open",
    approves: false,
    orders: true,
    length: text.length,
    planned: true,
  };
}

export function readPrompt(text: string): PromptFact {
  const carried = plan.exec(text);
  if (carried) return readPlan(carried[1]!);
  const command = commandOf(text);
  const prose = proseOf(text);
  const low = prose.toLowerCase();
  const words = low.match(/\w+/g) ?? [];
  const bare = bareOf(low);
  const kind = command ? "passthrough" : kindOf(text, ownWords(prose), bare);
  const works = kind === "task" || kind === "big-task";
  const frustration = frustrationOf(prose, low);
  const declines = declinesOf(low);
  return {
    person: true,
    ...(command && { command }),
    kind,
    types: works ? typesOf(low, words) : [],
    triggers: works ? [...new Set(words.filter((w) => hasty.has(w)))] : [],
    ...(frustration && !command && { frustration }),
    asks: command ? [] : asksIn(works ? withoutOutput(low) : withoutQuestions(withoutOutput(low))),
    ...(declines.length && !command && { declines }),
    keywords: keywordsOf(low),
    bearing: bearingOf(low, words),
    approves: acknowledgement(bare) === "yes" && !/[?？]/u.test(prose),
    ...(!command && isChoice(text, bare) && { chooses: true }),
    ...(works && { length: withoutOutput(text).length }),
    ...(works && ordersAction(withoutOutput(prose)) && { orders: true }),
    ...(kind === "research-only" && withholdsChange(ownWords(prose)) && { handsOff: true }),
  };
}

/** A whole specification describes the work; that it mentions a commit or documentation orders none at its end. */
const mostAsked = 1_500;
const beforehand = new Set<Requirement>(["plan", "research", "loop"]);
const asksIn = (low: string): Requirement[] =>
  asksOf(low).filter((ask) => low.length <= mostAsked || beforehand.has(ask));

/** A question about tests orders no test run. */
const withoutQuestions = (text: string): string => text.replace(/[^.!?;\n]*[?？]/gu, " ");

/** Lines a program printed: logs, traces, differences, commits. */
const printed = alternatives(
  [
    String.raw`^\s*(?:at |File "|Traceback|Caused by|npm ERR|fatal:|remote:|error[:[ ]|warn(?:ing)?[: ])`,
    String.raw`^\s*(?:info[: ]|hint:)`,
    String.raw`^\s*(?:\[?\d{1,4}[-:/]\d\d[-:/]|\$ |> |\+\+\+|---|@@|diff --git|author:|date: )`,
    String.raw`^[\s*|\\/]*commit [0-9a-f]{7,}|^[|\\/]\s|^[\s|]*(?:author|date|merge):\s`,
    String.raw`^\s*\[[^\]]{1,60}\]`,
    String.raw`^\s*[{[].{20,}[\]}],?\s*$|^\s*\{"`,
    String.raw`^\s*\S{200,}`,
    String.raw`\b[0-9a-f]{12,40}\b`,
    String.raw`^\s*\d+ files? changed|^\s*(?:create|delete) mode \d`,
    String.raw`\.[a-z]{1,4}:\d+(?::\d+)?\b`,
  ],
  "i",
);
const withoutOutput = (text: string): string =>
  text.includes("\n")
    ? withoutScreens(text)
        .split("\n")
        .filter((line) => !printed.test(line))
        .join("\n")
    : text;

/** What the person wrote besides what a program printed; all of it where they wrote nothing else. */
const ownWords = (prose: string): string => {
  const own = withoutOutput(prose);
  return /\w{2}/.test(own) || /[^\p{ASCII}]/u.test(own) ? own : prose;
};

/** Copied from a terminal: three or more deeply indented lines in a row, or what follows a client's own marks. */
const screen = /(?:^(?:(?: {4,}|\t+)\S.*|[ \t]*)\n?){3,}|^[ \t]*[⎿●⏺❯✻].*(?:\n(?:[ \t]+\S.*|[ \t]*))*/gmu;
const withoutScreens = (text: string): string =>
  text.replace(screen, (block) => (/^[ \t]*[⎿●⏺❯✻]/mu.test(block) || /\S/.test(block) ? "\n" : block));

const maxRead = 20_000;

/** The user's own words, without pasted code, quotes, URLs and tags. */
function proseOf(text: string): string {
  let said = text.slice(0, maxRead);
  if (!isPlain(said))
    said = said
      .normalize("NFKC")
      .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, "")
      .replace(/[’‘]/gu, "'");
  if (said.includes("`")) said = said.replace(/```[^]*?(?:```|$)/g, " CODE. ").replace(/`[^`\n]*`/g, " CODE ");
  if (said.includes("://")) said = said.replace(/\bhttps?:\/\/\S+/g, " ");
  if (said.includes(">")) said = said.replace(/^>.*$/gm, " ");
  if (said.includes("</"))
    said = said.replace(/<(system-reminder|ide_[a-z_]+|[a-z]+(?:-[a-z]+)+)\b[^>]*>[^]*?<\/\1>/g, " ");
  if (/["'“«「]/u.test(said)) said = said.replace(quotes(), " QUOTE ");
  return said.trim();
}

/** Quoted text of more than one word. */
const quotes = () =>
  alternatives(
    [
      String.raw`"[^"\n]*\s[^"\n]*"`,
      String.raw`“[^”\n]*\s[^”\n]*”`,
      String.raw`«[^»\n]*»`,
      String.raw`「[^」\n]*」`,
      String.raw`(?<=^|[\s(])'[^'\n]*\s[^'\n]*'(?=$|[\s.,;:!?)])`,
    ],
    "g",
  );

const bareOf = (low: string): string =>
  low.replace(isPlain(low) ? /[\t-\r -/:-@[-`{-~]+/g : /[\p{P}\p{S}\s]+/gu, " ").trim();

/** Whether it contains letters of a script without spaces between words. */
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

const leaves = lazyPattern(
  "new |different |next |another |separate |unrelated |forget|drop|leave|switch|something",
  () =>
    alternatives([
      String.raw`\b(?:new|different|next|another|separate|unrelated) ` +
        String.raw`(?:task|topic|thing|issue|ticket|feature|project)\b`,
      String.raw`\b(?:forget|drop|leave) (?:that|this|it)\b(?:,|\s+and|\.)`,
      String.raw`\bswitch(?:ing)? to (?:a|the|another)\b`,
      String.raw`\bsomething (?:else|different)\b`,
    ]),
);
const goesOn = setOf(
  "and also now then but ok okay actually no yes still again instead plus wait hmm great good perfect thanks",
);
const refers = setOf("it this those these them there same too again instead above previous");
const refersTogether = lazyPattern("you just|as well", () => /\b(?:you just|as well)\b/);
/** Steps that belong to any task. */
const steps = "commit|push|run|lint|format|merge|rebase|revert|undo|stage|squash|continue|finish";
const stepOfAny = lazyPattern(steps, () => new RegExp(String.raw`^(?:please\s+)?(?:git\s+)?(?:${steps})\b`));

function bearingOf(low: string, words: readonly string[]): PromptFact["bearing"] {
  if (findLazy(leaves, low) || startsNewTask(low)) return "leaves";
  if (low.split(/\s+/).length > 30) return "open";
  const follows =
    startsWithWord(low, goesOn) ||
    anyOf(words, refers) ||
    findLazy(refersTogether, low) ||
    findLazy(stepOfAny, low) ||
    pointsBack(low) ||
    continuesTask(low);
  return follows ? "follows" : "open";
}

/** "fix that" points back; "a migration that adds" does not. */
function pointsBack(low: string): boolean {
  if (!low.includes("that")) return false;
  for (const { index } of low.matchAll(/\bthat\b/g)) {
    const before = /([a-z']+)\s*$/.exec(low.slice(0, index))?.[1];
    if (!before || actionVerbs.has(before) || prepositions.has(before)) return true;
    if (/^\s*(?:$|[.,;!?])/.test(low.slice(index + 4))) return true;
  }
  return false;
}
const prepositions = setOf("for of in with on to about from like do is after all not than");
