// Tells a power cut from tampering: after a restart the last moments may be missing from the ledger and the copies.
// Invariant: only excuses loss that is recent, that a restart followed, and that leaves the newest authentic state.

import { readSeal, recordKeys } from "../key/seal.js";
import { segments } from "../layout.js";
import type { WriteContext } from "../ledger/append-record.js";
import { checkLine } from "../ledger/check-line.js";
import { type Stop, segmentLines } from "../ledger/line-reader.js";
import type { Head, Read } from "../signed-files.js";
import { readMark } from "../state/high-water-mark.js";
import { readSnapshotFile } from "../state/journal.js";
import type { Finding, LedgerRecord } from "../types.js";

/** A file system writes back within about half a minute what nobody asked it to write at once. */
const unsafeSpan = 120_000;

export interface PowerCut {
  /** Last record that reached the disk. */
  last: LedgerRecord;
  torn: Stop | undefined;
  finding: Finding;
}

/** `head`: the newest state, as found. Undefined when what is wrong cannot have been a power cut. */
export function powerCut({ io, at, key, clock }: WriteContext, head: Head): PowerCut | undefined {
  const boot = clock.boot();
  if (boot === "-" || head.boot === "-" || head.boot === boot) return undefined;
  const recent = (time: string) => Math.abs(Date.parse(head.time) - Date.parse(time)) <= unsafeSpan;
  const late = (file: Read<{ time: string }>) =>
    file.status === "ok" && recent(file.value.time) && file.flaw?.cut !== false;
  const excused = (file: Read<{ time: string }>) =>
    file.status === "missing" || (file.status === "altered" && file.empty) || late(file);
  const copies = [readSnapshotFile(io, at.backup, key, at.id), readMark(io, at, key)];
  if (!late(readSnapshotFile(io, at.state, key, at.id)) || !copies.every(excused)) return undefined;
  const end = endOfLedger({ io, at, key });
  if (!end || end.last.seq > head.seq || !recent(end.last.time)) return undefined;
  return { ...end, finding: sentence(end.last.seq, head.seq) };
}

/** The authentic end of the newest segment: each record vouched for by its own signature and by the one before it. */
function endOfLedger({ io, at, key }: Pick<WriteContext, "io" | "at" | "key">): Omit<PowerCut, "finding"> | undefined {
  const keys = recordKeys(key, readSeal(io, at, key));
  for (const segment of segments(io, at).reverse()) {
    let last: LedgerRecord | undefined;
    let torn: Stop | undefined;
    for (const { bytes, start, whole } of segmentLines(io, at, segment)) {
      if (!whole) {
        torn = { problem: "torn", what: "ends in the middle of a record", segment, start, seq: (last?.seq ?? 0) + 1 };
        break;
      }
      const checked = checkLine(bytes, at.id, keys(segment), last && { seq: last.seq + 1, prev: last.hash });
      if ("problem" in checked) return undefined;
      last = checked.record;
    }
    if (last) return { last, torn };
    if (torn) return undefined;
  }
  return undefined;
}

function sentence(last: number, known: number): Finding {
  const lost = last < known ? `records ${last + 1} to ${known}` : "the copies of the last records";
  const what = `The machine went down before ${lost} reached the disk; the state they led to was kept.`;
  return { kind: "power-cut", level: "notice", what, remedy: "Nothing needs to be done." };
}
