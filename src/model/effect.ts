// What a command would do, in our own terms. Everything that understands commands ends in these records.
// Invariant: a word that could not be resolved makes an effect `unknown` or `path: undefined`; it never makes an effect disappear.

import type { Hazard } from "./hazards.js";

export type { Hazard };

export type EffectKind =
  | "read"
  | "write"
  | "delete"
  | "exec"
  | "commit"
  | "push"
  | "rewrite-history"
  | "network"
  | "spawn-agent"
  | "privilege"
  | "unknown";

export interface Effect {
  kind: EffectKind;
  /** How it was derived, in words a person understands: "redirection > out.txt". */
  reason: string;
  /** Absolute, normalised path; undefined when the word could not be resolved. A trailing "/**" is never added: see `recursive`. */
  path?: string;
  /** Unresolved path: the directory its static beginning names ("src/$f" gives /project/src). */
  within?: string;
  /** The word as written, when it names the target. */
  word?: string;
  /** The path is a glob or a directory whose whole content is meant. */
  glob?: boolean;
  recursive?: boolean;
  /** exec, spawn-agent: the program; network: the tool. */
  program?: string;
  /** exec: arguments after the program, undefined entries were not static. */
  argv?: (string | undefined)[];
  /** network: host or URL as far as known. */
  host?: string;
  /** network: data goes out (upload, POST body), not only in. */
  upload?: boolean;
  /** commit: the message as git will see it, undefined when it can't be known (editor, unresolved). */
  message?: string;
  /** commit: amend, fixup, squash, merge, revert, cherry-pick, ... ; push/rewrite-history: what exactly; read: "link" when it gets another name; delete: "move". */
  how?: string;
  /** commit, push, rewrite-history: the repository directory the command runs in. */
  repo?: string;
  /** commit: hooks are skipped (--no-verify, core.hooksPath). */
  noVerify?: boolean;
  /** push: remote and refs as written. */
  remote?: string;
  refs?: string[];
  hazard?: Hazard;
  /** Only reached under a condition (if, &&, ||, case, loop, trap, function not certainly called). Gates treat it as reached. */
  conditional?: boolean;
}
