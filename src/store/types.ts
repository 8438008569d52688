// The contract of the record: what callers hand in, what they get back.
// Invariant: types only; nothing here runs.

import type { JsonObject } from "../model/json.js";
import type { Io } from "./io.js";
import type { Clock, Instant } from "./record-clock.js";
import type { LiveSessions } from "./state/session-archive.js";

export interface StorePlace {
  /** `$INTERLOCK_HOME`, else the user's state folder. */
  home: string;
  /** Identity of the repository: a short hash. */
  id: string;
  label?: string;
}

export interface StoreOptions {
  io?: Io;
  clock?: Clock;
  /** Which records are forced to disk before they count: those marked durable (default), all, or none. */
  sync?: "durable" | "always" | "never";
  /** When a segment is full. */
  segment?: { bytes: number; records: number };
  /** Which sessions stay in the snapshot. */
  live?: LiveSessions;
}

export type FindingLevel = "tampering" | "degraded" | "notice";

export interface Finding {
  kind: string;
  level: FindingLevel;
  /** One sentence for people. */
  what: string;
  remedy?: string;
  seq?: number;
}

export interface RecordCondition {
  ok: boolean;
  tampered: boolean;
  /** The state is not known up to the high-water mark: gates must not open. */
  locked: boolean;
  degraded: boolean;
  findings: Finding[];
}

export interface Snapshot {
  seq: number;
  hash: string;
  /** Slices by key. Shared: treat it as read-only. */
  state: JsonObject;
  condition: RecordCondition;
  /** Keys of slices of sessions that have not changed since this moment (epoch ms): of those in the snapshot and of
   * archived ones kept beside the session that was asked for. */
  silentSlices(before: number): string[];
}

export interface RecordDraft {
  /** "event", "override", "fault", ... ; "tamper", "recover" and "erase" are written by the store itself. */
  type: string;
  host?: string;
  session?: string;
  agent?: string;
  /** Names the record can be found by, such as verdict ids. */
  ids?: string[];
  body: JsonObject;
  /** JSON merge patch (RFC 7386) onto the state. Keys under `store/` belong to the store. */
  patch?: JsonObject;
  /** Texts kept beside the ledger, erasable later; the record holds their salted digests. */
  texts?: Record<string, string>;
  /** Words the patch refers to by their mark; kept beside the ledger and erasable, too. */
  words?: Readonly<Record<string, string>>;
  /** Force to disk before it counts. */
  durable?: boolean;
}

export interface TextDigest {
  digest: string;
  bytes: number;
}

/** Where a record that cannot follow the line before it starts from. */
export interface Base {
  seq: number;
  hash: string;
  state: JsonObject;
}

export interface LedgerRecord extends Instant {
  v: number;
  seq: number;
  pid: number;
  type: string;
  host?: string;
  session?: string;
  agent?: string;
  ids?: string[];
  body: JsonObject;
  patch?: JsonObject;
  texts?: Record<string, TextDigest>;
  /** How many secrets were taken out before writing. */
  redacted?: number;
  base?: Base;
  /** Name of the key the mac was made with. */
  key: string;
  prev: string;
  hash: string;
  mac: string;
}

export interface AppendedRecord {
  record: LedgerRecord;
  snapshot: Snapshot;
}

/** A record that is in the ledger: it counts, whatever happens next. */
export interface UnfinishedRecord {
  seq: number;
  finish(): AppendedRecord;
}

export interface Erasure {
  /** Older than this. */
  before?: Date;
  session?: string;
  /** Holding one of these texts. */
  matching?: readonly string[];
  /** Only count. */
  dryRun?: boolean;
}

export interface Erased {
  texts: number;
  words: number;
  /** Slices of the state. */
  slices: number;
  bytes: number;
}

export interface Store {
  readonly place: StorePlace;
  /**
   * The newest state. Takes no lock while the files agree; when they do not, repairs them under the lock first.
   * With `session` it may lack the slices of other sessions, so that its cost does not depend on their number.
   */
  read(session?: string): Snapshot;
  /**
   * Takes the lock (waiting at most `waitMs`), calls `build` with the newest snapshot, appends the draft it returns
   * and updates the state files. When it returns, the ledger holds the record and the lock is free.
   * Nothing is written when `build` returns undefined or throws. `session`: as in `read`.
   */
  append(
    build: (newest: Snapshot) => RecordDraft | undefined,
    waitMs?: number,
    session?: string,
  ): AppendedRecord | undefined;
  /**
   * The same up to the record's line in the ledger. The lock stays taken until `finish` has updated the state files;
   * the next use of the store by this process finishes it if nobody did.
   */
  appendUnfinished(
    build: (newest: Snapshot) => RecordDraft | undefined,
    waitMs?: number,
    session?: string,
  ): UnfinishedRecord | undefined;
  records(options?: { from?: number }): Iterable<LedgerRecord>;
  /** The newest record that carries this id. */
  find(id: string): LedgerRecord | undefined;
  /** The text a record refers to; undefined once erased. */
  text(record: LedgerRecord, name: string): string | undefined;
  /** A word for the state that can be compared with itself and not read: a keyed hash, 16 characters.
   * `toBeKept`: makes the key where nothing was ever recorded (default). */
  mask(word: string, toBeKept?: boolean): string;
  /** The words behind the marks of the state, without the erased ones. */
  words(): ReadonlyMap<string, string>;
  /** Removes texts, kept words and the state of sessions; the chain stays whole. What is given must all hold. */
  erase(what: Erasure): Erased;
  /**
   * From now on every segment is signed with a key derived from the last one, which is then destroyed. Returns the seed
   * that verifies them all;
   * it is nowhere kept, so show it once and let the user store it elsewhere.
   */
  seal(): { seed: string; record: LedgerRecord };
  /**
   * Compresses closed segments, at most `most` of them, oldest first; with `close` the newest is closed before. Each is
   * there in one form at every moment. Returns how many were compressed.
   */
  compact(most: number, close?: boolean): number;
  /** A person accepts what was found: records it and writes every file rewriteAll. */
  recover(reason: string, who: string): AppendedRecord;
}
