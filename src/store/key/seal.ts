// Forward sealing: each segment has its own key, derived from the previous one, which is then deleted from this
// machine.
// Invariant: the seal file never holds a key older than the newest segment's; a thief cannot sign earlier segments.
import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { type Io, readOr, replaceStoreFile } from "../io.js";
import type { Layout } from "../layout.js";
import { decodeSigned, encodeSigned, type SigningKey } from "../ledger/frame.js";
import { nameKey } from "./signing-key.js";

export interface Seal {
  /** First sealed segment. */
  from: number;
  /** Segment `key` belongs to. */
  segment: number;
  key: Buffer;
}

/** Which key signed the records of a segment; undefined where this machine no longer has it. */
export type RecordKeys = (segment: number) => SigningKey | undefined;

const pathOf = (at: Layout): string => join(at.folder, "seal.json");

export const newSeal = (segment: number): Seal => ({ from: segment, segment, key: randomBytes(32) });

/** The seal as it stands for a later segment. */
export function advanceSeal(seal: Seal, segment: number): Seal {
  let { key } = seal;
  for (let n = seal.segment; n < segment; n++) key = Buffer.from(hkdfSync("sha256", key, "", "interlock-seal", 32));
  return { ...seal, segment, key };
}

/** Undefined when there is none, or it is not authentic. */
export function readSeal(io: Io, at: Layout, key: SigningKey): Seal | undefined {
  const bytes = readOr(io, pathOf(at));
  const value = bytes && decodeSigned(bytes, key, "seal", at.id);
  if (!value || "problem" in value) return undefined;
  const { from, segment, seal } = value as { from: number; segment: number; seal: string };
  return { from, segment, key: Buffer.from(seal, "hex") };
}

export function writeSeal(io: Io, at: Layout, key: SigningKey, seal: Seal, nonce: string): void {
  const { from, segment } = seal;
  const payload = { v: 1, from, segment, seal: seal.key.toString("hex") };
  replaceStoreFile(io, pathOf(at), encodeSigned(key, "seal", at.id, payload), nonce, true);
}

export function recordKeys(main: SigningKey | undefined, seal: Seal | undefined): RecordKeys {
  let latest = seal;
  let named: SigningKey | undefined;
  return (segment) => {
    if (!latest || segment < latest.from) return main;
    if (segment < latest.segment) return undefined;
    if (segment > latest.segment || !named) {
      latest = advanceSeal(latest, segment);
      named = { ...nameKey(latest.key), sealed: true };
    }
    return named;
  };
}
