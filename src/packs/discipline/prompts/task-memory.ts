// The current task: what the user asked for last, what belongs to it, and whether a prompt continues it.
// Invariant: only a person changes the task: by a prompt, or by approving a plan in the host's dialog; a question or a
// yes never does.

import type { PromptFact, PromptKind, Requirement } from "../../../facts/prompts/prompt.js";
import { changesTask, resembles } from "../../../facts/prompts/task-change.js";
import { after, at, memory } from "../../../model/gate.js";
import { sha256 } from "../../../model/sha256.js";
import { isFulfilled, workMemory } from "../verification/work-memory.js";

export interface TaskState {
  /** Empty until the first task of the session. */
  id: string;
  since: number;
  big: boolean;
  /** Masked: they are compared, never read. */
  keywords: string[];
  asks: Requirement[];
  /** The kind of the latest prompt a person wrote. */
  latest: PromptKind;
  /** The latest prompt allows no change: it asks for an investigation, or says so. */
  handsOff?: boolean;
  promptAt: number;
  /** The user asked to remove or skip tests. */
  mayDropTests: boolean;
  prompts: number;
  frustrations: number;
  /** Haste words ("quick", "just") of this task's prompts so far. */
  triggers: string[];
  warnedTwice: string[];
  /** What the user has only asked about since; a task about the same subject continues from it. */
  aside?: TaskSubject;
  /** When the user first asked about the current task, if that was before it became a task. */
  askedAt?: number;
  /** Earlier tasks of the session, newest last. */
  past?: TaskSubject[];
  /** The task is about a linter, the compiler or the types: their success is its proof. */
  aboutChecks?: boolean;
  /** Wording, names, conflicts, a test or a linter's complaint: a look at the file is what it takes. */
  small?: boolean;
  /** The task brings in something from outside: a library, another service, a new version. */
  outside?: boolean;
  /** "Commit, then ...": what is changed afterwards need not be committed. */
  commitFirst?: boolean;
  /** The task carries out a plan that the person approved in the host's plan mode. */
  planned?: boolean;
}

export interface TaskSubject {
  id: string;
  since: number;
  keywords: string[];
}

export const taskMemory = memory<TaskState>({
  id: "discipline/task",
  on: [...at("prompt"), ...after("plan")],
  state: {
    scope: "session",
    initial: {
      id: "",
      since: 0,
      big: false,
      keywords: [],
      asks: [],
      latest: "passthrough",
      promptAt: 0,
      mayDropTests: false,
      prompts: 0,
      frustrations: 0,
      triggers: [],
      warnedTwice: [],
    },
  },
  learn({ event, facts, state, now, recall }) {
    if (event.tool?.name === "ExitPlanMode" && event.outcome?.ok)
      return state.update((s) => void Object.assign(s, { planned: true, big: false, latest: "task", handsOff: false }));
    if (!facts.prompt?.person || facts.prompt.command) return;
    const prompt = { ...facts.prompt, keywords: facts.prompt.keywords.map(facts.mask) };
    state.update((s) => {
      s.promptAt = now;
      s.prompts++;
      if (prompt.frustration) s.frustrations++;
      // What was asked for is settled when it was done.
      const work = recall(workMemory);
      s.asks = s.asks.filter((a) => early.has(a) || !isFulfilled(a, work));
      // It was due at the end of that turn; what is asked now is something else.
      if (work.ended && prompt.kind !== "passthrough") s.asks = s.asks.filter((a) => early.has(a));
      // An order that was stopped before anything was done, and a question in its place: the order is withdrawn.
      if (work.untouched && prompt.kind === "question") s.asks = s.asks.filter((a) => early.has(a));
      if (prompt.declines) s.asks = s.asks.filter((a) => !prompt.declines!.includes(a));
      // After an investigation, a yes to a proposal allows the change, and so does the choice of one.
      if ((prompt.approves || prompt.chooses) && s.latest === "research-only")
        Object.assign(s, { latest: "task", handsOff: false });
      if (prompt.kind === "passthrough") return;
      if (prompt.kind !== "question" || s.latest !== "research-only")
        Object.assign(s, { latest: prompt.kind, handsOff: prompt.handsOff === true });
      if (!s.id && checks.test(event.prompt!.text.slice(0, 2_000))) s.aboutChecks = true;
      if (prompt.kind !== "task" && prompt.kind !== "big-task")
        return void turnAside(s, prompt, event.prompt!.text, now);
      s.warnedTwice = prompt.triggers.filter((w) => s.triggers.includes(w));
      begin(s, prompt, event.prompt!.text, work.files, now);
      s.triggers = [...new Set([...s.triggers, ...prompt.triggers])];
    });
  },
});

/** Requirements that are due before the change and hold for the whole task. */
const early = new Set<Requirement>(["plan", "research", "loop"]);
const commitsFirst =
  /^\W*(?:(?:ok(?:ay)?|yes|good|great|nice|please|now)\W+)*commit\b(?![^]*\bcommit)[^.\n]{0,40}\bthen\b/i;
const dropsTests = /\b(?:delete|remove|drop|skip|disable)\W+(?:\w+\W+){0,5}(?:tests?|specs?)\b/i;

const bringsIn = new RegExp(
  String.raw`\b(?:upgrade|migrate|bump)\b(?! (?:to|the version|version|chart)\b).{0,40}\b(?:to|from)\b.{0,40}` +
    String.raw`\b(?:v?\d+(?:\.\d+)*|version)\b` +
    String.raw`|\b(?:upgrade|migrate|integrate|switch|move|port)\b.{0,40}\b(?:to|with|from)\b.{0,40}` +
    String.raw`\b(?:sdk|api|library|framework|package)\b` +
    String.raw`|(?<!\b(?:no|any|without|without a) )\b(?:new|latest|third.party|external) ` +
    String.raw`(?:dependency|library|package|framework|sdk|version of)\b`,
  "i",
);
/** What stands further back in a long prompt describes; it is not the order. */
const leading = 400;

const smallPrompt = 400;
const trifles = new RegExp(
  String.raw`\b(?:typos?|spelling|wording|terminology|labels?|captions?|rename|whitespace|indentation|formatting` +
    "|lint(?:er|ing)?|(?:merge )?conflicts?|rebas(?:e|ing)|unused imports?|log messages?|flaky|(?:unit|failing)" +
    String.raw` tests?|test (?:failures?|issues?)|review comments?|revert|undo)\b` +
    String.raw`|\bfail(?:s|ed|ing)? (?:(?:the|a|an|at|on|in) )?(?:[\w-]+ ){0,2}(?:tests?|specs?|step|job|check)\b`,
  "i",
);

const checks = new RegExp(
  String.raw`\b(?:lint(?:er|ing)?|eslint|type ?-?check(?:er|ing)?|type errors?|tsc|mypy|clippy` +
    "|compil(?:e|er|ation) errors?|(?:cargo|go) fmt|gofmt|prettier|rustfmt" +
    "|format(?:ting)? (?:errors?|hints?|issues?|check)" +
    String.raw`|(?:fix|run) the formatt(?:ing|er)|build (?:errors?|fails?|is broken)|(?:fix|repair) the build)\b`,
  "i",
);

/** `files`: what was edited in this session; a prompt that names one of them goes on with the task. */
function begin(s: TaskState, prompt: PromptFact, text: string, files: readonly string[], now: number): void {
  const fresh = !s.id || (changesTask(s.keywords, prompt) && !(prompt.bearing === "open" && namesOne(text, files)));
  const known = fresh ? takenUp(s, prompt) : undefined;
  if (fresh) {
    if (s.id) s.past = [...(s.past ?? []), { id: s.id, since: s.since, keywords: s.keywords }].slice(-3);
    s.id = known?.id ?? sha256(`${now}\n${text}`).slice(0, 12);
    s.since = now;
    s.triggers = [];
    if (known && known === s.aside) s.askedAt = known.since;
    else delete s.askedAt;
    delete s.aside;
  }
  if (fresh || prompt.planned) s.planned = prompt.planned === true;
  s.big = prompt.kind === "big-task" || (!fresh && s.big);
  const words = fresh ? (known?.keywords ?? []) : s.keywords;
  s.keywords = [...new Set([...words, ...prompt.keywords])].slice(-24);
  s.asks = [...new Set([...(fresh ? [] : s.asks), ...prompt.asks])];
  s.aboutChecks = checks.test(text.slice(0, 2_000)) || (!fresh && s.aboutChecks === true);
  // A remark on a small task leaves it small; an order is another matter.
  const remarks = !fresh && s.small === true && !prompt.orders;
  s.small = (prompt.length ?? 0) <= smallPrompt && (remarks || ((fresh || s.small === true) && trifles.test(text)));
  s.outside = bringsIn.test(text.slice(0, leading)) || (!fresh && s.outside === true);
  s.commitFirst = commitsFirst.test(text);
  s.mayDropTests = dropsTests.test(text) || (!fresh && s.mayDropTests);
}

const namesOne = (text: string, files: readonly string[]): boolean =>
  files.some((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return name.length > 3 && name.includes(".") && text.includes(name);
  });

/** The subject a new task continues: what the user just asked about, or an earlier task. */
function takenUp(s: TaskState, prompt: PromptFact): TaskSubject | undefined {
  const { aside, past = [] } = s;
  if (aside && (s.id ? resembles(aside.keywords, prompt.keywords) : !changesTask(aside.keywords, prompt))) return aside;
  return past.findLast((p) => resembles(p.keywords, prompt.keywords));
}

function turnAside(s: TaskState, prompt: PromptFact, text: string, now: number): void {
  const asked: PromptFact = { ...prompt, kind: "task", orders: true };
  if (s.id && (prompt.keywords.length < 3 || !changesTask(s.keywords, asked))) return;
  if (s.aside && !changesTask(s.aside.keywords, asked))
    s.aside.keywords = [...new Set([...s.aside.keywords, ...prompt.keywords])].slice(-24);
  else s.aside = { id: sha256(`${now}\n${text}`).slice(0, 12), since: now, keywords: prompt.keywords };
}
