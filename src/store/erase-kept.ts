// Erasing: texts beside the ledger, words the state refers to, slices of sessions.
// Invariant: called under the lock. No record changes; what was erased is one more record, and the chain stays whole.
import { eraseWords } from "./kept-words.js";
import { appendRecord, type WriteContext } from "./ledger/append-record.js";
import { recordsFrom } from "./ledger/read-records.js";
import { eraseTexts, planErasure, type TextErasure } from "./ledger/side-texts.js";
import type { Head } from "./signed-files.js";
import { slicesToForget } from "./state/forget-slices.js";
import type { HiddenWords } from "./state/hidden-words.js";
import { bringSessions, sessionOfSlice, sessionsIn, wholeState } from "./state/session-archive.js";
import type { Erased, Erasure } from "./types.js";
import { removeStrays } from "./verify/sweep.js";

export function eraseKept(context: WriteContext, head: Head | undefined, what: Erasure, hidden: HiddenWords): Erased {
  const { io, at, nonce } = context;
  const { before, session, matching, dryRun = false } = what;
  if (!dryRun) removeStrays(io, at);
  const own = session === undefined ? undefined : numbersOf(context, session);
  const old = (time: string) => before === undefined || Date.parse(time) < before.getTime();
  const named = (text: string) => !matching || matching.some((form) => text.includes(form));
  const ofCall = (text: { time: string; seq: number; text: string }) =>
    old(text.time) && (!own || own.has(text.seq)) && named(text.text);
  const byAge = session === undefined && !matching;
  const plan = planErasure(io, at, ofCall, byAge);
  const { texts, bytes } = plan;
  const ofSession = (word: { at: string; session?: string; text: string }) =>
    old(word.at) && (session === undefined || word.session === session) && named(word.text);
  const whole = head && wholeState(io, at, head);
  const holding = matching ? sessionsHolding(context, hidden, named, old) : undefined;
  const patch = whole && slicesToForget(hidden.show(whole.state), whole.ages, what, holding);
  const forgotten = sessionsIn(patch);
  const everything = byAge && (!head || old(head.time));
  const ofState = (key: { session: string; at: string }) =>
    forgotten.has(key.session) ||
    holding?.has(key.session) ||
    key.session === session ||
    (byAge && old(key.at) && (key.session === "" ? everything : whole?.ages[key.session] === undefined));
  const words = eraseWords(io, at.folder, ofSession, nonce, true) + hidden.erase(ofState, nonce, true);
  const slices = Object.keys(patch ?? {}).length;
  const erased: Erased = { texts, words, slices, bytes };
  if (dryRun) return erased;
  if (head && texts + words + slices > 0) {
    const body = {
      ...(before && { before: before.toISOString() }),
      ...(session !== undefined && { session }),
      ...(matching && { matching: true }),
      ...erased,
      gone: listed(plan.runs, head, everything),
    };
    // Before anything is removed: a text that is missing without a record was not erased by us. In a segment of its
    // own: snapshot and copy are written anew, without the lines they had.
    const from = bringSessions(io, at, head, sessionsIn(patch)).head;
    appendRecord(context, { head: from, newSegment: true }, { type: "erase", body, ...(slices && { patch }) }, true);
  }
  eraseTexts(io, plan, ofCall, nonce);
  eraseWords(io, at.folder, ofSession, nonce);
  hidden.erase(ofState, nonce, false);
  return erased;
}

const mostRuns = 50_000;

/** Where all of it was erased by age, that is also what could not be read. */
function listed(runs: TextErasure["runs"], { seq }: Head, everything: boolean): TextErasure["runs"] {
  if (everything) return [[1, seq]];
  return runs.length > mostRuns ? [[runs[0]![0], runs.at(-1)![1]]] : runs;
}

/** Sessions whose state ever held one of the texts, by the ledger; empty for the project. */
function sessionsHolding(
  { io, at }: WriteContext,
  hidden: HiddenWords,
  named: (text: string) => boolean,
  old: (time: string) => boolean,
): Set<string> {
  const holding = new Set<string>();
  for (const { patch, time } of recordsFrom(io, at)) {
    if (!patch || !old(time)) continue;
    for (const [slice, value] of Object.entries(hidden.show(patch))) {
      const session = sessionOfSlice(slice) ?? "";
      if (
        !holding.has(session) &&
        JSON.stringify(patch[slice]) !== JSON.stringify(value) &&
        named(JSON.stringify(value))
      )
        holding.add(session);
    }
  }
  return holding;
}

/** The records of a session. */
function numbersOf({ io, at }: WriteContext, session: string): Set<number> {
  const numbers = new Set<number>();
  for (const record of recordsFrom(io, at)) if (record.session === session) numbers.add(record.seq);
  return numbers;
}
