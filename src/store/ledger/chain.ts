// The hash chain as a verifier walks it: names what is damaged and finds its way back into step.
// Invariant: the first damage named is the first position at which the ledger is not what was written.

import { isObject, type JsonObject } from "../../model/json.js";
import { sha256 } from "../../model/sha256.js";
import type { RecordKeys } from "../key/seal.js";
import type { Layout } from "../layout.js";
import { clockJump } from "../record-clock.js";
import { foldInto } from "../state/merge-patch.js";
import type { Finding, LedgerRecord } from "../types.js";
import type { Anchor } from "../verify/checkpoints.js";
import { checkLine } from "./check-line.js";
import { genesis, type Problem } from "./frame.js";
import type { RawLine } from "./line-reader.js";

export interface Damage {
  /** The record that should stand there. */
  seq: number;
  segment: number;
  start: number;
  problem: Problem["problem"] | "gap" | "tamper-record" | "foreign-key" | "anchor";
  what: string;
  /** SHA-256 of the line as it stands, so that a person can accept exactly this damage. */
  digest: string;
}

const listed = 1_000;

/** The chain as far as it has been read. */
export class Chain {
  records = 0;
  good = 0;
  damage: Damage[] = [];
  damageCount = 0;
  accepted = 0;
  /** Newest checkpoint outside the record that a record here agrees with. */
  anchored: Anchor | undefined;
  /** An unfinished record at the very end. */
  torn: Damage | undefined;
  notices: Finding[] = [];
  last: LedgerRecord | undefined;
  /** Segments that need not continue the numbering: a record in them starts from a base. */
  readonly based = new Set<number>();
  /** The segment of the newest `recover` record: a person has accepted what lies before it. */
  acceptedUpTo = 0;
  state: JsonObject | undefined = {};
  private next: { seq: number; prev: string | undefined };
  /** Set after a line that stood in the wrong place: the chain may go on from it instead. */
  private other: { seq: number; prev: string } | undefined;
  private foreign: Damage | undefined;

  constructor(
    private readonly at: Layout,
    private readonly keys: RecordKeys,
    private readonly anchors: ReadonlyMap<number, Anchor> = new Map(),
    /** Called with each authentic record in its place. */
    private readonly placed?: (segment: number, record: LedgerRecord) => void,
  ) {
    this.next = { seq: 1, prev: genesis(at.id) };
  }

  take(segment: number, line: RawLine, lastSegment: boolean): void {
    this.records++;
    if (!line.whole) {
      this.unfinished(segment, line, lastSegment);
      return;
    }
    if (line.damaged) {
      this.bad(segment, line, "frame", line.damaged);
      return;
    }
    const key = this.keys(segment);
    const checked = checkLine(line.bytes, this.at.id, key, undefined);
    const record = checked.record;
    const foreign = "problem" in checked && checked.problem === "key" && !key?.sealed && record;
    if ("problem" in checked && !foreign) {
      this.bad(segment, line, checked.problem, checked.what);
      return;
    }
    if (foreign)
      this.foreign ??= this.name(segment, line, "foreign-key", `was signed with another key (${record!.key})`);
    else this.foreign = undefined;
    this.place(segment, line, record!);
  }

  /** Puts an authentic record where it claims to stand. */
  private place(segment: number, line: RawLine, record: LedgerRecord): void {
    const here = this.fits(record, this.next)
      ? this.next
      : this.other && this.fits(record, this.other)
        ? this.other
        : undefined;
    if (!here && !this.jumps(record)) {
      this.bad(
        segment,
        line,
        record.seq === this.next.seq ? "prev" : "seq",
        record.seq === this.next.seq
          ? "does not follow from the record before it"
          : `record ${record.seq} stands where ${this.next.seq} belongs`,
      );
      this.other = { seq: record.seq + 1, prev: record.hash };
      return;
    }
    if (record.base && (record.base.seq >= this.next.seq || (this.next.prev && record.base.hash !== this.next.prev))) {
      const what = `records ${this.next.seq} to ${record.base.seq} are missing`;
      if (record.type === "repair" && record.base.seq >= this.next.seq)
        this.notices.push({ kind: "power-cut", level: "notice", what: `${what} since a power cut`, seq: record.seq });
      else this.name(segment, line, "gap", what, true);
    }
    const anchor = this.anchors.get(record.seq);
    if (anchor && !record.hash.startsWith(anchor.hash))
      this.name(segment, line, "anchor", `is not the record that ${anchor.where} vouches for`, true);
    else if (anchor) this.anchored = anchor;
    if (record.type === "tamper") this.name(segment, line, "tamper-record", "reports tampering", true);
    if (record.base) this.based.add(segment);
    if (record.type === "recover") {
      this.accept(record);
      this.acceptedUpTo = segment;
    }
    this.good++;
    this.placed?.(segment, record);
    const jump = this.last && clockJump(this.last, record);
    if (jump !== undefined && this.notices.length < listed)
      this.notices.push({
        kind: "clock-jump",
        level: "notice",
        what: `The wall clock moved ${Math.round(jump / 1000)} s before record ${record.seq}.`,
        seq: record.seq,
      });
    if (record.base) this.state = record.base.state;
    if (this.state && record.patch) foldInto(this.state, record.patch);
    this.last = record;
    this.next = { seq: record.seq + 1, prev: record.hash };
    this.other = undefined;
  }

  private fits(record: LedgerRecord, spot: { seq: number; prev: string | undefined }): boolean {
    return record.seq === spot.seq && (spot.prev === undefined || record.prev === spot.prev);
  }

  /** A record with a base may start above what is there; never below. */
  private jumps(record: LedgerRecord): boolean {
    return (
      record.base !== undefined &&
      record.seq === record.base.seq + 1 &&
      record.prev === record.base.hash &&
      record.seq >= this.next.seq
    );
  }

  private bad(segment: number, line: RawLine, problem: Damage["problem"], what: string): void {
    this.name(segment, line, problem, what, true);
    this.state = undefined;
    this.next = { seq: this.next.seq + 1, prev: undefined };
  }

  private name(segment: number, line: RawLine, problem: Damage["problem"], what: string, count = false): Damage {
    const one: Damage = { seq: this.next.seq, segment, start: line.start, problem, what, digest: sha256(line.bytes) };
    if (count) this.add(one);
    return one;
  }

  add(one: Damage): void {
    this.damageCount++;
    if (this.damage.length < listed) this.damage.push(one);
  }

  /** A person accepted the damage listed by digest, and every gap and tampering reported so far. */
  private accept(record: LedgerRecord): void {
    const list = record.body["accepted"];
    const digests = new Set(
      Array.isArray(list) ? list.filter(isObject).map((one) => `${one["seq"]} ${one["digest"]}`) : [],
    );
    const left = this.damage.filter(
      (one) => one.problem !== "gap" && one.problem !== "tamper-record" && !digests.has(`${one.seq} ${one.digest}`),
    );
    this.accepted += this.damage.length - left.length;
    this.damageCount -= this.damage.length - left.length;
    this.damage = left;
  }

  private unfinished(segment: number, line: RawLine, lastSegment: boolean): void {
    const what = "ends in the middle of a record";
    if (lastSegment) this.torn = this.name(segment, line, "torn", what);
    else this.bad(segment, line, "frame", what);
  }

  /** Records of another key are vouched for by a later one of ours; at the very end nothing vouches for them. */
  end(): void {
    if (this.foreign) this.add(this.foreign);
  }
}
