// What a command would do, in our own terms. Everything that understands commands ends in these records.
// Invariant: a word that could not be resolved makes an effect `unknown` or `path: undefined`;
// it never makes an effect disappear.

import type { Hazard } from "./hazards.js";

export type { Hazard };

interface EffectBase {
  /** How it was derived, for people: "redirection > out.txt". No rule may depend on these words. */
  reason: string;
  hazard?: Hazard;
  /** Only reached under a condition (if, &&, case, loop, trap, function); gates treat it as reached. */
  conditional?: boolean;
}

/** What a read, write or delete is for, where that changes how it is judged. */
export type PathHow =
  | "use" // read: handed on to a program, not shown
  | "edit" // read: to be changed in place, not shown
  | "stage" // read: goes into the next commit
  | "link" // read: gets another name
  | "move" // delete: the content is kept under another name
  | "trash" // delete: can be taken out of the trash again
  | "mode" // write: owner or permissions, not content
  | "truncate" // write: the content goes
  | "append" // write: the content stays, more comes behind it
  | "git" // git keeps its own files and the work tree
  | "git-config" // git keeps its own settings
  | "own-store"; // a tool keeps its own settings or credentials

export interface PathEffect extends EffectBase {
  kind: "read" | "write" | "delete";
  /** Absolute and normalised; undefined when the word could not be resolved. Never ends in "/**": see `recursive`. */
  path?: string;
  /** Unresolved path: the directory its static beginning names ("src/$f" gives /project/src). */
  within?: string;
  /** The word as written, when it names the target. */
  word?: string;
  /** The path is a pattern. */
  glob?: boolean;
  /** Everything below the path is meant. */
  recursive?: boolean;
  how?: PathHow;
  /** Written whole: the path it is a copy of; it ends in "/." where what the folder holds is copied. */
  copyOf?: string;
  /** Moved: the content is kept in the same folder under another name. */
  beside?: boolean;
  /** The shell program that does it, or "redirection". */
  by?: string;
  /** The tool that was given the path, when it is no shell command (an MCP server's tool). */
  program?: string;
}

export interface ExecEffect extends EffectBase {
  kind: "exec";
  program?: string;
  /** Arguments after the program; undefined entries were not static. */
  argv?: (string | undefined)[];
  /** Something dangerous that happens on another machine. */
  how?: "remote";
}

interface RepositoryEffect extends EffectBase {
  /** The repository directory the command runs in. */
  repo?: string;
  /** The tool that does it, when it is not git. */
  program?: string;
}

export type CommitHow =
  | "amend"
  | "fixup"
  | "squash"
  | "reuse"
  | "merge"
  | "revert"
  | "cherry-pick"
  | "rebase"
  | "am"
  | "commit-tree"
  | "fast-import"
  | "export"
  | "version"
  | "release";

export interface CommitEffect extends RepositoryEffect {
  kind: "commit";
  how?: CommitHow;
  /** As git will see it; undefined when it can't be known (editor, unresolved). */
  message?: string;
  /** Hooks are skipped (--no-verify, core.hooksPath). */
  noVerify?: boolean;
}

export type PushHow = "force" | "force-with-lease" | "mirror" | "delete";

export interface PushEffect extends RepositoryEffect {
  kind: "push";
  how?: PushHow;
  /** As written. */
  remote?: string;
  refs?: string[];
  /** Hooks are skipped (--no-verify, core.hooksPath). */
  noVerify?: boolean;
}

export type RewriteHow =
  | "rebase"
  | "reset"
  | "reset-soft"
  | "reset-mixed"
  | "reset-hard"
  | "reset-merge"
  | "reset-keep"
  | "force"
  | "mirror"
  | "drop"
  | "clear"
  | "delete-branch"
  | "move-branch"
  | "delete-tag"
  | "move-tag"
  | "delete-ref"
  | "update-ref"
  | "replace"
  | "reflog-expire"
  | "reflog-delete"
  | "gc-prune"
  | "prune"
  | "filter-branch"
  | "filter-repo"
  | "lfs-migrate";

export interface RewriteEffect extends RepositoryEffect {
  kind: "rewrite-history";
  how?: RewriteHow;
}

export interface NetworkEffect extends EffectBase {
  kind: "network";
  /** The tool that opens the connection. */
  program?: string;
  /** Host or URL as far as known. */
  host?: string;
  /** Data goes out (upload, POST body), not only in. */
  upload?: boolean;
  how?: "tunnel";
}

export interface AgentEffect extends EffectBase {
  kind: "spawn-agent";
  program?: string;
  argv?: (string | undefined)[];
}

export interface PrivilegeEffect extends EffectBase {
  kind: "privilege";
  program?: string;
}

export interface UnknownEffect extends EffectBase {
  kind: "unknown";
  /** The command or word that can't be seen through. */
  word?: string;
  /** The one program that makes it unknown. */
  program?: string;
  /** A program text is unknown for nothing but the modules it loads and what it calls of them. */
  loads?: boolean;
}

type AnyEffect =
  | PathEffect
  | ExecEffect
  | CommitEffect
  | PushEffect
  | RewriteEffect
  | NetworkEffect
  | AgentEffect
  | PrivilegeEffect
  | UnknownEffect;
type FieldOf<E> = E extends unknown ? keyof E : never;
/** Fields of other kinds may be asked for, and are undefined. */
type WithoutOthers<E> = E extends unknown ? E & { [field in Exclude<FieldOf<AnyEffect>, keyof E>]?: undefined } : never;

/** Told apart by `kind`; each kind has exactly its own fields. */
export type Effect = WithoutOthers<AnyEffect>;

export type EffectKind = Effect["kind"];

/** Reads, writes and deletes: the effects that name a path. */
export const isPathEffect = (effect: Effect): effect is PathEffect =>
  effect.kind === "read" || effect.kind === "write" || effect.kind === "delete";
