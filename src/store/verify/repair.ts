// Brings the files of a record that do not agree back into agreement, under the lock.
// Invariant: a crash is repaired silently, an unfinished record is set aside and reported, all else becomes a `tamper`
// record.

import { StoreLocked } from "../fault.js";
import { removeIfThere } from "../io.js";
import { readSeal } from "../key/seal.js";
import { segmentPath } from "../layout.js";
import { type AppendPlace, appendRecord, type WriteContext } from "../ledger/append-record.js";
import { quarantine } from "../ledger/quarantine.js";
import type { Head } from "../signed-files.js";
import { asJson, stick } from "../state/condition.js";
import { rewriteAll } from "../state/update.js";
import type { Finding } from "../types.js";
import { type Survey, survey } from "./inspect.js";
import { type PowerCut, powerCut } from "./power-cut.js";
import { sweep } from "./sweep.js";

/** Adds to `findings` what it found. */
export function repair(context: WriteContext, findings: Finding[]): Head | undefined {
  const { io, at, key } = context;
  const seen = survey(io, at, key, context.unclean);
  if (seen.nothingAuthentic) throw nothingAuthentic(seen);
  const cut = seen.findings.length && seen.head && !seen.locked ? powerCut(context, seen.head) : undefined;
  if (cut) return afterPowerCut(context, seen, cut, findings);
  if (seen.torn) findings.push(quarantine(io, at, seen.torn, context.nonce));
  if (!seen.needsBase) for (const stray of seen.strays) removeIfThere(io, segmentPath(at, stray));
  const head = seen.head && bring(context, seen, seen.head, findings);
  sweep(io, at);
  context.unclean = false;
  return head;
}

/** A sealed record whose seal is gone goes on with the plain key, and says so. */
export function withSeal(context: WriteContext, head: Head, findings: Finding[]): Head {
  if (readSeal(context.io, context.at, context.key)) return head;
  const what = "The seal of the record is missing or not authentic; records are signed with the plain key again.";
  const remedy = "Find out who did it, then run `interlock recover --reason <text>` and `interlock seal`.";
  const lost: Finding = { kind: "seal-missing", level: "tampering", what, remedy };
  findings.push(lost);
  const unsealed = { ...head, sealed: undefined };
  const content = {
    type: "tamper",
    body: { findings: asJson([lost]), locked: false },
    patch: stick(head.state, [lost], false),
  };
  return appendRecord(context, { head: unsealed, newSegment: true }, content, true).head;
}

function afterPowerCut(context: WriteContext, seen: Survey, cut: PowerCut, findings: Finding[]): Head {
  const { io, at, nonce } = context;
  findings.push(cut.finding);
  if (cut.torn) findings.push(quarantine(io, at, cut.torn, nonce));
  const { seq, hash, state } = seen.head!;
  const rebase = { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count };
  const content = { type: "repair", body: { findings: asJson(findings) } };
  const { head } = appendRecord(context, { head: seen.head, rebase }, content, true);
  sweep(io, at);
  context.unclean = false;
  return head;
}

function bring(context: WriteContext, seen: Survey, head: Head, findings: Finding[]): Head {
  if (seen.findings.length) {
    findings.push(...seen.findings);
    const body = { findings: asJson(seen.findings), locked: seen.locked };
    const patch = stick(head.state, seen.findings, seen.locked);
    return appendRecord(context, placeAfter(seen, head), { type: "tamper", body, patch }, true).head;
  }
  if (seen.torn)
    return appendRecord(context, { head }, { type: "repair", body: { findings: asJson(findings) } }, true).head;
  if (seen.repair) rewriteAll(context, head, false).go();
  return head;
}

function placeAfter(seen: Survey, head: Head): AppendPlace {
  if (!seen.needsBase) return { head };
  const { seq, hash, state } = head;
  return { head, rebase: { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count } };
}

const nothingAuthentic = (seen: Survey): StoreLocked =>
  new StoreLocked(
    "nothing-authentic",
    `None of the files of this record is authentic. ${seen.findings.map((one) => one.what).join(" ")}`,
    "Put the files (or the key) back from a backup, or run `interlock recover --reason <text>` " +
      "to start over with a record of that.",
  );
