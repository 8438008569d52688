// Checks under the lock that the files of a record agree, or has them repaired, before anyone appends.
// Invariant: nothing is appended to files that disagree or that a writer left half-way without a full inspection.

import { exists } from "../io.js";
import type { WriteContext } from "../ledger/append-record.js";
import { uncleanPath } from "../lock/lock.js";
import type { Head } from "../signed-files.js";
import { quickHead } from "../state/head.js";
import type { Finding } from "../types.js";
import { repair, withSeal } from "./repair.js";

export interface CheckedHead {
  head: Head | undefined;
  findings: Finding[];
}

/** `unclean`: the writer before us ended half-way. */
export const endedUnclean = (context: WriteContext, takenOver: boolean): boolean =>
  takenOver || exists(context.io, uncleanPath(context.at.folder));

export function checkedHead(context: WriteContext, takenOver: boolean): CheckedHead {
  const { io, at, key } = context;
  const findings = [...context.findings];
  context.unclean = endedUnclean(context, takenOver);
  const agreed = context.unclean ? undefined : quickHead(io, at, key, context.cache);
  if (!agreed) return { head: repair(context, findings), findings };
  return { head: agreed.sealed === undefined ? agreed : withSeal(context, agreed, findings), findings };
}
