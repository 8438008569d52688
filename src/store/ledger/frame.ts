// How a record becomes a line and a line a record: `LLLLLLLL {"hash":"…","mac":"…","record":{…}}\n`.
// Invariant: decode accepts exactly the bytes encode can produce; anything else is a named problem, never guessed at.
import { createHmac } from "node:crypto";
import { hashAtOnce, sha256 } from "../../model/sha256.js";
import type { LedgerRecord } from "../types.js";
import { canonical, canonicalOrdered, sortedKeys } from "./canonical-json.js";

export interface SigningKey {
  /** Short public name of the key. */
  id: string;
  bytes: Buffer;
  /** Belongs to one segment alone: nothing else may be signed there. */
  sealed?: true;
}

export type Unsealed = Omit<LedgerRecord, "hash" | "mac">;

export interface Line {
  hash: string;
  mac: string;
  payload: Buffer;
}

export interface Problem {
  problem: "torn" | "frame" | "shape" | "hash" | "json" | "seq" | "prev" | "key" | "mac" | "newer";
  what: string;
}

const block = 64;
const shortest = 1024;
const inside = Buffer.alloc(block + shortest);
const outside = Buffer.alloc(block + 32);

/**
 * HMAC-SHA256 (RFC 2104). Short input is signed by two plain hashes, as the standard defines it: faster than setting up
 * Node's own.
 */
export function hmac({ bytes }: SigningKey, head: string, data: Buffer | string): string {
  if (!hashAtOnce || bytes.length > block || head.length + data.length > shortest / 3)
    return createHmac("sha256", bytes).update(head).update(data).digest("hex");
  for (let i = 0; i < block; i++) {
    const byte = bytes[i] ?? 0;
    inside[i] = byte ^ 0x36;
    outside[i] = byte ^ 0x5c;
  }
  let end = block + inside.write(head, block);
  end += typeof data === "string" ? inside.write(data, end) : data.copy(inside, end);
  outside.write(hashAtOnce("sha256", inside.subarray(0, end), "hex"), block, "hex");
  return hashAtOnce("sha256", outside, "hex");
}

export const recordMac = (key: SigningKey, id: string, hash: string): string =>
  hmac(key, `interlock-record\n${id}\n`, hash);

/** Over the digest of a journal up to and with an entry. */
export const entryMac = (key: SigningKey, id: string, digest: string): string =>
  hmac(key, `interlock-entry\n${id}\n`, digest);

/** What the first record of a project names as the hash before it. */
export const genesis = (id: string): string => sha256(`interlock-ledger\n${id}\n`);

const open = '{"hash":"';
const middle = '","mac":"';
const close = '","record":';
const headBytes = open.length + 64 + middle.length + 64 + close.length;
const lengthDigits = 8;
const frameBytes = lengthDigits + 1;

export function encodeLine(key: SigningKey, id: string, record: object): { line: Buffer; hash: string; mac: string } {
  const payload = Buffer.from(recordText(record));
  const hash = sha256(payload);
  const mac = recordMac(key, id, hash);
  const length = headBytes + payload.length + 1;
  const head = `${length.toString(16).padStart(lengthDigits, "0")} ${open}${hash}${middle}${mac}${close}`;
  const line = Buffer.allocUnsafe(frameBytes + length + 1);
  payload.copy(line, line.write(head, "latin1"));
  line.write("}\n", line.length - 2, "latin1");
  return { line, hash, mac };
}

/** A member of a record that has its canonical text already. */
export class Written {
  constructor(readonly text: string) {}
}

/** The canonical text of a record: its members are few and known, what they hold is anyone's. */
function recordText(record: object): string {
  const parts: string[] = [];
  let plain: Record<string, unknown> | undefined;
  const flush = () => {
    if (plain) parts.push(canonicalOrdered(plain).slice(1, -1));
    plain = undefined;
  };
  for (const name of sortedKeys(record)) {
    const value = (record as Record<string, unknown>)[name];
    if (value === undefined) continue;
    // Neighbours that are mere texts and numbers are written together.
    if (typeof value === "string" || Number.isFinite(value)) (plain ??= {})[name] = value;
    else {
      flush();
      parts.push(`"${name}":${value instanceof Written ? value.text : canonical(value)}`);
    }
  }
  flush();
  return `{${parts.join(",")}}`;
}

/** `bytes` is one line without its line break. */
export function decodeLine(bytes: Buffer): Line | Problem {
  const length = bytes.toString("latin1", 0, lengthDigits);
  if (!/^[0-9a-f]{8}$/.test(length) || bytes[lengthDigits] !== 0x20)
    return { problem: "frame", what: "does not begin with its length" };
  const want = Number.parseInt(length, 16);
  const have = bytes.length - frameBytes;
  if (have !== want)
    return { problem: "frame", what: `says ${want} bytes and has ${have} (${have < want ? "torn" : "glued"})` };
  const head = bytes.toString("latin1", frameBytes, frameBytes + headBytes);
  const hash = head.slice(open.length, open.length + 64);
  const mac = head.slice(open.length + 64 + middle.length, open.length + 128 + middle.length);
  if (
    head !== `${open}${hash}${middle}${mac}${close}` ||
    !hex64.test(hash) ||
    !hex64.test(mac) ||
    bytes.at(-1) !== 0x7d
  )
    return { problem: "shape", what: "is not an envelope of hash, mac and record" };
  return { hash, mac, payload: bytes.subarray(frameBytes + headBytes, bytes.length - 1) };
}

export const hex64 = /^[0-9a-f]{64}$/;

/** Signed files: `{"mac":"…","payload":{…}}\n`, the mac taken over the payload's bytes as they stand. */
export type SignedKind = "state" | "mark" | "seal" | "walk";

const macOpen = '{"mac":"';
const macClose = '","payload":';
const macHead = macOpen.length + 64 + macClose.length;

export function encodeSigned(key: SigningKey, kind: SignedKind, id: string, payload: object): Buffer {
  const text = canonical(payload);
  return Buffer.from(`${macOpen}${hmac(key, `interlock-${kind}\n${id}\n`, text)}${macClose}${text}}\n`);
}

export function decodeSigned(
  bytes: Buffer,
  key: SigningKey,
  kind: SignedKind,
  id: string,
): Record<string, unknown> | Problem {
  const { mac, payload } = takeApart(bytes);
  if (!payload) return { problem: "shape", what: "is not a signed file" };
  if (hmac(key, `interlock-${kind}\n${id}\n`, payload) !== mac)
    return { problem: "mac", what: "its signature is wrong" };
  return JSON.parse(payload.toString("utf8")) as Record<string, unknown>;
}

/** What a signed line says, where something else vouches for its bytes. */
export function signedPayload(bytes: Buffer): Record<string, unknown> | Problem {
  const { payload } = takeApart(bytes);
  if (!payload) return { problem: "shape", what: "is not a signed file" };
  try {
    return JSON.parse(payload.toString("utf8")) as Record<string, unknown>;
  } catch {
    return { problem: "json", what: "its content is not JSON" };
  }
}

function takeApart(bytes: Buffer): { mac: string; payload?: Buffer } {
  const head = bytes.toString("latin1", 0, macHead);
  const mac = head.slice(macOpen.length, macOpen.length + 64);
  if (head !== `${macOpen}${mac}${macClose}` || bytes.toString("latin1", bytes.length - 2) !== "}\n") return { mac };
  return { mac, payload: bytes.subarray(macHead, bytes.length - 2) };
}
