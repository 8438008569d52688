// What happened in a recorded session, in order: prompts, calls with their results, ends of turns.
// Invariant: types only.
import type { Json, JsonObject } from "../model/json.js";

interface StepBase {
  /** Milliseconds; that of the row before where a row has none. */
  time: number;
  cwd: string;
  /** The git branch the client noted with the row; "" where it noted none. */
  branch: string;
  /** Present for steps of a sub-agent. */
  agent?: string;
  /** Line of the transcript, from 1. */
  line: number;
}

export interface PromptStep extends StepBase {
  kind: "prompt";
  text: string;
}

export interface CallStep extends StepBase {
  kind: "call";
  id: string;
  tool: string;
  input: JsonObject;
  /** Filled in when the result is read; undefined where the session ends before it. */
  result?: CallResult;
}

export interface CallResult {
  error: boolean;
  /** Turned away by the client, a hook or the user: it never ran. */
  refused: boolean;
  /** What the model saw. */
  text: string;
  /** The client's own structured result, where it kept one. */
  details: Json | undefined;
}

/** The end of a call: where its result stands in the transcript. */
export interface ResultStep extends StepBase {
  kind: "result";
  call: CallStep;
}

/** Text the client put into the conversation: an expanded slash command, a reminder. */
export interface ToldStep extends StepBase {
  kind: "told";
  text: string;
}

/** A file the client put into the conversation by itself. */
export interface ShownStep extends StepBase {
  kind: "shown";
  path: string;
  content: string;
}

export interface TurnEndStep extends StepBase {
  kind: "end";
  text: string;
}

export type Step = PromptStep | CallStep | ResultStep | ShownStep | ToldStep | TurnEndStep;

export interface RecordedSession {
  file: string;
  session: string;
  /** The folder the session began in. */
  root: string;
  steps: Step[];
  /** The transcript goes on from an earlier conversation that is not in it. */
  midway: boolean;
  /** Lines that are no JSON objects: torn, or of another program. */
  badLines: number;
}
