// Snapshot and backup: a signed snapshot in the first line, then one short line per record since, with its patch.
// Invariant: the signature of the last line covers every byte before it, so one check proves the whole file; a line
// without its end never counts.
import { createHash, type Hash } from "node:crypto";
import { isObject, type JsonObject } from "../../model/json.js";
import { type Io, readOr } from "../io.js";
import type { Layout } from "../layout.js";
import { decodeSigned, encodeSigned, entryMac, hex64, type SigningKey, signedPayload } from "../ledger/frame.js";
import { formatVersion, readableSince, upgradeState } from "../ledger/upgrade.js";
import { type Altered, type Authentic, altered, type Head, type Read } from "../signed-files.js";
import { mergeInto } from "./merge-patch.js";
import { noteChanges } from "./session-archive.js";

/** A file as it stands, to add to. */
export interface Journal {
  /** Bytes of the snapshot, and of the whole. */
  first: number;
  size: number;
  entries: number;
  /** Over every byte of it. */
  digest: Hash;
}

export interface AuthenticState extends Authentic<Head> {
  /** Undefined where nothing may be added: the format is an older one, or the last line has no end. */
  journal: Journal | undefined;
}

const mostEntries = 64;
const roomForEntries = 20 * 1024;

/** Time to write a snapshot again: what was added has grown longer than it. */
export const isFull = ({ first, size, entries }: Journal): boolean =>
  entries >= mostEntries || size - first > Math.max(first, roomForEntries);

export function stateBytes(key: SigningKey, at: Layout, head: Head): Buffer {
  return encodeSigned(key, "state", at.id, { ...head, v: formatVersion, needs: readableSince, key: key.id });
}

const opening = '{"entry":';
const middle = ',"mac":"';
const closing = '"}\n';
const signature = middle.length + 64 + closing.length;

/** The line that takes the file from one head to the next; `patch` as text. Does not change the given journal. */
export function addEntry(
  journal: Journal,
  key: SigningKey,
  id: string,
  { seq, hash, end, time, mono }: Head,
  patch: string | undefined,
): { bytes: Buffer; journal: Journal } {
  const change = patch === undefined ? "" : `"patch":${patch},`;
  const entry = `${opening}{"end":${end},"hash":"${hash}","mono":"${mono}",${change}"seq":${seq},"time":"${time}"}`;
  const digest = journal.digest.copy().update(entry);
  const rest = `${middle}${entryMac(key, id, digest.copy().digest("hex"))}${closing}`;
  const bytes = Buffer.from(entry + rest);
  const { first, size, entries } = journal;
  return {
    bytes,
    journal: { first, size: size + bytes.length, entries: entries + 1, digest: digest.update(rest) },
  };
}

export function readSnapshotFile(io: Io, path: string, key: SigningKey | undefined, id: string): Read<Head> {
  const bytes = readOr(io, path);
  return bytes ? parseSnapshotFile(bytes, key, id) : { status: "missing" };
}

export function parseSnapshotFile(bytes: Buffer, key: SigningKey | undefined, id: string): AuthenticState | Altered {
  if (!key) return altered(bytes, "cannot be checked without the key");
  const size = bytes.lastIndexOf(10) + 1;
  const whole = bytes.subarray(0, size);
  const first = whole.indexOf(10) + 1;
  const flaw = size < bytes.length ? { what: "ends in an unfinished line", cut: true } : undefined;
  const digest = createHash("sha256");
  if (first < size && !vouched(whole, digest, key, id)) return altered(bytes, "its signature is wrong");
  const snapshot = first < size ? signedPayload(whole.subarray(0, first)) : decodeSigned(whole, key, "state", id);
  if ("problem" in snapshot) return altered(bytes, String(snapshot["what"]));
  const value = upgradeState(snapshot) as unknown as Head;
  if (first === size) digest.update(whole);
  const entries = first < size ? parseEntries(whole.subarray(first)) : [];
  for (const entry of entries) {
    if (entry.seq !== value.seq + 1) return altered(bytes, "its lines do not follow each other");
    step(value, entry);
  }
  const current = snapshot["v"] === formatVersion && !flaw;
  return {
    status: "ok",
    value,
    flaw,
    journal: current ? { first, size, entries: entries.length, digest } : undefined,
  };
}

/** Leaves the digest over all of it. */
function vouched(whole: Buffer, digest: Hash, key: SigningKey, id: string): boolean {
  const signed = whole.length - signature;
  const end = whole.toString("latin1", signed);
  const mac = end.slice(middle.length, -closing.length);
  if (end !== `${middle}${mac}${closing}` || !hex64.test(mac)) return false;
  digest.update(whole.subarray(0, signed));
  if (entryMac(key, id, digest.copy().digest("hex")) !== mac) return false;
  digest.update(whole.subarray(signed));
  return true;
}

type Entry = Pick<Head, "seq" | "hash" | "end" | "time" | "mono"> & { patch?: JsonObject };

/** Line feeds stand between entries and nowhere else. */
const parseEntries = (lines: Buffer): Entry[] =>
  (JSON.parse(`[${lines.toString("utf8", 0, lines.length - 1).replaceAll("\n", ",")}]`) as { entry: Entry }[]).map(
    ({ entry }) => entry,
  );

function step(head: Head, { seq, hash, end, time, mono, patch }: Entry): void {
  Object.assign(head, { seq, hash, start: head.end, end, lines: head.lines + 1, time, mono });
  if (!isObject(patch)) return;
  mergeInto(head.state, patch);
  noteChanges(head.live, patch, seq, time);
}
