// The record of one project: settles what it finds, then reads or appends.
// Invariant: whoever reads gets a state that is authentic or is told that it is not; nothing is written without the lock.
import { clockJump, systemClock } from "./clock.js";
import { type Bench, type Committed, type Content, commit, type Spot } from "./commit.js";
import { asFault, errno, StoreFault, StoreLocked } from "./fault.js";
import { type Head, stateBytes, writeMark } from "./files.js";
import { genesis, type SigningKey } from "./frame.js";
import { closeQuietly, listDir, openMaking, readRange, realIo, removeIfThere, replaceFile, writeAll } from "./io.js";
import { isObject, type JsonObject } from "./json.js";
import { keyExposed, keyLost, keyPath, makeKey, readKey } from "./key.js";
import { layout, segmentPath } from "./layout.js";
import { type Lock, takeLock, uncleanPath } from "./lock.js";
import { join } from "node:path";
import { findRecord, lastRecord, recordsFrom } from "./reading.js";
import { quickHead, type Survey, survey } from "./survey.js";
import type {
  CommittedRecord,
  Condition,
  Finding,
  RecordDraft,
  Snapshot,
  Store,
  StoreOptions,
  StorePlace,
} from "./types.js";
import { unacceptedDamage } from "./verify.js";

export const conditionSlice = "store/condition";
const defaultDeadline = 5_000;
const alwaysDurable = new Set(["tamper", "recover", "override", "erase", "repair"]);

export function openStore(place: StorePlace, options: StoreOptions = {}): Store {
  const io = options.io ?? realIo;
  const clock = options.clock ?? systemClock;
  const limit = options.segment ?? { bytes: 4 * 1024 * 1024, records: 10_000 };
  const at = layout(place);
  const syncs = (draft: { type: string; durable?: boolean }) =>
    options.sync === "always" ||
    (options.sync !== "never" && (draft.durable === true || alwaysDurable.has(draft.type)));

  interface Settled {
    head: Head | undefined;
    findings: Finding[];
  }

  return {
    place,
    read,
    transact,
    recover,
    records: (range) => recordsFrom(io, at, range?.from),
    find: (id) => findRecord(io, at, id),
  };

  function read(): Snapshot {
    try {
      const key = readKey(io, at.home);
      if (key && key !== "bad") {
        const head = quickHead(io, at, key);
        if (head) return snapshot(head, keyFindings());
      }
      if (isFresh(key)) return snapshot(undefined, []);
    } catch (error) {
      throw asFault(error, "read", at.folder);
    }
    try {
      return underLock(1_000, (lock, key) => {
        const { head, findings } = settle(bench(lock, key), lock);
        return snapshot(head, findings);
      });
    } catch (error) {
      if (error instanceof StoreFault && error.code === "newer-format") throw error;
      return unsettled(asFault(error, "settle", at.folder));
    }
  }

  function transact(
    build: (snapshot: Snapshot) => RecordDraft | undefined,
    deadlineMs = defaultDeadline,
  ): CommittedRecord | undefined {
    return underLock(deadlineMs, (lock, key) => {
      const desk = bench(lock, key);
      const { head, findings } = settle(desk, lock);
      const draft = build(snapshot(head, findings));
      if (!draft) return undefined;
      const written = append(desk, lock, { head }, content(draft), syncs(draft));
      const jump = head && clockJump(head, written.record);
      if (jump !== undefined) findings.push(jumpFinding(jump, written.record.seq));
      return { record: written.record, snapshot: snapshot(written.head, findings) };
    });
  }

  function recover(reason: string, who: string): CommittedRecord {
    return underLock(defaultDeadline, (lock, key) => {
      const desk = bench(lock, key ?? newKey(lock.nonce));
      const seen = survey(io, at, desk.key, lock.takenOver || wasUnclean());
      if (seen.torn) quarantine(desk, seen);
      const accepted = unacceptedDamage(io, at, desk.key) as unknown as JsonObject[];
      const { [conditionSlice]: _, ...state } = seen.head?.state ?? {};
      const from = seen.head ?? unauthenticHead(seen);
      const written = append(
        desk,
        lock,
        {
          head: seen.head,
          rebase: { base: { seq: from.seq, hash: from.hash, state }, segment: seen.nextSegment, count: seen.count },
        },
        { type: "recover", body: { reason, who, findings: seen.findings as unknown as JsonObject[], accepted } },
        true,
      );
      tidy();
      return { record: written.record, snapshot: snapshot(written.head, keyFindings()) };
    });
  }

  /** Where a person goes on when nothing can be trusted: above everything that claims to have been. */
  function unauthenticHead(seen: Survey): { seq: number; hash: string } {
    const last = lastRecord(io, at);
    if (last && last.seq >= seen.claimedSeq) return last;
    return { seq: seen.claimedSeq, hash: seen.claimedSeq ? "0".repeat(64) : genesis(at.id) };
  }

  function newKey(nonce: string): SigningKey {
    if (readKey(io, at.home) === "bad") io.renameSync(keyPath(at.home), `${keyPath(at.home)}.bad-${nonce}`);
    return makeKey(io, at.home);
  }

  function underLock<T>(deadlineMs: number, work: (lock: Lock, key: SigningKey | undefined) => T): T {
    const lock = takeLock(io, at.folder, clock, deadlineMs);
    try {
      const key = readKey(io, at.home);
      return work(lock, key === "bad" ? undefined : key);
    } catch (error) {
      throw asFault(error, "write", at.folder);
    } finally {
      lock.release();
    }
  }

  function bench(lock: Lock, key: SigningKey | undefined): Bench {
    return { io, clock, at, nonce: lock.nonce, segment: limit, key: key ?? firstKey() };
  }

  /** A key is made only where nothing was ever recorded. */
  function firstKey(): SigningKey {
    if (keyLost(io, at.home))
      throw new StoreLocked(
        "key-missing",
        `The signing key ${keyPath(at.home)} is missing although records exist.`,
        "Put the key back from a backup, or run `interlock recover --reason <text>` to go on with a new one.",
      );
    return makeKey(io, at.home);
  }

  function settle(desk: Bench, lock: Lock): Settled {
    const findings = keyFindings();
    const apart = lock.takenOver || wasUnclean();
    const head = quickHead(io, at, desk.key);
    if (head && !apart) return { head, findings };
    const seen = survey(io, at, desk.key, apart);
    if (seen.nothingAuthentic) throw nothingAuthentic(seen);
    if (seen.torn) findings.push(quarantine(desk, seen));
    if (!seen.head) return { head: undefined, findings };
    if (!seen.needsBase) for (const stray of seen.strays) removeIfThere(io, segmentPath(at, stray));
    let settled = seen.head;
    if (seen.findings.length) {
      findings.push(...seen.findings);
      settled = append(desk, lock, spotOf(seen), tamperContent(seen), true).head;
    } else if (seen.torn) {
      settled = append(
        desk,
        lock,
        { head: seen.head },
        { type: "repair", body: { findings: findings as unknown as JsonObject[] } },
        true,
      ).head;
    } else if (seen.repair) {
      const bytes = stateBytes(desk.key, at, settled);
      replaceFile(io, at.state, bytes, desk.nonce, false);
      replaceFile(io, at.backup, bytes, desk.nonce, false);
      writeMark(io, at, desk.key, settled, desk.nonce, false);
    }
    tidy();
    return { head: settled, findings };
  }

  function spotOf(seen: Survey): Spot {
    if (!seen.needsBase || !seen.head) return { head: seen.head };
    const { seq, hash, state } = seen.head;
    return { head: seen.head, rebase: { base: { seq, hash, state }, segment: seen.nextSegment, count: seen.count } };
  }

  function tamperContent(seen: Survey): Content {
    const before = stickyFindings(seen.head?.state);
    const findings = [...before, ...seen.findings].slice(-50) as unknown as JsonObject[];
    const locked = seen.locked || sticky(seen.head?.state)?.["locked"] === true;
    const body = { findings: seen.findings as unknown as JsonObject[], locked: seen.locked };
    return { type: "tamper", body, patch: { [conditionSlice]: { tampered: true, locked, findings } } };
  }

  function append(desk: Bench, lock: Lock, spot: Spot, what: Content, sync: boolean): Committed {
    const written = commit(desk, spot, what, sync);
    if (written.unclean) lock.abandon();
    return written;
  }

  function content(draft: RecordDraft): Content {
    const { type, host, session, agent, ids, body, patch } = draft;
    for (const key of Object.keys(patch ?? {}))
      if (key.startsWith("store/"))
        throw new StoreFault(
          "bad-record",
          `The patch touches ${key}, which belongs to the store.`,
          "This is a fault in the caller; report it.",
        );
    return { type, host, session, agent, ids, body, patch };
  }

  /** Moves an unfinished record out of the ledger: kept, reported, not accepted. */
  function quarantine(desk: Bench, seen: Survey): Finding {
    const { segment, start, seq } = seen.torn!;
    const path = segmentPath(at, segment);
    const rest = readRange(io, path, start, io.statSync(path).size);
    const aside = join(at.quarantine, `${String(segment).padStart(8, "0")}-${start}-${desk.nonce}.torn`);
    const copy = openMaking(io, aside, "wx");
    try {
      writeAll(io, copy, rest, aside);
      io.fsyncSync(copy);
    } finally {
      closeQuietly(io, copy);
    }
    const fd = io.openSync(path, "r+");
    try {
      io.ftruncateSync(fd, start);
    } finally {
      closeQuietly(io, fd);
    }
    return {
      kind: "torn-tail",
      level: "notice",
      what: `An unfinished record ${seq} (${rest.length} bytes) was moved to ${aside}.`,
      seq,
    };
  }

  function tidy(): void {
    removeIfThere(io, uncleanPath(at.folder));
    for (const name of listDir(io, at.folder)) {
      const pid = /^(?:state|lock)[^/]*\.(\d+)\.[0-9a-f]+\.tmp$/.exec(name)?.[1];
      if (pid && Number(pid) !== process.pid && !runs(Number(pid))) removeIfThere(io, join(at.folder, name));
    }
  }

  function wasUnclean(): boolean {
    try {
      io.statSync(uncleanPath(at.folder));
      return true;
    } catch (error) {
      if (errno(error) === "ENOENT") return false;
      throw error;
    }
  }

  function isFresh(key: SigningKey | "bad" | undefined): boolean {
    return key !== "bad" && (key !== undefined || !keyLost(io, at.home)) && survey(io, at, key, false).fresh;
  }

  function keyFindings(): Finding[] {
    try {
      if (!keyExposed(io, at.home)) return [];
    } catch (error) {
      if (errno(error) === "ENOENT") return [];
      throw error;
    }
    return [
      {
        kind: "key-exposed",
        level: "degraded",
        what: `The signing key ${keyPath(at.home)} can be read by other users.`,
        remedy: `chmod 600 ${keyPath(at.home)}`,
      },
    ];
  }

  /** Nothing could be written or locked: says what can be seen without. */
  function unsettled(fault: StoreFault): Snapshot {
    const key = readKey(io, at.home);
    const seen = survey(io, at, key === "bad" ? undefined : key, true);
    const trouble: Finding = {
      kind: `store-${fault.code}`,
      level: "degraded",
      what: fault.message,
      remedy: fault.remedy,
    };
    const keyGone: Finding[] =
      key === undefined || key === "bad"
        ? [
            {
              kind: key ? "key-altered" : "key-missing",
              level: "tampering",
              what: `The signing key ${keyPath(at.home)} is ${key ? "not a key" : "missing"}.`,
              remedy: "Put the key back from a backup, or run `interlock recover --reason <text>`.",
            },
          ]
        : [];
    const result = snapshot(seen.head, [...keyGone, ...seen.findings, trouble]);
    const locked = result.condition.locked || seen.locked || seen.nothingAuthentic || keyGone.length > 0;
    return { ...result, condition: { ...result.condition, locked } };
  }

  function nothingAuthentic(seen: Survey): StoreLocked {
    return new StoreLocked(
      "nothing-authentic",
      `None of the files of this record is authentic: ${seen.findings.map((one) => one.what).join(" ")}`,
      "Put the files (or the key) back from a backup, or run `interlock recover --reason <text>` to start over with a record of that.",
    );
  }

  function snapshot(head: Head | undefined, findings: Finding[]): Snapshot {
    return {
      seq: head?.seq ?? 0,
      hash: head?.hash ?? genesis(at.id),
      state: head?.state ?? {},
      condition: conditionOf(head?.state, findings),
    };
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errno(error) !== "ESRCH";
  }
}

const sticky = (state: JsonObject | undefined): JsonObject | undefined => {
  const slice = state?.[conditionSlice];
  return isObject(slice) ? slice : undefined;
};

const stickyFindings = (state: JsonObject | undefined): Finding[] => {
  const found = sticky(state)?.["findings"];
  return Array.isArray(found) ? (found as unknown as Finding[]) : [];
};

function conditionOf(state: JsonObject | undefined, live: Finding[]): Condition {
  const kept = stickyFindings(state);
  const findings = [
    ...kept,
    ...live.filter((one) => !kept.some((old) => old.kind === one.kind && old.what === one.what)),
  ];
  const tampered = findings.some((one) => one.level === "tampering");
  const degraded = findings.some((one) => one.level === "degraded");
  return { ok: !tampered && !degraded, tampered, locked: sticky(state)?.["locked"] === true, degraded, findings };
}

const jumpFinding = (ms: number, seq: number): Finding => ({
  kind: "clock-jump",
  level: "notice",
  what: `The wall clock moved ${Math.round(ms / 1000)} s against the monotonic clock before record ${seq} (clock change or suspend).`,
  seq,
});
