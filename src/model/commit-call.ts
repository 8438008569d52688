// A `git commit` that a shell command would run, in parts from which the same commit can be written anew.
// Invariant: `amendedCommand` changes the message and nothing else of the command.
import type { CommitHow } from "./effect.js";
import { shellQuote } from "./shell-quote.js";

export interface CommitCall {
  /** The directory git runs in. */
  repo?: string;
  how?: CommitHow;
  noVerify?: boolean;
  /** As git will see it. */
  message?: string;
  /** Why it is not known: an editor opens; a word, file or input can't be resolved; another commit's is used. */
  unknown?: "editor" | "word" | "file" | "input" | "reused";
  /** What is known of a message with unresolved words. */
  partial?: string;
  /** Given with --trailer, where the message is not known. */
  trailers?: string[];
  /** The file the message is in. */
  file?: string;
  /** The commit whose message is used. */
  reused?: string;
  /** The command up to the sub-command, each further part quoted for a shell. */
  head: string;
  options: string[];
  /** The message options as written, where one of them is not static. */
  messageWords?: string[];
  operands: string[];
  /** Where it stands in the analysed text; `cuts` are here-documents that only fed it. */
  at?: { from: number; to: number; cuts: readonly (readonly [from: number, to: number])[] };
}

/** The commit with this message; `added` is appended as a paragraph where the old message can't be known. */
export function amendedCommit(call: CommitCall, message: { whole: string } | { added: string }): string {
  const words =
    "whole" in message
      ? [`-m ${shellQuote(message.whole)}`]
      : [...(call.messageWords ?? []), `-m ${shellQuote(message.added)}`];
  const paths = call.operands.length ? ["--", ...call.operands] : [];
  return [call.head, ...call.options, ...words, ...paths].join(" ");
}

/** The whole command text with these commits in it; undefined where one does not stand in the text itself. */
export function amendedCommand(
  text: string,
  commits: readonly { call: CommitCall; commit: string }[],
): string | undefined {
  const edits = new Map<number, { to: number; by: string }>();
  for (const { call, commit } of commits) {
    if (!call.at) return undefined;
    edits.set(call.at.from, { to: call.at.to, by: commit });
    for (const [from, to] of call.at.cuts) edits.set(from, { to, by: "" });
  }
  let out = text;
  for (const [from, { to, by }] of [...edits].sort(([a], [b]) => b - a)) out = out.slice(0, from) + by + out.slice(to);
  return out.trimEnd();
}
