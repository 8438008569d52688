// The record of one project: read the newest state, append to the ledger under the lock.
// Invariant: a reader gets a state that is authentic or learns that it is not; nothing is written without the lock.
// When an append returns, the ledger holds the record; `finish` updates the other files and releases the lock.
import { randomBytes } from "node:crypto";
import { sleep } from "../model/clock.js";
import type { JsonObject } from "../model/json.js";
import { limits } from "../model/limits.js";
import { eraseKept } from "./erase-kept.js";
import { asFault, StoreFault, StoreFull, StoreLocked } from "./fault.js";
import { exists, type Io, realIo } from "./io.js";
import { keepWords, readWords } from "./kept-words.js";
import { newSeal, writeSeal } from "./key/seal.js";
import { keyLost, keyPath, makeKey, readKey, recallKey } from "./key/signing-key.js";
import { type Layout, layout, segmentPath, segments } from "./layout.js";
import {
  type AppendedLine,
  appendLine,
  appendRecord,
  type RecordContent,
  type WriteContext,
} from "./ledger/append-record.js";
import { compactSegments } from "./ledger/compact.js";
import { genesis, hmac, type SigningKey } from "./ledger/frame.js";
import { findRecord, recordsFrom } from "./ledger/read-records.js";
import { freeReserve, keepReserve, reserveFindings } from "./ledger/reserve.js";
import { cleaned } from "./ledger/sanitise.js";
import { packTexts, placePacked, TextReader } from "./ledger/side-texts.js";
import { withBodyText } from "./ledger/whole-record.js";
import { isHeld, lockPath, takeLock, uncleanPath } from "./lock/lock.js";
import { type Clock, clockJump, systemClock } from "./record-clock.js";
import type { Head } from "./signed-files.js";
import { conditionOf } from "./state/condition.js";
import { headDuringWrite, nothingThere, quickHead, type StoreCache } from "./state/head.js";
import { HiddenWords } from "./state/hidden-words.js";
import { type Brought, bringSessions, sessionsIn, silentSlices, wholeState } from "./state/session-archive.js";
import type {
  AppendedRecord,
  Erased,
  Erasure,
  Finding,
  LedgerRecord,
  RecordDraft,
  Snapshot,
  Store,
  StoreOptions,
  StorePlace,
  UnfinishedRecord,
} from "./types.js";
import { survey } from "./verify/inspect.js";
import { checkedHead } from "./verify/open-check.js";
import { recover as recoverRecord } from "./verify/recover.js";
import { withoutArchive } from "./verify/repair.js";
import { sweep, sweepEvery } from "./verify/sweep.js";

/** Records of this process that wait for their `finish`, by folder. They hold the lock of that folder. */
const unfinished = new Map<string, () => void>();

type Seen = Pick<Brought, "lost" | "beside"> & Pick<Head, "state"> & { session?: string };

interface Locked {
  context: WriteContext;
  takenOver: boolean;
  release(): void;
}

const alwaysDurable = new Set(["override"]);

export const openStore = (place: StorePlace, options: StoreOptions = {}): Store => new FileStore(place, options);

class FileStore implements Store {
  readonly #io: Io;
  readonly #clock: Clock;
  readonly #at: Layout;
  readonly #cache: StoreCache = {};
  readonly #hidden: HiddenWords;
  #noKey?: SigningKey;

  constructor(
    readonly place: StorePlace,
    private readonly options: StoreOptions,
  ) {
    this.#io = options.io ?? realIo;
    this.#clock = options.clock ?? systemClock;
    this.#at = layout(place);
    this.#hidden = new HiddenWords(this.#io, this.#at);
  }

  read(session?: string): Snapshot {
    unfinished.get(this.#at.folder)?.();
    try {
      const { key, findings } = this.#key();
      // Between reading the snapshot and a file it names, a writer may have replaced both.
      for (let tries = 0; tries < 3; tries++) {
        const head = key && key !== "bad" ? this.#headWithoutLock(key) : undefined;
        const seen = head && this.#seenBy(head, session);
        if (seen && (!seen.lost.length || conditionOf(head.state, []).locked))
          return this.#snapshot(head, [...findings, ...reserveFindings(this.#io, this.#at)], seen);
        if (!seen) break;
      }
      if (this.#isFresh(key)) return this.#snapshot(undefined, []);
    } catch (error) {
      throw asFault(error, "read", this.#at.folder);
    }
    try {
      return this.#underLock(limits.lock, this.#firstKey, (context, takenOver) => {
        const { head, findings, seen } = this.#checked(context, takenOver, session);
        return this.#snapshot(head, findings, seen);
      });
    } catch (error) {
      if (error instanceof StoreFault && error.code === "newer-format") throw error;
      return this.#readUnrepaired(asFault(error, "repair", this.#at.folder));
    }
  }

  append(
    build: (newest: Snapshot) => RecordDraft | undefined,
    waitMs?: number,
    session?: string,
  ): AppendedRecord | undefined {
    return this.appendUnfinished(build, waitMs, session)?.finish();
  }

  appendUnfinished(
    build: (newest: Snapshot) => RecordDraft | undefined,
    waitMs: number = limits.lock,
    session?: string,
  ): UnfinishedRecord | undefined {
    const locked = this.#lock(waitMs, this.#firstKey);
    try {
      const { head, findings, seen } = this.#checked(locked.context, locked.takenOver, session);
      const draft = build(this.#snapshot(head, findings, seen));
      if (draft) {
        this.#keepWords(draft, locked.context);
        const content = cleaned(draft);
        // A patch continues what its sessions had, whoever wrote it.
        const from = head && bringSessions(this.#io, this.#at, head, sessionsIn(content.patch)).head;
        const line = this.#appendWithReserve(locked.context, from, content, this.#syncs(draft));
        return { seq: line.seq, finish: this.#finisher(locked, line, head, findings) };
      }
    } catch (error) {
      locked.release();
      throw asFault(error, "write", this.#at.folder);
    }
    locked.release();
    return undefined;
  }

  /** A word that can't be written is a word less to show; the record is written all the same. */
  #keepWords({ words, session }: RecordDraft, { nonce }: WriteContext): void {
    if (!words || !Object.keys(words).length) return;
    const at = new Date(this.#clock.wall()).toISOString();
    try {
      keepWords(this.#io, this.#at.folder, words, { at, ...(session && { session }), nonce });
    } catch (error) {
      if (!(error instanceof StoreFault) && (error as NodeJS.ErrnoException).code === undefined) throw error;
    }
  }

  /** Updates the state files and releases the lock, once. */
  #finisher({ context, release }: Locked, line: AppendedLine, before: Head | undefined, findings: Finding[]) {
    let done: AppendedRecord | undefined;
    const finish = (): AppendedRecord => {
      if (done) return done;
      unfinished.delete(this.#at.folder);
      try {
        const { record, head } = line.finish();
        findings.push(...this.#housekeeping(context, record.seq));
        const jump = before && clockJump(before, record);
        if (jump !== undefined) findings.push(jumpFinding(jump, record.seq));
        done = { record, snapshot: this.#snapshot(head, findings) };
        return done;
      } catch (error) {
        throw asFault(error, "write", this.#at.folder);
      } finally {
        release();
      }
    };
    unfinished.set(this.#at.folder, finish);
    return finish;
  }

  *records(range?: { from?: number }): Iterable<LedgerRecord> {
    const texts = this.#texts();
    for (const record of recordsFrom(this.#io, this.#at, range?.from))
      yield this.#withPatchWords(withBodyText(record, texts));
  }

  find(id: string): LedgerRecord | undefined {
    const record = findRecord(this.#io, this.#at, id);
    return record && this.#withPatchWords(withBodyText(record, this.#texts()));
  }

  /** The words of the patch are read when they are first asked for. */
  #withPatchWords(record: LedgerRecord): LedgerRecord {
    const { patch } = record;
    if (!patch) return record;
    let shown: JsonObject | undefined;
    return Object.defineProperty(record, "patch", {
      get: () => (shown ??= this.#hidden.show(patch)),
      enumerable: true,
    });
  }

  text(record: LedgerRecord, name: string): string | undefined {
    return this.#texts()().text(record, name);
  }

  #texts(): () => TextReader {
    let reader: TextReader | undefined;
    return () => (reader ??= new TextReader(this.#io, this.#at));
  }

  mask(word: string, toBeKept = true): string {
    const known = this.#key().key;
    const key = known === undefined && toBeKept && this.#isFresh(known) ? makeKey(this.#io, this.#at.home) : known;
    // Without a key such a word matches nothing later.
    const signer = key && key !== "bad" ? key : (this.#noKey ??= { id: "", bytes: randomBytes(32) });
    return hmac(signer, `interlock-word\n${this.#at.id}\n`, word).slice(0, 16);
  }

  words(): ReadonlyMap<string, string> {
    return readWords(this.#io, this.#at.folder);
  }

  erase(what: Erasure): Erased {
    return this.#underLock(limits.lock, this.#firstKey, (context, takenOver) =>
      eraseKept(context, checkedHead(context, takenOver).head, what, this.#hidden),
    );
  }

  seal(): { seed: string; record: LedgerRecord } {
    return this.#underLock(limits.lock, this.#firstKey, (context, takenOver) => {
      const found = checkedHead(context, takenOver).head;
      if (found?.sealed !== undefined) throw alreadySealed(found.sealed);
      const head = found ?? appendRecord(context, { head: undefined }, { type: "start", body: {} }, true).head;
      const fresh = newSeal(head.segment + 1);
      writeSeal(this.#io, this.#at, context.key, fresh, context.nonce);
      const place = { head: { ...head, sealed: fresh.from }, newSegment: true } as const;
      const { record } = appendRecord(context, place, { type: "seal", body: { from: fresh.from } }, true);
      return { seed: `${fresh.from}-${fresh.key.toString("hex")}`, record };
    });
  }

  compact(most: number, close = false): number {
    const plain = segments(this.#io, this.#at).filter((n) => exists(this.#io, segmentPath(this.#at, n)));
    if (plain.length < 2 && !close) return 0;
    const last = this.#underLock(limits.lock, this.#firstKey, (context, takenOver) => {
      const { head } = checkedHead(context, takenOver);
      if (!head || !close || head.lines < 2) return head?.segment ?? 0;
      return appendRecord(context, { head, newSegment: true }, { type: "close", body: {} }, true).head.segment;
    });
    // Texts first: whoever dies in between leaves a plain segment, and the next one finishes. One file more than
    // segments, so that those left behind get done in time.
    for (const texts of packTexts(this.#io, this.#at, last, most + 1))
      this.#underLock(limits.lock, this.#firstKey, ({ nonce }) => placePacked(this.#io, texts, nonce));
    return compactSegments(this.#io, this.#at, last, most);
  }

  recover(reason: string, who: string): AppendedRecord {
    return this.#underLock(limits.lock, this.#newKey, (context, takenOver) => {
      const { record, head } = recoverRecord(context, takenOver, reason, who);
      return { record, snapshot: this.#snapshot(head, context.findings) };
    });
  }

  /** The files agree, and so do those of the sessions that are wanted; damage there is recorded first. */
  #checked(context: WriteContext, takenOver: boolean, session: string | undefined) {
    const { head, findings } = checkedHead(context, takenOver);
    const seen = head && this.#seenBy(head, session);
    if (!seen?.lost.length) return { head, findings, seen };
    return { head: withoutArchive(context, head!, seen.lost, findings), findings, seen };
  }

  /** What a caller sees: the slices of one session, or of all. */
  #seenBy(head: Head, session: string | undefined): Seen {
    if (session === undefined) return { ...wholeState(this.#io, this.#at, head), beside: {} };
    const { head: brought, lost, beside } = bringSessions(this.#io, this.#at, head, [session]);
    return { state: brought.state, lost, beside, session };
  }

  /** Readers do not queue behind writers: while one is writing they try again, a few times. */
  #headWithoutLock(key: SigningKey): Head | undefined {
    for (let tries = 0; tries < 20; tries++) {
      const head = quickHead(this.#io, this.#at, key, this.#cache);
      if (head) return head;
      const writing = isHeld(this.#io, this.#at.folder, this.#clock);
      const during = writing ? headDuringWrite(this.#io, this.#at, key) : undefined;
      if (during) return during;
      if (!writing && tries > 1) return undefined;
      if (writing) sleep(1 + Math.random());
    }
    return undefined;
  }

  /** Never fails the append it follows: the record is written, and the next append reports what is wrong. */
  #housekeeping(context: WriteContext, seq: number): Finding[] {
    try {
      const due = seq % sweepEvery === 0;
      if (due && !context.unclean) sweep(this.#io, this.#at);
      if (this.#cache.reserve && !due) return [];
      const missing = keepReserve(this.#io, this.#at, context.nonce);
      this.#cache.reserve = missing.length === 0;
      return missing;
    } catch (error) {
      const { code, message, remedy } = asFault(error, "tidy", this.#at.folder);
      return [{ kind: `store-${code}`, level: "degraded", what: message, remedy }];
    }
  }

  #appendWithReserve(context: WriteContext, head: Head | undefined, what: RecordContent, sync: boolean): AppendedLine {
    const append = () => appendLine(context, { head }, this.#withHiddenWords(context, head, what), sync);
    try {
      return append();
    } catch (error) {
      this.#cache.reserve = false;
      if (!(error instanceof StoreFull) || context.unclean || !freeReserve(this.#io, this.#at)) throw error;
      return append();
    }
  }

  #withHiddenWords({ nonce }: WriteContext, head: Head | undefined, what: RecordContent): RecordContent {
    if (!what.patch) return what;
    const about = { at: new Date(this.#clock.wall()).toISOString(), nonce, sync: this.options.sync !== "never" };
    const patch = this.#hidden.hide(what.patch, head?.state ?? {}, about);
    return { ...what, patch, written: { ...what.written, patch: undefined } };
  }

  #underLock<T>(
    waitMs: number,
    missingKey: () => SigningKey,
    work: (context: WriteContext, takenOver: boolean) => T,
  ): T {
    const { context, takenOver, release } = this.#lock(waitMs, missingKey);
    try {
      return work(context, takenOver);
    } catch (error) {
      throw asFault(error, "write", this.#at.folder);
    } finally {
      release();
    }
  }

  #lock(waitMs: number, missingKey: () => SigningKey): Locked {
    unfinished.get(this.#at.folder)?.();
    const lock = takeLock(this.#io, this.#at.folder, this.#clock, waitMs);
    try {
      const { key, findings } = this.#key();
      const context: WriteContext = {
        io: this.#io,
        clock: this.#clock,
        at: this.#at,
        segment: this.options.segment ?? { bytes: 1024 * 1024, records: 10_000 },
        live: this.options.live,
        nonce: lock.nonce,
        key: key === "bad" || key === undefined ? missingKey() : key,
        cache: this.#cache,
        findings,
        unclean: lock.takenOver,
      };
      const release = () => (context.unclean ? lock.abandon() : lock.release());
      return { context, takenOver: lock.takenOver, release };
    } catch (error) {
      if (lock.takenOver) lock.abandon();
      else lock.release();
      throw asFault(error, "write", this.#at.folder);
    }
  }

  #key() {
    return (this.#cache.key = recallKey(this.#io, this.#at.home, this.#cache.key));
  }

  /** A key is made only where nothing was ever recorded. */
  readonly #firstKey = (): SigningKey => {
    const { home } = this.#at;
    if (readKey(this.#io, home) !== "bad" && !keyLost(this.#io, home)) return makeKey(this.#io, home);
    throw new StoreLocked(
      "key-missing",
      `The signing key ${keyPath(home)} is missing or damaged although records exist.`,
      "Put the key back from a backup, or run `interlock recover --reason <text>` to go on with a new one.",
    );
  };

  /** For `recover`: a damaged key is set aside and a new one made. */
  readonly #newKey = (): SigningKey => {
    const path = keyPath(this.#at.home);
    if (readKey(this.#io, this.#at.home) === "bad") this.#io.renameSync(path, `${path}.bad-${this.#clock.wall()}`);
    return makeKey(this.#io, this.#at.home);
  };

  #isFresh(key: SigningKey | "bad" | undefined): boolean {
    if (key === "bad" || (key === undefined && keyLost(this.#io, this.#at.home))) return false;
    return nothingThere(this.#io, this.#at);
  }

  #syncs(draft: RecordDraft): boolean {
    const { sync } = this.options;
    if (sync) return sync === "always" || (sync === "durable" && draft.durable === true);
    return draft.durable === true || alwaysDurable.has(draft.type);
  }

  /** The files could not be locked or repaired: what can be read without. */
  #readUnrepaired(fault: StoreFault): Snapshot {
    const key = readKey(this.#io, this.#at.home);
    const usable = key === "bad" ? undefined : key;
    const { folder } = this.#at;
    const written = exists(this.#io, lockPath(folder)) || exists(this.#io, uncleanPath(folder));
    const seen = survey(this.#io, this.#at, usable, written);
    const trouble: Finding = {
      kind: `store-${fault.code}`,
      level: "degraded",
      what: fault.message,
      remedy: fault.remedy,
    };
    const first: Finding = usable ? trouble : { ...trouble, kind: "key-missing", level: "tampering" };
    const { condition, ...rest } = this.#snapshot(seen.head, [first, ...seen.findings]);
    const locked = condition.locked || seen.locked || seen.nothingAuthentic || !usable;
    return { ...rest, condition: { ...condition, locked } };
  }

  #snapshot(head: Head | undefined, findings: Finding[], seen?: Seen): Snapshot {
    const hash = head?.hash ?? genesis(this.#at.id);
    const condition = conditionOf(head?.state ?? {}, findings);
    const slices = (before: number) => (head ? silentSlices(head, seen?.beside ?? {}, before) : []);
    const words = this.#hidden;
    let state: JsonObject | undefined;
    return {
      seq: head?.seq ?? 0,
      hash,
      get state() {
        return (state ??= words.show(seen?.state ?? head?.state ?? {}, seen?.session));
      },
      condition,
      silentSlices: slices,
    };
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
  what:
    `The wall clock moved ${Math.round(ms / 1000)} s against the monotonic clock before record ${seq} ` +
    "(clock change or suspend).",
  seq,
});
