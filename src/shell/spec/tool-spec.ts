// A tool as data: what `format.ts` reads from the notation and `interpret.ts` follows.
// Invariant: types only.
import type { PathHow } from "../../model/effect.js";
import type { HazardId } from "../../model/hazards.js";
import type { Syntax } from "./options.js";

/** A test for words: alternatives with "|", "*" for any text. */
export type WordTest = ((word: string) => boolean) & { readonly source: string };

export type Condition =
  | { kind: "step"; word: WordTest }
  | { kind: "option"; names: readonly string[]; pattern?: WordTest; value?: WordTest; not: boolean }
  | { kind: "operand"; word: WordTest; not: boolean }
  | { kind: "unresolved"; not: boolean }
  | { kind: "program"; word: WordTest; not: boolean }
  | { kind: "input"; not: boolean }
  | { kind: "count"; least: number; most: number };

/** What an effect is about: operands by position, an option's arguments, a fixed path, standard input. */
export type Target =
  | { kind: "operands"; from: number; to: number }
  | { kind: "last" | "others" | "sources" | "landing" | "words" | "stdin" }
  | { kind: "option"; names: readonly string[] }
  | { kind: "path"; path: string };

export interface HazardRef {
  id: HazardId;
  /** A more exact name, with placeholders: "{name}-delete". */
  name?: string;
}

export type PathVerb = "read" | "write" | "delete";

export type Action =
  | { do: "quiet" }
  | { do: "hazard"; hazard: HazardRef; reason?: string }
  | {
      do: PathVerb;
      target: Target;
      otherwise?: Target;
      mark: Mark;
      hazard?: HazardRef;
      reason?: string;
    }
  | { do: "network"; upload: boolean; target?: Target; reason?: string }
  | { do: "exec"; reason?: string }
  | { do: "privilege"; target?: Target; reason?: string }
  | { do: "run"; target: Target; cwd?: Target; assigns: boolean; reason?: string }
  | { do: "shell"; target: Target; reason?: string }
  | { do: "script"; target: Target; reason?: string }
  | { do: "remote"; target: Target; host?: Target; reason?: string }
  | { do: "unknown"; reason?: string }
  | { do: "code"; name: string };

/** How much of a path is meant, and what for. */
export interface Mark {
  extent?: "tree" | "all" | "tree?";
  how?: PathHow;
}

/** What becomes of an option's argument. */
export type Role =
  | { kind: PathVerb; mark: Mark }
  | { kind: "shell" }
  | { kind: "program" }
  | { kind: "script" }
  | { kind: "code"; name: string };

export interface Rule {
  line: number;
  /** Any of these must fit; all conditions of one must hold. */
  when: readonly (readonly Condition[])[];
  then: readonly Action[];
}

export interface ToolSpec {
  names: readonly string[];
  syntax: Syntax;
  roles: ReadonlyMap<string, Role>;
  /** Options that make the call a simulation. */
  dry: readonly string[];
  /** Only the first word can ask for help: later ones belong to another program. */
  helpFirst: boolean;
  /** The first operand says what the tool does. */
  subCommands: boolean;
  /** Sub-commands that are quiet: `help` and `version`, unless a rule says what they do. */
  asks: readonly string[];
  /** A rule says what a call without operands means. */
  namesNone: boolean;
  /** No use of it has any effect. */
  inert: boolean;
  always: readonly Action[];
  /** Rules that apply besides the one that decides. */
  also: readonly Rule[];
  rules: readonly Rule[];
  otherwise: readonly Action[];
}
