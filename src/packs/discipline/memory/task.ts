// The task at hand: what the person asked for last, what belongs to it, and whether a prompt goes on with it.
// Invariant: only a person's prompt changes it; a question or a yes never does.
import { at, memory } from "../../../engine/gate.js";
import type { PromptFact, PromptKind, Requirement } from "../../../facts/prompt.js";
import { changesTask } from "../../../facts/task-change.js";
import { sha256 } from "../../../files/hash.js";
import { fulfilled, work } from "./work.js";

export interface TaskState {
  /** Empty until the first task of the session. */
  id: string;
  since: number;
  big: boolean;
  keywords: string[];
  asks: Requirement[];
  /** Of the newest prompt a person wrote. */
  latest: PromptKind;
  promptAt: number;
  /** The person spoke of removing or skipping tests: doing so is no trick. */
  mayDropTests: boolean;
  prompts: number;
  frustrations: number;
  /** Haste words of this task's prompts so far. */
  triggers: string[];
  warnedTwice: string[];
}

export const task = memory<TaskState>({
  id: "discipline/task",
  on: at("prompt"),
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
    const prompt = facts.prompt;
    if (!prompt?.person || prompt.command) return;
    state.update((s) => {
      s.promptAt = now;
      s.prompts++;
      if (prompt.frustration) s.frustrations++;
      if (prompt.kind === "passthrough") return;
      s.latest = prompt.kind;
      if (prompt.kind !== "task" && prompt.kind !== "big-task") return;
      s.warnedTwice = prompt.triggers.filter((w) => s.triggers.includes(w));
      // The work of the turn before: what it left undone is still asked for.
      const open = s.asks.filter((a) => early.has(a) || !fulfilled(a, recall(work)));
      begin(s, prompt, event.prompt!.text, open, now);
      s.triggers = [...new Set([...s.triggers, ...prompt.triggers])];
    });
  },
});

/** Due before the change; they hold for the whole task. */
const early = new Set<Requirement>(["plan", "research", "loop"]);
const dropsTests = /\b(?:delete|remove|drop|skip|disable)\W+(?:\w+\W+){0,5}(?:tests?|specs?)\b/i;

function begin(s: TaskState, prompt: PromptFact, text: string, open: readonly Requirement[], now: number): void {
  const fresh = !s.id || changesTask(s.keywords, prompt);
  if (fresh) {
    s.id = sha256(`${now}\n${text}`).slice(0, 12);
    s.since = now;
    s.triggers = [];
  }
  s.big = prompt.kind === "big-task" || (!fresh && s.big);
  s.keywords = [...new Set([...(fresh ? [] : s.keywords), ...prompt.keywords])].slice(-24);
  s.asks = [...new Set([...(fresh ? [] : open), ...prompt.asks])];
  s.mayDropTests = dropsTests.test(text) || (!fresh && s.mayDropTests);
}
