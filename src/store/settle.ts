// Finds the files of a record in agreement under the lock, or has them repaired, before anyone builds on them.
// Invariant: nothing is built on files that disagree, or that a writer left half-way, without a closer look at all of them.
import { quickHead } from "./agreement.js";
import type { Bench } from "./commit.js";
import type { Head } from "./files.js";
import { exists } from "./io.js";
import { uncleanPath } from "./lock.js";
import { repair, withSeal } from "./repair.js";
import type { Finding } from "./types.js";

export interface Settled {
  head: Head | undefined;
  findings: Finding[];
}

/** `apart`: the writer before us ended half-way. */
export const endedHalfWay = (bench: Bench, takenOver: boolean): boolean =>
  takenOver || exists(bench.io, uncleanPath(bench.at.folder));

export function settle(bench: Bench, takenOver: boolean): Settled {
  const { io, at, key } = bench;
  const findings = [...bench.findings];
  bench.apart = endedHalfWay(bench, takenOver);
  const agreed = bench.apart ? undefined : quickHead(io, at, key, bench.memory);
  if (!agreed) return { head: repair(bench, findings), findings };
  return { head: agreed.sealed === undefined ? agreed : withSeal(bench, agreed, findings), findings };
}
