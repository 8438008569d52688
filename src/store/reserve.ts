// A little space kept back, so that the record of the moment the disk filled up can still be written.
// Invariant: given up only when a write found no space; put back as soon as there is space again.
import { join } from "node:path";
import { StoreFull } from "./fault.js";
import { exists, type Io, removeIfThere, replaceFile } from "./io.js";
import type { Layout } from "./layout.js";
import type { Finding } from "./types.js";

const size = 64 * 1024;
const path = (at: Layout): string => join(at.folder, "reserve");

export const freeReserve = (io: Io, at: Layout): boolean => removeIfThere(io, path(at));

/** Puts the reserve back where it is missing; says so when there is no space for it. */
export function keepReserve(io: Io, at: Layout, nonce: string): Finding[] {
  if (exists(io, path(at))) return [];
  try {
    replaceFile(io, path(at), Buffer.alloc(size), nonce, false);
    return [];
  } catch (error) {
    if (error instanceof StoreFull) return [diskFull(at)];
    throw error;
  }
}

export const reserveFindings = (io: Io, at: Layout): Finding[] => (exists(io, path(at)) ? [] : [diskFull(at)]);

const diskFull = (at: Layout): Finding => ({
  kind: "disk-full",
  level: "degraded",
  what: `The disk was full at the last write to ${at.folder}; the reserve is used up.`,
  remedy: "Free disk space (or quota); the next record puts the reserve back.",
});
