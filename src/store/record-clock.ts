// Time as the record sees it: wall clock, monotonic clock and the boot they belong to.
// Invariant: time is written down, never used to order records; order is the sequence number alone.
import { closeSync, openSync, readSync } from "node:fs";

export interface Clock {
  /** Milliseconds since the epoch, as the machine believes. */
  wall(): number;
  /** Nanoseconds that only grow within one boot. */
  mono(): bigint;
  /** Names the boot `mono` counts in; "-" where the system does not say. */
  boot(): string;
}

let boot: string | undefined;

export const systemClock: Clock = {
  wall: Date.now,
  mono: () => process.hrtime.bigint(),
  boot: () => (boot ??= readBoot()),
};

function readBoot(): string {
  try {
    return readProc("/proc/sys/kernel/random/boot_id").trim();
  } catch {
    return "-"; // not Linux: clockJump then falls back to "the monotonic clock grew, so it is the same boot"
  }
}

/** A short file of the system's, which has no size: reading it as any other costs a short process a millisecond. */
export function readProc(path: string): string {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.allocUnsafe(2048);
    return bytes.toString("latin1", 0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}

export interface Instant {
  time: string;
  mono: string;
  boot: string;
}

export const instant = (clock: Clock): Instant => ({
  time: new Date(clock.wall()).toISOString(),
  mono: String(clock.mono()),
  boot: clock.boot(),
});

export const jumpTolerance = 5_000;

/** How far (ms) the wall clock moved against the monotonic one between two instants; undefined within tolerance or when
 * they cannot be compared. */
export function clockJump(earlier: Instant, later: Instant): number | undefined {
  if (earlier.boot !== later.boot) return undefined;
  // Doubles are exact enough for nanoseconds over a hundred days.
  const mono = Math.floor((Number(later.mono) - Number(earlier.mono)) / 1e6);
  if (mono < 0) return undefined;
  const wall = Date.parse(later.time) - Date.parse(earlier.time);
  const drift = wall - mono;
  return Math.abs(drift) > jumpTolerance ? drift : undefined;
}
