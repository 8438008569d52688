// The contract between the analysis (which knows the shell) and the tools (which know programs).
// Invariant: a tool is pure: it reads an Invocation and calls Emit; it does no I/O and throws nothing on odd arguments.
import type { CommitCall } from "../../model/commit-call.js";
import type { Effect, ExecEffect, Hazard, PathEffect, UnknownEffect } from "../../model/effect.js";
import type { ArchiveListing, Extraction, FileState } from "../archives/archive-disk.js";
import type { View } from "./views.js";

/** One word after expansion. `value` is undefined when any part of it was not static. */
export interface Arg {
  /** As written in the command, for messages. */
  source: string;
  value?: string;
  /** Static text before the first unresolved part ("$HOME/x" unresolved gives ""; "dir/$f" gives "dir/"). */
  prefix: string;
  /** Carries an unquoted glob character; `value` then holds the pattern. */
  glob?: boolean;
  /** Unresolved, but one of the paths this pattern names (a loop's variable). */
  pattern?: string;
  /** A process substitution `<(...)`: what it yields when static, and the programs whose output it carries. */
  process?: { text?: string; from: string[]; paths?: readonly Arg[] };
  /** The whole word is a variable nobody assigned: it may be empty, "vanishes" when it is then no word at all. */
  maybeEmpty?: "stays" | "vanishes";
  /** Names of the variables expanded in it. */
  variables?: string[];
  /** Programs whose output a command substitution put into it. */
  from?: string[];
}

export interface Invocation {
  /** Base name of the program: "/usr/bin/git" gives "git". */
  name: string;
  /** The command word as written. */
  command: Arg;
  args: Arg[];
  /** Assignments in front of the command and exported ones known so far. */
  env: Readonly<Record<string, Arg>>;
  /** Standard input: nothing special, unknown data from a pipe or file, or known text (here-document, `echo x |`). */
  stdin:
    | { kind: "inherit" }
    | {
        kind: "pipe";
        from?: string /** All programs upstream, the nearest last. */;
        sources?: string[] /** What the lines can be when they are paths. */;
        paths?: readonly Arg[];
        /** The command that writes into the pipe, when it is a plain one. */
        command?: { program: string; argv: readonly (string | undefined)[]; cwd?: string };
        /** What is known of the text. */
        pieces?: string;
      }
    | { kind: "text"; text: string; sources?: string[] }
    | { kind: "file"; path: Arg };
  /** What earlier calls of the same text left for later ones (`git config alias.x ...`, then `git x`). */
  notes?: Map<string, string>;
  /** Standard output goes to a pipe into this program (base name), if any. */
  pipesTo?: string;
  /** Working directory, undefined after a `cd` that could not be resolved. */
  cwd?: string;
  home?: string;
}

/** Languages whose program text the analysers in `languages/` understand. */
export type Language =
  | "python"
  | "node"
  | "ruby"
  | "perl"
  | "php"
  | "awk"
  | "sed"
  | "lua"
  | "r"
  | "applescript"
  | "powershell"
  | "loose";

/** What a path effect may carry besides its target. */
export type PathExtra = Partial<Omit<PathEffect, "kind" | "reason" | "path" | "word">>;
type ExecExtra = Partial<Omit<ExecEffect, "kind" | "reason" | "hazard">>;
type UnknownExtra = Partial<Omit<UnknownEffect, "kind" | "reason">>;

export interface Emit {
  /** The user's home directory, where known. */
  readonly home?: string;
  read(target: Arg, reason: string, extra?: PathExtra): void;
  write(target: Arg, reason: string, extra?: PathExtra): void;
  delete(target: Arg, reason: string, extra?: PathExtra): void;
  /** Any effect that is not a path effect. */
  effect(effect: Effect): void;
  /** A `git commit` as it was written, beside its effect. */
  commitCall?(call: CommitCall): void;
  /** The call's effects can't be known; `reason` says why. */
  unknown(reason: string, extra?: UnknownExtra): void;
  /** A program that is too long to be looked at as a whole: refused where it stands in the command itself. */
  tooMuch(reason: string): void;
  /** A hazard without a path effect of its own (drop database, shutdown): an exec effect with the hazard. */
  hazard(hazard: Hazard, reason: string, extra?: ExecExtra): void;
  /** Shell text that will be executed (bash -c, eval, make recipe): analysed recursively in the given directory. */
  shell(
    text: Arg,
    reason: string,
    options?: {
      cwd?: Arg;
      positional?: Arg[];
      /** Named in a setting or variable, where nobody looks. */
      setting?: boolean;
      /** From a file of the project, not from the command itself. */
      ofProject?: boolean;
    },
  ): void;
  /** A command given as words (env, sudo, xargs, timeout): analysed recursively as an invocation of words[0]. */
  run(
    words: Arg[],
    reason: string,
    options?: {
      cwd?: Arg;
      env?: Record<string, Arg>;
      extraArgs?: "unknown";
      stdin?: Invocation["stdin"];
      /** Another root: see `remote`. */
      views?: readonly View[];
    },
  ): void;
  /** A script file that will run: read through the injected reader, then analysed by `language`. */
  script(file: Arg, reason: string, language: "shell" | Language | "other", args?: Arg[]): void;
  /** A module that the running program loads, by the files it can be: followed once, its text; undefined if none. */
  module?(files: readonly string[], language: Language): string | undefined;
  /** Program text of another language (python -c, node -e): handed to `analyzeProgram` of `languages/index.js`. */
  program(text: Arg, reason: string, language: Language): void;
  /** Shell text that runs on another machine or in a container: a network effect, and only the hazards of its own. */
  remote(
    text: Arg | undefined,
    host: string | undefined,
    reason: string,
    options?: {
      /** A container made for this command: what it deletes there goes with it. */
      contained?: boolean;
      /** Directories of this machine it can reach, by the names they have there. */
      views?: readonly View[];
      cwd?: string;
      home?: string;
    },
  ): void;
  /**
   * Text of a project file (package.json, Makefile); undefined when missing, too big or outside the project.
   * `pieces`: what is known of a file that the same text wrote will do.
   */
  projectFile(file: Arg, least?: "pieces"): string | undefined;
  /** Names of the folders in a folder of the project. */
  projectFolders(folder: Arg): readonly string[];
  /** What an archive holds; undefined where it is absent, not static or made by this text. */
  archive?(file: Arg, options?: { ignoreZeros?: boolean }): ArchiveListing | undefined;
  /** What `git archive` writes, as the command in front of a pipe. */
  gitArchive?(command: { argv: readonly (string | undefined)[]; cwd?: string }): ArchiveListing | undefined;
  /** Emits what comes out of an archive; false where that can't be said entry by entry. */
  extract?(listing: ArchiveListing, extraction: Extraction): boolean;
  /** What lies at a path now, unless this text has written it. */
  stateOf?(target: Arg): FileState | undefined;
  /** A temporary folder outside the project. */
  isScratch?(folder: Arg): boolean;
  /** A file that comes out of an archive; `link` is where it leads when it is a symbolic link. */
  unpacked?(target: Arg, reason: string, extra: PathExtra, link?: string): void;
  /** Resolves a word against the invocation's directory (or the given one); undefined when not static. */
  resolve(target: Arg): string | undefined;
}

/**
 * Tools say `exec` themselves, and only where code runs that they do not see through (a test runner, a build):
 * the analyzer adds none for a claimed program, so `cat x` has one effect, the read.
 * Returns nothing; a program no tool claims becomes `exec` plus `unknown` unless it is known to be harmless.
 */
export interface ToolFamily {
  /** Base names this family claims. */
  names: readonly string[];
  lower(call: Invocation, emit: Emit): void;
}
