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
import { asJson, conditionOf, stick } from "../state/condition.js";
import { archiveLost, wholeState } from "../state/session-archive.js";
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
  const { seq, hash } = seen.head!;
  const { state } = wholeState(io, at, seen.head!);
  const rebase = { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count };
  const content = { type: "repair", body: { findings: asJson(findings) } };
  const { head } = appendRecord(context, { head: seen.head, rebase }, content, true);
  sweep(io, at);
  context.unclean = false;
  return head;
}

function bring(context: WriteContext, seen: Survey, head: Head, findings: Finding[]): Head {
  if (seen.findings.length) {
    const { place, lost } = placeAfter(context, seen, head);
    const found = lost.length ? [...seen.findings, archiveLost(lost)] : seen.findings;
    const locked = seen.locked || lost.length > 0;
    findings.push(...found);
    const body = { findings: asJson(found), locked };
    const patch = stick(head.state, found, locked);
    return appendRecord(context, place, { type: "tamper", body, patch }, true).head;
  }
  if (seen.torn)
    return appendRecord(context, { head }, { type: "repair", body: { findings: asJson(findings) } }, true).head;
  if (seen.repair) rewriteAll(context, head, false).go();
  return head;
}

/** A base holds the slices of every session. */
function placeAfter({ io, at }: WriteContext, seen: Survey, head: Head): { place: AppendPlace; lost: string[] } {
  if (!seen.needsBase) return { place: { head }, lost: [] };
  const { seq, hash } = head;
  const { state, lost } = wholeState(io, at, head);
  const rebase = { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count };
  return { place: { head, rebase }, lost };
}

/** Files of archived sessions are missing or altered: recorded once, and locked until a person recovers. */
export function withoutArchive(context: WriteContext, head: Head, lost: string[], findings: Finding[]): Head {
  const found = archiveLost(lost);
  const { findings: kept, locked } = conditionOf(head.state, []);
  if (locked && kept.some(({ what }) => what === found.what)) return head;
  findings.push(found);
  const content = {
    type: "tamper",
    body: { findings: asJson([found]), locked: true },
    patch: stick(head.state, [found], true),
  };
  return appendRecord(context, { head }, content, true).head;
}

const nothingAuthentic = (seen: Survey): StoreLocked =>
  new StoreLocked(
    "nothing-authentic",
    `None of the files of this record is authentic. ${seen.findings.map((one) => one.what).join(" ")}`,
    "Put the files (or the key) back from a backup, or run `interlock recover --reason <text>` " +
      "to start over with a record of that.",
  );
