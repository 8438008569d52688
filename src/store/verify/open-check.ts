// Finds the files of a record in agreement under the lock, or has them repaired, before anyone builds on them.
// Invariant: nothing is built on files that disagree, or that a writer left half-way, without a closer look at all of them.

import { exists } from "../io.js";
import type { Bench } from "../ledger/commit.js";
import { uncleanPath } from "../lock/lock.js";
import type { Head } from "../signed-files.js";
import { quickHead } from "../state/head.js";
import type { Finding } from "../types.js";
import { repair, withSeal } from "./repair.js";

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
