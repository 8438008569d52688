// The head of a record whose files all agree, which is the usual case: by reading them or, if this process wrote them,
// by their stamps alone.
// Invariant: what is cached was authentic when read or was written by this process. Before a snapshot is replaced,
// everything is read again, so that nothing a stamp did not show is overwritten unseen.
import { sha256 } from "../../model/sha256.js";
import { exists, type Io, type Stamp, sameStamp, statOr, withStamp, withStampOr } from "../io.js";
import type { KnownKey } from "../key/signing-key.js";
import { type Layout, segmentPath, segments } from "../layout.js";
import { decodeLine, type SigningKey } from "../ledger/frame.js";
import { segmentBytes } from "../ledger/line-reader.js";
import type { Head } from "../signed-files.js";
import { parseMarks, readMark } from "./high-water-mark.js";
import { isFull, type Journal, parseSnapshotFile, readSnapshotFile } from "./journal.js";

export interface StoreCache {
  key?: KnownKey;
  /** The reserve was there when last looked at; whoever uses it up looks again. */
  reserve?: boolean;
  known?: KnownHead;
}

/** A head this process has read or written. */
export interface KnownHead {
  key: string;
  head: Head;
  journal: Journal | undefined;
  /** Of the files as they were then; undefined: to be read again. */
  stamps: Stamps | undefined;
}

export interface Stamps {
  state: Stamp;
  backup: Stamp;
  marks: readonly [even: Stamp | undefined, odd: Stamp | undefined];
  segment: Stamp;
  /** Of the folder of segments. */
  ledger: Stamp;
}

/** The head when snapshot, copy, mark and the end of the ledger all agree; undefined when they need a closer look. */
export function quickHead(io: Io, at: Layout, key: SigningKey, cache: StoreCache): Head | undefined {
  const { known } = cache;
  if (known?.key === key.id && isUntouched(io, at, known)) return known.head;
  cache.known = readAgreed(io, at, key);
  return cache.known?.head;
}

function isUntouched(io: Io, at: Layout, { head, journal, stamps }: KnownHead): boolean {
  if (!stamps || !journal || isFull(journal)) return false;
  const same = (stamp: Stamp | undefined, path: string) => stamp !== undefined && sameStamp(stamp, statOr(io, path));
  return (
    same(stamps.segment, segmentPath(at, head.segment)) &&
    same(stamps.state, at.state) &&
    same(stamps.backup, at.backup) &&
    same(stamps.marks[0], at.marks[0]) &&
    same(stamps.marks[1], at.marks[1]) &&
    same(stamps.ledger, at.ledger)
  );
}

function readAgreed(io: Io, at: Layout, key: SigningKey): KnownHead | undefined {
  const state = withStampOr(io, at.state);
  const backup = state && withStampOr(io, at.backup);
  if (!backup?.bytes.equals(state!.bytes)) return undefined;
  const snapshot = parseSnapshotFile(state!.bytes, key, at.id);
  if (snapshot.status !== "ok" || snapshot.flaw) return undefined;
  const head = snapshot.value;
  const [even, odd] = at.marks.map((path) => withStampOr(io, path));
  const mark = parseMarks(even?.bytes, odd?.bytes, key, at.id);
  if (mark.status !== "ok" || mark.flaw || mark.value.seq !== head.seq || mark.value.hash !== head.hash)
    return undefined;
  const ledger = statOr(io, at.ledger);
  const found = segments(io, at);
  if (found.length !== head.count || found.at(-1) !== head.segment) return undefined;
  const { place, stamp } = standsAt(io, at, head);
  if (place !== "at the end") return undefined;
  const stamps: Stamps = {
    state: state!.stamp,
    backup: backup.stamp,
    marks: [even?.stamp, odd?.stamp],
    segment: stamp!,
    ledger: ledger!,
  };
  return { key: key.id, head, journal: snapshot.journal, stamps };
}

/** The head while a process is writing: the snapshot's record is in the ledger, mark and copy are at it or one behind
 * (the copy may even be missing). */
export function headDuringWrite(io: Io, at: Layout, key: SigningKey): Head | undefined {
  const state = readSnapshotFile(io, at.state, key, at.id);
  const mark = readMark(io, at, key);
  if (state.status !== "ok" || mark.status !== "ok") return undefined;
  const head = state.value;
  const following = (seq: number) => seq === head.seq || seq === head.seq - 1;
  const copy = readSnapshotFile(io, at.backup, key, at.id);
  if (!following(mark.value.seq) || (copy.status === "ok" ? !following(copy.value.seq) : copy.status === "altered"))
    return undefined;
  return standsAt(io, at, head).place === "no" ? undefined : head;
}

/** Whether the ledger holds the head's record in its place, and whether anything follows in that segment. */
export function standsAt(io: Io, at: Layout, head: Head): { place: "no" | "at the end" | "further on"; stamp?: Stamp } {
  let tail: Buffer;
  let stamp: Stamp | undefined;
  try {
    ({ bytes: tail, stamp } = withStamp(io, segmentPath(at, head.segment), () => [head.start, head.end + 1]));
  } catch {
    const plain = segmentBytes(io, at, head.segment);
    if (!plain) return { place: "no" }; // not there or not readable: the closer look names it
    tail = plain.subarray(head.start, head.end + 1);
  }
  const size = head.end - head.start;
  if (tail.length < size || tail[size - 1] !== 10) return { place: "no" };
  const line = decodeLine(tail.subarray(0, size - 1));
  if ("problem" in line || line.hash !== head.hash || sha256(line.payload) !== line.hash) return { place: "no" };
  return { place: tail.length > size ? "further on" : "at the end", stamp };
}

/** Nothing of a record lies here: a first start, unless the key says otherwise. */
export const nothingThere = (io: Io, at: Layout): boolean =>
  ![at.state, at.backup, ...at.marks].some((path) => exists(io, path)) && segments(io, at).length === 0;
