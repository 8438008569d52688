// The high-water mark, kept twice and written in turn: records of even number in one file, of odd number in the other.
// Invariant: a mark is overwritten in place; while one of the two is being written, the other names the previous
// record.

import { type Io, readOr, replaceCopy, type Stamp, writeOver } from "../io.js";
import type { Layout } from "../layout.js";
import { decodeSigned, encodeSigned, type SigningKey } from "../ledger/frame.js";
import { formatVersion, readableSince, upgradeMark } from "../ledger/upgrade.js";
import { altered, type Flaw, type Head, type HighWaterMark, type Read } from "../signed-files.js";

function markBytes(key: SigningKey, at: Layout, { seq, hash, segment, time }: Head): Buffer {
  const mark = { v: formatVersion, needs: readableSince, key: key.id, seq, hash, segment, time };
  return encodeSigned(key, "mark", at.id, mark);
}

/** Both rewriteAll, the older one first: one of them is always there. */
export function writeMarks(io: Io, at: Layout, key: SigningKey, head: Head, nonce: string, sync: boolean): void {
  const bytes = markBytes(key, at, head);
  for (const turn of [head.seq, head.seq + 1]) replaceCopy(io, at.marks[turn % 2]!, bytes, nonce, sync);
}

/** The one whose turn it is, of which `found` lies there; another length needs another file. */
export function writeMark(
  io: Io,
  at: Layout,
  key: SigningKey,
  head: Head,
  found: Stamp | undefined,
  nonce: string,
  sync: boolean,
): Stamp | undefined {
  const bytes = markBytes(key, at, head);
  const path = at.marks[head.seq % 2]!;
  if (found?.size === bytes.length) return writeOver(io, path, bytes, sync);
  replaceCopy(io, path, bytes, nonce, sync);
  return undefined;
}

export function readMark(io: Io, at: Layout, key: SigningKey | undefined): Read<HighWaterMark> {
  const [even, odd] = at.marks.map((path) => readOr(io, path));
  return parseMarks(even, odd, key, at.id);
}

type One = Read<HighWaterMark & { v: number }>;

export function parseMarks(
  even: Buffer | undefined,
  odd: Buffer | undefined,
  key: SigningKey | undefined,
  id: string,
): Read<HighWaterMark> {
  const both = [even, odd].map((bytes) => parseOne(bytes, key, id));
  const [newest, other] = both.sort((a, b) => seqOf(b) - seqOf(a)) as [One, One];
  if (newest.status === "ok") return { ...newest, flaw: flawBeside(newest.value, other) };
  return both.find((one) => one.status === "altered") ?? newest;
}

const seqOf = (one: One): number => (one.status === "ok" ? one.value.seq : -1);

function parseOne(bytes: Buffer | undefined, key: SigningKey | undefined, id: string): One {
  if (!bytes) return { status: "missing" };
  if (!key) return altered(bytes, "cannot be checked without the key");
  const value = decodeSigned(bytes, key, "mark", id);
  if ("problem" in value) return altered(bytes, String(value["what"]));
  return { status: "ok", value: { ...(upgradeMark(value) as unknown as HighWaterMark), v: value["v"] as number } };
}

/** Before format 2 there was one file. */
function flawBeside(newest: HighWaterMark & { v: number }, other: One): Flaw | undefined {
  if (other.status === "missing")
    return newest.v < 2 ? undefined : { what: "one of its two files is missing", cut: true };
  if (other.status === "altered") return { what: `one of its two files ${other.what}`, cut: other.empty };
  const { seq, hash } = other.value;
  if (seq < newest.seq - 1) return { what: `one of its two files was put back to record ${seq}`, cut: true };
  if (seq === newest.seq && hash !== newest.hash) return { what: "its two files name different records", cut: false };
  return undefined;
}
