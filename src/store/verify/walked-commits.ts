// Up to which commits `verify` has looked for checkpoints, and which commits carry one; signed like the state.
// Invariant: a memory only. Missing, altered or older than it should be, it costs a longer walk and hides nothing:
// what a checkpoint says is read from git each time.
import { exists, readOr, realIo } from "../io.js";
import { readKey } from "../key/signing-key.js";
import { layout } from "../layout.js";
import { decodeSigned, encodeSigned } from "../ledger/frame.js";
import type { StorePlace } from "../types.js";

export interface WalkedCommits {
  /** What the refs named: everything reachable from here has been looked at. */
  tips: string[];
  /** Commits with a checkpoint. */
  carriers: string[];
}

const fileOf = (place: StorePlace): string => `${layout(place).folder}/walked-commits.json`;
const objectName = /^[0-9a-f]{40,64}$/;
const areNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string" && objectName.test(one));

export function readWalked(place: StorePlace): WalkedCommits | undefined {
  const key = readKey(realIo, place.home);
  const bytes = readOr(realIo, fileOf(place));
  if (!bytes || !key || key === "bad") return undefined;
  const { tips, carriers } = decodeSigned(bytes, key, "walk", place.id) as Record<string, unknown>;
  return areNames(tips) && areNames(carriers) ? { tips, carriers } : undefined;
}

/** The file's path and content; undefined where nothing was ever recorded. */
export function walkedFile(place: StorePlace, { tips, carriers }: WalkedCommits) {
  const key = readKey(realIo, place.home);
  if (!key || key === "bad" || !exists(realIo, layout(place).folder)) return undefined;
  return { path: fileOf(place), bytes: encodeSigned(key, "walk", place.id, { tips, carriers }) };
}
