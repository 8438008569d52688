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
  /** Why the message is not known: an editor opens, a word, file or input can't be resolved, another commit's is used. */
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

/** The whole command text with that commit in it; undefined where the commit does not stand in the text itself. */
export function amendedCommand(text: string, call: CommitCall, commit: string): string | undefined {
  if (!call.at) return undefined;
  const { from, to, cuts } = call.at;
  const edits = [{ from, to, by: commit }, ...cuts.map(([a, b]) => ({ from: a, to: b, by: "" }))];
  let out = text;
  for (const edit of edits.sort((a, b) => b.from - a.from))
    out = out.slice(0, edit.from) + edit.by + out.slice(edit.to);
  return out.trimEnd();
}
