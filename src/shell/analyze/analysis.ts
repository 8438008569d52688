// What goes into an analysis of shell text and what comes out of it.
// Invariant: all I/O an analysis may need is injected here; the analysis itself does none.
import type { CommitCall } from "../../model/commit-call.js";
import type { Effect } from "../../model/effect.js";
import type { TaughtEffect } from "../../model/taught.js";
import type { Archives } from "../archives/archive-disk.js";

export interface ShellContext {
  cwd: string;
  home?: string;
  /** Project root: scripts and project files are read only below it. Default: cwd. */
  root?: string;
  /** Environment as far as known. When given, a variable missing here counts as unset. */
  env?: Readonly<Record<string, string>>;
  readFile?(path: string): string | undefined;
  isDirectory?(path: string): boolean | undefined;
  /** Names of the folders in a folder of the project. */
  foldersIn?(path: string): readonly string[];
  /** Archives on disk, asked for when one is met; without them an extraction names its folder alone. */
  archives?(): Archives | undefined;
  /** Whether a folder of PATH holds a program of this name; undefined when PATH is not known. */
  isOnPath?(name: string): boolean | undefined;
  /** Programs the user declared to run the command in their arguments (`rtk git commit`). */
  wrappers?: readonly string[];
  /** Programs no table knows, and what the user said they do. */
  programs?: Readonly<Record<string, TaughtEffect>>;
}

/** One step of the derivation: what was looked at, what it became, and why. */
export interface AnalysisStep {
  depth: number;
  text: string;
  became: string;
  why: string;
}

/** A program that would run, also one whose effects are fully known: for facts such as "this is a test run". */
export interface Ran {
  program: string;
  argv: (string | undefined)[];
  /** Where it lies, when it was called by a path. */
  path?: string;
  cwd?: string;
  depth: number;
  conditional?: boolean;
  /** How many effects there were before it ran: what comes after them is its own, or of what follows. */
  effectsBefore: number;
}

export interface Analysis {
  /** False when some text that would be executed could not be parsed; an `unknown` effect then says why. */
  parsed: boolean;
  effects: Effect[];
  commands: Ran[];
  /** Every `git commit`, as it was written. */
  commitCalls: CommitCall[];
  trace: AnalysisStep[];
}

/** Commands are shown in messages and traces up to this length. */
export const abbreviate = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
