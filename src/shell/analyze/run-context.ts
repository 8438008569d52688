// What surrounds a command while it is followed, and what comes out of it: the words the walk and its runner share.
// Invariant: types only; a context is copied for what runs inside it, never changed.
import type { Command } from "unbash";
import type { ShellScope } from "./scope.js";
import type { Arg, Invocation } from "./tool.js";
import type { View } from "./views.js";
import type { Analyzer } from "./walk.js";
import type { WorkBudget } from "./work-budget.js";

/** What a command prints, when static, and the programs the text comes from. */
export interface Output {
  text?: string;
  /** Where the text is not known: the pieces of it that are. */
  pieces?: string;
  from: string[];
  /** What the lines can be when they are paths. */
  paths?: readonly Arg[];
}

/** The surroundings a node runs in. */
export interface RunContext {
  scope: ShellScope;
  source: string;
  depth: number;
  conditional: boolean;
  stdin: Invocation["stdin"];
  pipesTo?: string;
  /** Functions being called, to stop at recursion. */
  calls: readonly string[];
  /** Runs beside others: in the background or as a stage of a pipeline. */
  parallel: boolean;
  /** Started by a program that does not show it (awk's system(), xargs): the start itself is an effect. */
  hidden: boolean;
  /** The command was named in a setting or variable of another program. */
  setting?: boolean;
  loops: number;
  /** What is printed reaches the agent: no redirection, pipe or substitution takes it away. */
  visible: boolean;
  /** A stage of a pipeline whose last stage is visible. */
  ends?: boolean;
  /** A later stage of the pipeline shows names or counts only. */
  masked?: boolean;
  /** The commands run on another machine: no local file is touched. */
  remote?: string;
  /** That machine is a container made for this one command, without anything of ours in it. */
  contained?: boolean;
  /** Directories of this machine that have other names for the command, the innermost set last. */
  views?: readonly (readonly View[])[];
  /** What is left to spend on following the text. */
  budget: WorkBudget;
}

/** How one command is called. */
export interface CallSite {
  env: Record<string, Arg | undefined>;
  /** Assignments stand in front of the command itself. */
  own?: boolean;
  source: string;
  /** The command word is not looked up among functions and aliases (`command x`, `env x`). */
  external?: boolean;
  /** Where it stands, when that is in the analysed text itself. */
  node?: Command;
}

/** Follows single commands; in `simple-command.ts`, which itself needs the analyzer. */
export interface CommandRunner {
  run(analyzer: Analyzer, node: Command, context: RunContext): Output;
  /** A command given as expanded words. */
  invoke(analyzer: Analyzer, words: readonly Arg[], context: RunContext, site: CallSite): Output;
}
