// Brings the files of a record that do not agree back into agreement, under the lock.
// Invariant: a crash is repaired quietly, an unfinished record is set aside and reported, everything else becomes a `tamper` record.

import { StoreLocked } from "../fault.js";
import { removeIfThere } from "../io.js";
import { readSeal } from "../key/seal.js";
import { segmentPath } from "../layout.js";
import { type Bench, commit, type Spot } from "../ledger/commit.js";
import { quarantine } from "../ledger/quarantine.js";
import type { Head } from "../signed-files.js";
import { asJson, stick } from "../state/condition.js";
import { anew } from "../state/update.js";
import type { Finding } from "../types.js";
import { type Survey, survey } from "./inspect.js";
import { type PowerCut, powerCut } from "./power-cut.js";
import { sweep } from "./sweep.js";

/** Adds to `findings` what it found. */
export function repair(bench: Bench, findings: Finding[]): Head | undefined {
  const { io, at, key } = bench;
  const seen = survey(io, at, key, bench.apart);
  if (seen.nothingAuthentic) throw nothingAuthentic(seen);
  const cut = seen.findings.length && seen.head && !seen.locked ? powerCut(bench, seen.head) : undefined;
  if (cut) return afterPowerCut(bench, seen, cut, findings);
  if (seen.torn) findings.push(quarantine(io, at, seen.torn, bench.nonce));
  if (!seen.needsBase) for (const stray of seen.strays) removeIfThere(io, segmentPath(at, stray));
  const head = seen.head && bring(bench, seen, seen.head, findings);
  sweep(io, at);
  bench.apart = false;
  return head;
}

/** A sealed record whose seal is gone goes on with the plain key, and says so. */
export function withSeal(bench: Bench, head: Head, findings: Finding[]): Head {
  if (readSeal(bench.io, bench.at, bench.key)) return head;
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
  return commit(bench, { head: unsealed, newSegment: true }, content, true).head;
}

function afterPowerCut(bench: Bench, seen: Survey, cut: PowerCut, findings: Finding[]): Head {
  const { io, at, nonce } = bench;
  findings.push(cut.finding);
  if (cut.torn) findings.push(quarantine(io, at, cut.torn, nonce));
  const { seq, hash, state } = seen.head!;
  const rebase = { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count };
  const content = { type: "repair", body: { findings: asJson(findings) } };
  const { head } = commit(bench, { head: seen.head, rebase }, content, true);
  sweep(io, at);
  bench.apart = false;
  return head;
}

function bring(bench: Bench, seen: Survey, head: Head, findings: Finding[]): Head {
  if (seen.findings.length) {
    findings.push(...seen.findings);
    const body = { findings: asJson(seen.findings), locked: seen.locked };
    const patch = stick(head.state, seen.findings, seen.locked);
    return commit(bench, spotFor(seen, head), { type: "tamper", body, patch }, true).head;
  }
  if (seen.torn) return commit(bench, { head }, { type: "repair", body: { findings: asJson(findings) } }, true).head;
  if (seen.repair) anew(bench, head, false).go();
  return head;
}

function spotFor(seen: Survey, head: Head): Spot {
  if (!seen.needsBase) return { head };
  const { seq, hash, state } = head;
  return { head, rebase: { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count } };
}

const nothingAuthentic = (seen: Survey): StoreLocked =>
  new StoreLocked(
    "nothing-authentic",
    `None of the files of this record is authentic. ${seen.findings.map((one) => one.what).join(" ")}`,
    "Put the files (or the key) back from a backup, or run `interlock recover --reason <text>` to start over with a record of that.",
  );
