// The contract of the record: what callers hand in, what they get back.
// Invariant: types only; nothing here runs.
import type { Clock, Instant } from "./clock.js";
import type { Io } from "./io.js";
import type { JsonObject } from "./state/merge-patch.js";

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

export interface Condition {
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
  condition: Condition;
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

export interface CommittedRecord {
  record: LedgerRecord;
  snapshot: Snapshot;
}

export interface Store {
  readonly place: StorePlace;
  /** The newest state. Takes no lock while the files agree; when they do not, settles them under the lock first. */
  read(): Snapshot;
  /** What this process read or wrote last, without a look at the disk: good for a judgement that is checked against `transact`'s snapshot. */
  recall(): Snapshot | undefined;
  /** Whether nothing was recorded since `recall`'s snapshot, as far as the ledger's files show. */
  isNewest(): boolean;
  /** Under the lock: hands out the newest snapshot, appends the draft, writes the snapshot. `undefined` from `build` writes nothing. */
  /** `recorded` is called as soon as the record counts, before everything else is brought up to it and the lock given back; it must not throw. */
  transact(
    build: (snapshot: Snapshot) => RecordDraft | undefined,
    deadlineMs?: number,
    recorded?: () => void,
  ): CommittedRecord | undefined;
  records(options?: { from?: number }): Iterable<LedgerRecord>;
  /** The newest record that carries this id. */
  find(id: string): LedgerRecord | undefined;
  /** The text a record refers to; undefined once erased. */
  text(record: LedgerRecord, name: string): string | undefined;
  /** Removes the texts of records older than `before`; the chain stays whole. Returns how many were removed. */
  eraseTexts(before: Date): number;
  /**
   * From now on every segment is signed with a key made from the last one, which is then destroyed. Returns the seed that verifies them all;
   * it is nowhere kept, so show it once and let the user store it elsewhere.
   */
  seal(): { seed: string; record: LedgerRecord };
  /** A person accepts what was found: records it and writes every file anew. */
  recover(reason: string, who: string): CommittedRecord;
}
