// A little space kept back, so that the record of the moment the disk filled up can still be written.
// Invariant: emptied (not removed) only when a write found no space; filled again as soon as there is space.
import { StoreFull } from "../fault.js";
import { closeQuietly, type Io, replaceStoreFile, statOr } from "../io.js";
import type { Layout } from "../layout.js";
import type { Finding } from "../types.js";

const size = 64 * 1024;
const pathOf = (at: Layout): string => `${at.folder}/reserve`;

/** True when there was something to give up. */
export function freeReserve(io: Io, at: Layout): boolean {
  if (heldBytes(io, at) !== size) return false;
  const fd = io.openSync(pathOf(at), "r+");
  try {
    io.ftruncateSync(fd, 0);
    return true;
  } finally {
    closeQuietly(io, fd);
  }
}

/** Puts the reserve back where it is used up or missing; says so when there is no space for it. */
export function keepReserve(io: Io, at: Layout, nonce: string): Finding[] {
  if (heldBytes(io, at) === size) return [];
  try {
    replaceStoreFile(io, pathOf(at), Buffer.alloc(size), nonce, false);
    return [];
  } catch (error) {
    if (error instanceof StoreFull) return [diskFull(at)];
    throw error;
  }
}

export const reserveFindings = (io: Io, at: Layout): Finding[] => (heldBytes(io, at) === 0 ? [diskFull(at)] : []);

const heldBytes = (io: Io, at: Layout): number | undefined => statOr(io, pathOf(at))?.size;

const diskFull = (at: Layout): Finding => ({
  kind: "disk-full",
  level: "degraded",
  what: `The disk was full at the last write to ${at.folder}; the reserve is used up.`,
  remedy: "Free disk space (or quota); the next record puts the reserve back.",
});
