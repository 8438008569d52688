// The record of one project, opened: read the newest state, append to it under the lock.
// Invariant: whoever reads gets a state that is authentic or is told that it is not; nothing is written without the lock.

import { sleep } from "../model/clock.js";
import { clockJump, systemClock } from "./clock.js";
import { asFault, StoreFault, StoreFull, StoreLocked } from "./fault.js";
import { exists, realIo } from "./io.js";
import { newSeal, writeSeal } from "./key/seal.js";
import { keyLost, keyPath, makeKey, readKey, recallKey } from "./key/signing-key.js";
import { layout } from "./layout.js";
import { type Bench, type Committed, type Content, commit } from "./ledger/commit.js";
import { genesis, type SigningKey } from "./ledger/frame.js";
import { findRecord, recordsFrom, segmentOf } from "./ledger/read-records.js";
import { freeReserve, keepReserve, reserveFindings } from "./ledger/reserve.js";
import { cleaned } from "./ledger/sanitise.js";
import { eraseTexts, readText } from "./ledger/side-texts.js";
import { isHeld, lockPath, takeLock, uncleanPath } from "./lock/lock.js";
import type { Head } from "./signed-files.js";
import { conditionOf } from "./state/condition.js";
import { headAtWork, ledgerUntouched, type Memory, nothingThere, quickHead } from "./state/head.js";
import type {
  CommittedRecord,
  Finding,
  LedgerRecord,
  RecordDraft,
  Snapshot,
  Store,
  StoreOptions,
  StorePlace,
} from "./types.js";
import { survey } from "./verify/inspect.js";
import { settle } from "./verify/open-check.js";
import { recover as recoverRecord } from "./verify/recover.js";
import { sweep, sweepEvery } from "./verify/sweep.js";

const defaultDeadline = 5_000;
const alwaysDurable = new Set(["override"]);

export function openStore(place: StorePlace, options: StoreOptions = {}): Store {
  const io = options.io ?? realIo;
  const clock = options.clock ?? systemClock;
  const segment = options.segment ?? { bytes: 4 * 1024 * 1024, records: 10_000 };
  const at = layout(place);
  const memory: Memory = {};

  return {
    place,
    read,
    recall: () => memory.known && memory.key && snapshot(memory.known.head, [...memory.key.findings]),
    isNewest: () => ledgerUntouched(io, at, memory),
    transact,
    recover,
    seal,
    records: (range) => recordsFrom(io, at, range?.from),
    find: (id) => findRecord(io, at, id),
    text: (record, name) => readText(io, at, segmentOf(io, at, record.seq), record, name),
    eraseTexts: erase,
  };

  function read(): Snapshot {
    try {
      const { key, findings } = (memory.key = recallKey(io, at.home, memory.key));
      const head = key && key !== "bad" ? headWithoutLock(key) : undefined;
      if (head) return snapshot(head, [...findings, ...reserveFindings(io, at)]);
      if (isFresh(key)) return snapshot(undefined, []);
    } catch (error) {
      throw asFault(error, "read", at.folder);
    }
    try {
      return underLock(defaultDeadline, firstKey, (bench, takenOver) => {
        const { head, findings } = settle(bench, takenOver);
        return snapshot(head, findings);
      });
    } catch (error) {
      if (error instanceof StoreFault && error.code === "newer-format") throw error;
      return unsettled(asFault(error, "settle", at.folder));
    }
  }

  /** Readers do not queue behind writers: while one is at work they look again, a few times. */
  function headWithoutLock(key: SigningKey): Head | undefined {
    for (let tries = 0; tries < 20; tries++) {
      const head = quickHead(io, at, key, memory);
      if (head) return head;
      const working = isHeld(io, at.folder, clock);
      const within = working ? headAtWork(io, at, key) : undefined;
      if (within) return within;
      if (!working && tries > 1) return undefined;
      if (working) sleep(1 + Math.random());
    }
    return undefined;
  }

  function transact(
    build: (snapshot: Snapshot) => RecordDraft | undefined,
    deadlineMs = defaultDeadline,
    recorded?: () => void,
  ): CommittedRecord | undefined {
    return underLock(deadlineMs, firstKey, (bench, takenOver) => {
      const { head, findings } = settle(bench, takenOver);
      const draft = build(snapshot(head, findings));
      if (!draft) return undefined;
      bench.recorded = recorded; // not before: settling may write records of its own
      const written = commitWithReserve(bench, head, cleaned(draft), syncs(draft));
      findings.push(...housekeeping(bench, written.record.seq));
      const jump = head && clockJump(head, written.record);
      if (jump !== undefined) findings.push(jumpFinding(jump, written.record.seq));
      return { record: written.record, snapshot: snapshot(written.head, findings) };
    });
  }

  /** Never fails the commit it follows: the record is written, and what is wrong shows when the next one is. */
  function housekeeping(bench: Bench, seq: number): Finding[] {
    try {
      const due = seq % sweepEvery === 0;
      if (due && !bench.apart) sweep(io, at);
      if (memory.reserve && !due) return [];
      const missing = keepReserve(io, at, bench.nonce);
      memory.reserve = missing.length === 0;
      return missing;
    } catch (error) {
      const { code, message, remedy } = asFault(error, "tidy", at.folder);
      return [{ kind: `store-${code}`, level: "degraded", what: message, remedy }];
    }
  }

  function commitWithReserve(bench: Bench, head: Head | undefined, what: Content, sync: boolean): Committed {
    try {
      return commit(bench, { head }, what, sync);
    } catch (error) {
      memory.reserve = false;
      if (!(error instanceof StoreFull) || bench.apart || !freeReserve(io, at)) throw error;
      return commit(bench, { head }, what, sync);
    }
  }

  function erase(before: Date): number {
    return underLock(defaultDeadline, firstKey, (bench, takenOver) => {
      const { head } = settle(bench, takenOver);
      const erased = eraseTexts(io, at, before, bench.nonce);
      if (erased) commit(bench, { head }, { type: "erase", body: { before: before.toISOString(), erased } }, true);
      return erased;
    });
  }

  function seal(): { seed: string; record: LedgerRecord } {
    return underLock(defaultDeadline, firstKey, (bench, takenOver) => {
      const settled = settle(bench, takenOver);
      if (settled.head?.sealed !== undefined) throw alreadySealed(settled.head.sealed);
      const head = settled.head ?? commit(bench, { head: undefined }, { type: "start", body: {} }, true).head;
      const fresh = newSeal(head.segment + 1);
      writeSeal(io, at, bench.key, fresh, bench.nonce);
      const spot = { head: { ...head, sealed: fresh.from }, newSegment: true } as const;
      const { record } = commit(bench, spot, { type: "seal", body: { from: fresh.from } }, true);
      return { seed: `${fresh.from}-${fresh.key.toString("hex")}`, record };
    });
  }

  function recover(reason: string, who: string): CommittedRecord {
    return underLock(defaultDeadline, newKey, (bench, takenOver) => {
      const { record, head } = recoverRecord(bench, takenOver, reason, who);
      return { record, snapshot: snapshot(head, bench.findings) };
    });
  }

  function underLock<T>(
    deadlineMs: number,
    missingKey: () => SigningKey,
    work: (bench: Bench, takenOver: boolean) => T,
  ): T {
    const lock = takeLock(io, at.folder, clock, deadlineMs);
    let bench: Bench | undefined;
    try {
      const { key, findings } = (memory.key = recallKey(io, at.home, memory.key));
      bench = {
        io,
        clock,
        at,
        segment,
        nonce: lock.nonce,
        key: key === "bad" || key === undefined ? missingKey() : key,
        memory,
        findings,
        apart: lock.takenOver,
      };
      return work(bench, lock.takenOver);
    } catch (error) {
      throw asFault(error, "write", at.folder);
    } finally {
      if (bench?.apart ?? lock.takenOver) lock.abandon();
      else lock.release();
    }
  }

  /** A key is made only where nothing was ever recorded. */
  function firstKey(): SigningKey {
    if (readKey(io, at.home) !== "bad" && !keyLost(io, at.home)) return makeKey(io, at.home);
    throw new StoreLocked(
      "key-missing",
      `The signing key ${keyPath(at.home)} is missing or damaged although records exist.`,
      "Put the key back from a backup, or run `interlock recover --reason <text>` to go on with a new one.",
    );
  }

  /** A person recovers: a damaged key is set aside, a new one made. */
  function newKey(): SigningKey {
    if (readKey(io, at.home) === "bad") io.renameSync(keyPath(at.home), `${keyPath(at.home)}.bad-${clock.wall()}`);
    return makeKey(io, at.home);
  }

  function isFresh(key: SigningKey | "bad" | undefined): boolean {
    return key !== "bad" && (key !== undefined || !keyLost(io, at.home)) && nothingThere(io, at);
  }

  function syncs(draft: RecordDraft): boolean {
    if (options.sync) return options.sync === "always" || (options.sync === "durable" && draft.durable === true);
    return draft.durable === true || alwaysDurable.has(draft.type);
  }

  /** Nothing could be written or locked: says what can be seen without. */
  function unsettled(fault: StoreFault): Snapshot {
    const key = readKey(io, at.home);
    const written = exists(io, lockPath(at.folder)) || exists(io, uncleanPath(at.folder));
    const seen = survey(io, at, key === "bad" ? undefined : key, written);
    const trouble: Finding = {
      kind: `store-${fault.code}`,
      level: "degraded",
      what: fault.message,
      remedy: fault.remedy,
    };
    const keyless: Finding[] =
      key === undefined || key === "bad" ? [{ ...trouble, kind: "key-missing", level: "tampering" }] : [trouble];
    const { condition, ...rest } = snapshot(seen.head, [...keyless, ...seen.findings]);
    const locked = condition.locked || seen.locked || seen.nothingAuthentic || key === undefined || key === "bad";
    return { ...rest, condition: { ...condition, locked } };
  }

  function snapshot(head: Head | undefined, findings: Finding[]): Snapshot {
    const state = head?.state ?? {};
    return { seq: head?.seq ?? 0, hash: head?.hash ?? genesis(at.id), state, condition: conditionOf(state, findings) };
  }
}

const alreadySealed = (from: number): StoreFault =>
  new StoreFault(
    "bad-record",
    `The record is sealed since segment ${from}.`,
    "Nothing needs to be done; the seed that was printed then verifies it.",
  );

const jumpFinding = (ms: number, seq: number): Finding => ({
  kind: "clock-jump",
  level: "notice",
  what: `The wall clock moved ${Math.round(ms / 1000)} s against the monotonic clock before record ${seq} (clock change or suspend).`,
  seq,
});
