// What a gate may say, and what the engine makes of all that was said.
// Invariant: silence is no opinion; nothing here ever grants a permission the user did not give.
import type { JsonObject } from "./json.js";

export interface Deny {
  kind: "deny";
  /** What was refused: "write .claude/settings.json". */
  what: string;
  /** Which condition does not hold. */
  why: string;
  /** The one legitimate next step. */
  next: string;
  /** Where there are several, each of them in the order of the work; `next` says them all. */
  steps?: readonly string[];
  /** Told to the agent instead of what, why and next, where the text is fixed or holds a whole command to run. */
  lines?: readonly string[];
  /** False where no person may lift it for one call. */
  overridable?: boolean;
  /** Opens when the agent does a step first, then makes the same call: all missing steps are named in one refusal. */
  joins?: boolean;
  /** What it protects only lies in what the call takes along: a protecting gate with its own reason speaks first. */
  incidental?: boolean;
  data?: JsonObject;
}
export interface Ask {
  kind: "ask";
  what: string;
  why: string;
  next?: string;
  data?: JsonObject;
}
/** Context: told to the agent, to the person, or to both. */
export interface Note {
  kind: "note";
  text: string;
  to: "agent" | "person" | "both";
  data?: JsonObject;
}
/** The call goes through with another input. */
export interface Rewrite {
  kind: "rewrite";
  input: JsonObject;
  why: string;
}
export type Opinion = Deny | Ask | Note | Rewrite;

/** Several steps in one line. */
export const stepList = (steps: readonly string[]): string =>
  steps.length < 2 ? (steps[0] ?? "") : steps.map((step, i) => `(${i + 1}) ${step}`).join(" ");

export const deny = (o: Omit<Deny, "kind">): Deny => ({ kind: "deny", ...o });
export const ask = (o: Omit<Ask, "kind">): Ask => ({ kind: "ask", ...o });
export const note = (text: string, to: Note["to"] = "agent", data?: JsonObject): Note =>
  data ? { kind: "note", text, to, data } : { kind: "note", text, to };
export const rewrite = (input: JsonObject, why: string): Rewrite => ({ kind: "rewrite", input, why });

export type Mode = "observe" | "warn" | "enforce";

/** One opinion with who held it and under which mode. */
export interface Judged {
  gate: string;
  mode: Mode;
  opinion: Opinion;
  /** Held by a gate that protects, not by one about process. */
  protecting?: boolean;
  /** Lifted by a person's override, or softened because a limit was reached; says which. */
  lifted?: string;
}

type Refusal = Judged & { opinion: Deny };

/** Every refusal in force, in gate order. */
export const refusalsIn = (opinions: readonly Judged[]): Refusal[] =>
  opinions.filter((j): j is Refusal => j.opinion.kind === "deny" && j.mode === "enforce" && !j.lifted);

/**
 * The refusal that is told: the first in gate order, with two exceptions. One that a step of the agent opens yields to
 * one that stays: committing a locked test does not make it writable. An incidental reason yields to a protecting
 * gate's direct one: `rm -rf ~/` is refused for what it destroys, not because a settings file lies in it.
 */
export function speakerOf(opinions: readonly Judged[]): Refusal | undefined {
  const refusals = refusalsIn(opinions);
  const first = refusals.find((j) => !j.opinion.joins) ?? refusals[0];
  if (!first?.opinion.incidental) return first;
  return refusals.find((j) => j.protecting && !j.opinion.incidental) ?? first;
}

export interface Fault {
  gate: string;
  /** What the fault meant for the answer. */
  policy: "deny" | "pass";
  message: string;
}

export interface Verdict {
  id: string;
  outcome: "pass" | "deny" | "ask";
  /** The gate whose opinion is the answer. */
  gate?: string;
  /** deny, ask: what the agent is told; at most five lines, unless the gate gives lines of its own. */
  text?: string;
  /** Context for the agent. */
  context: string[];
  /** Shown to the person. */
  messages: string[];
  rewrite?: { gate: string; input: JsonObject; why: string };
  opinions: Judged[];
  faults: Fault[];
}
