// A person accepts what was found: one `recover` record, every file rewritten.
// Invariant: nothing is deleted, order never goes back, and exactly the damage that was there is what gets accepted.

import type { JsonObject } from "../../model/json.js";
import { readSeal, recordKeys } from "../key/seal.js";
import { segments } from "../layout.js";
import { type Appended, appendRecord, type WriteContext } from "../ledger/append-record.js";
import { genesis } from "../ledger/frame.js";
import { walkFromBase } from "../ledger/line-reader.js";
import { quarantine } from "../ledger/quarantine.js";
import { lastRecord } from "../ledger/read-records.js";
import type { Head } from "../signed-files.js";
import { asJson, unstuck } from "../state/condition.js";
import { wholeState } from "../state/session-archive.js";
import { type Survey, survey } from "./inspect.js";
import { endedUnclean } from "./open-check.js";
import { sweep } from "./sweep.js";
import { unacceptedDamage } from "./verify.js";

export function recover(context: WriteContext, takenOver: boolean, reason: string, who: string): Appended {
  const { io, at, key, nonce } = context;
  context.unclean = endedUnclean(context, takenOver);
  const seen = survey(io, at, key, context.unclean);
  if (seen.torn) quarantine(io, at, seen.torn, nonce);
  const { damage, texts } = unacceptedDamage(io, at, key);
  const { seq, hash } = seen.head ?? unauthenticHead(context, seen);
  const base = { seq, hash, state: unstuck(seen.head ? recovered(context, seen.head) : {}) };
  const written = appendRecord(
    context,
    {
      head: seen.head && { ...seen.head, sealed: readSeal(io, at, key)?.from },
      rebase: { base, segment: seen.nextSegment, count: seen.count },
    },
    {
      type: "recover",
      body: {
        reason,
        who,
        findings: asJson(seen.findings),
        accepted: asJson(damage),
        ...(texts.length && { gone: texts }),
      },
    },
    true,
  );
  sweep(io, at);
  context.unclean = false;
  return written;
}

/** The state of every session. Where the archive is damaged it is read from the ledger, if that leads to the same
 * record; otherwise what can't be read is what the person accepts to lose. */
function recovered({ io, at, key }: WriteContext, head: Head): JsonObject {
  const { state, lost } = wholeState(io, at, head);
  if (!lost.length) return state;
  const { head: folded } = walkFromBase(io, at, recordKeys(key, readSeal(io, at, key)), segments(io, at));
  return folded?.hash === head.hash ? folded.state : state;
}

/** Where a person goes on when nothing can be trusted: above everything that claims to have been. */
function unauthenticHead({ io, at }: WriteContext, seen: Survey): { seq: number; hash: string } {
  const last = lastRecord(io, at);
  if (last && last.seq >= seen.claimedSeq) return last;
  return { seq: seen.claimedSeq, hash: seen.claimedSeq ? "0".repeat(64) : genesis(at.id) };
}
