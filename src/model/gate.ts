// The gate API: one rule with an id, what it listens to, the state it owns, and a pure `judge`.
// Invariant: `judge` and `learn` change nothing themselves; state, file amendments and acts are collected and applied
// with the record.
import type { Facts } from "../facts/index.js";
import type { Event, EventKind, ToolKind } from "./event.js";
import type { JsonObject } from "./json.js";
import type { Opinion } from "./verdict.js";

export interface Listening {
  kind: EventKind;
  /** Only these kinds of tool; absent: all. */
  tools?: readonly ToolKind[];
}

const listen =
  (kind: EventKind) =>
  (...tools: ToolKind[]): Listening[] => [tools.length ? { kind, tools } : { kind }];
export const before = listen("tool.before");
export const after = listen("tool.after");
export const failed = listen("tool.failed");
export const at = (...kinds: EventKind[]): Listening[] => kinds.map((kind) => ({ kind }));

export const hears = (on: readonly Listening[], event: Event): boolean =>
  on.some(
    (l) => l.kind === event.kind && (!l.tools || (event.tool !== undefined && l.tools.includes(event.tool.kind))),
  );

/** How long a slice lives: with the project, the session, or one agent of a session. */
export type Scope = "project" | "session" | "agent";

export interface StateSpec<S> {
  scope: Scope;
  /** Must be plain JSON. */
  initial: S;
}

/** A gate's own remembered value. */
export interface Slice<S> {
  readonly value: Readonly<S>;
  /** Give the next value, or change the draft in place. */
  update(change: (draft: S) => S | void): void;
  /** The same without a draft, for who builds the next value from parts of this one. */
  replace(next: S): void;
}

/** State that several gates share. It learns from events before any gate judges; gates read it with `recall`. */
export interface Memory<S = unknown> {
  id: string;
  on: readonly Listening[];
  state: StateSpec<S>;
  learn(context: LearnContext<S>): void;
}

export interface LearnContext<S> {
  event: Event;
  facts: Facts;
  /** The options of the pack that lists the memory. */
  config: JsonObject;
  state: Slice<S>;
  project: Project;
  /** Wall clock, ms. */
  now: number;
  /** A memory listed earlier in the pack (or in an earlier pack) as it is after this event. */
  recall<T>(memory: Memory<T>): Readonly<T>;
}

/** The project as gates may see it: read-only, each file read at most once per event. */
export interface Project {
  root: string;
  id: string;
  /** Git directory shared by all work trees, if there is one. */
  commonDir?: string;
  gitDir?: string;
  /** Text of a file below the root (or absolute), undefined when it is missing, too large (1 MB) or not text. */
  read(path: string): string | undefined;
  exists(path: string): boolean;
  /** The names in a folder; none where there is no such folder. */
  list(path: string): string[];
}

export interface JudgeContext<S, C> {
  event: Event;
  facts: Facts;
  /** The pack's options after layering; the gate's own mode is the engine's business. */
  config: Readonly<C>;
  state: Slice<S>;
  project: Project;
  now: number;
  recall<T>(memory: Memory<T>): Readonly<T>;
  /**
   * Changes a file of the project when the event is recorded, under the lock, atomically; several amendments of one
   * path are one write. Return undefined to leave it. A refused call amends only what is `always` amended.
   */
  amend(path: string, change: (text: string | undefined) => string | undefined, when?: "always"): void;
  /** Asks for a side effect by the name of one of the pack's acts. It is done only if the call is not refused, and its
   * result is recorded. */
  act(name: string, params?: JsonObject): void;
}

// biome-ignore lint/suspicious/noExplicitAny: a list of gates holds gates of different states and options
export interface Gate<S = any, C = any> {
  id: string;
  title: string;
  /** For the generated page: when it fires, in one or two sentences. */
  about: string;
  /** What opens it. */
  remedy: string;
  /** How long its state lasts and what clears it; absent for gates without state. */
  window?: string;
  reset?: string;
  on: readonly Listening[];
  /** What a fault of this gate means: `deny` for protection, `pass` for process. */
  onError: "deny" | "pass";
  /** Environment variables of the agent it wants to see. */
  env?: readonly string[];
  state?: StateSpec<S>;
  /** It guards places: it is also asked about what a call was found to have changed afterwards. Needs no state. */
  hindsight?: true;
  /** Protecting gates may not be set below `enforce` by anything but the user's own configuration. */
  protecting?: boolean;
  judge(context: JudgeContext<S, C>): Opinion | readonly Opinion[] | undefined | void;
}

/** Performs a side effect a gate asked for. Runs outside the lock; may throw (recorded as a fault that passes). */
export type Act = (
  params: JsonObject,
  /** `folder`: Interlock's own for this project. */
  world: { event: Event; project: Project; home: string; now: number; folder: string },
) => JsonObject | undefined | Promise<JsonObject | undefined>;

export interface Pack {
  id: string;
  title: string;
  gates: readonly Gate[];
  // biome-ignore lint/suspicious/noExplicitAny: as above
  memories?: readonly Memory<any>[];
  acts?: Readonly<Record<string, Act>>;
  /** Reads and parses what judging needs, because judging can't wait. Runs before each event the pack hears; cheap when
   * nothing changed. */
  prepare?(world: Preparation): void | Promise<void>;
}

export interface Preparation {
  event: Event;
  project: Project;
  /** Interlock's own for this project. */
  folder: string;
  /** Authenticates a text with the record's key; undefined where there is no key yet. */
  sign(text: string): string | undefined;
}

export const gate = <S = undefined, C = JsonObject>(definition: Gate<S, C>): Gate<S, C> => definition;
export const memory = <S>(definition: Memory<S>): Memory<S> => definition;
export const pack = (definition: Pack): Pack => definition;
