// How snapshot, copy and mark come up to a new record: by one more line and one mark written over, or all of them anew.
// Invariant: the snapshot comes first, copy and mark follow it, never lead; what was done half-way can be taken back and done again.

import { cutBack, replaceCopy, replaceFile, type Stamp } from "../io.js";
import type { Bench } from "../ledger/commit.js";
import { appendKept } from "../open-files.js";
import type { Head } from "../signed-files.js";
import type { Known, Stamps } from "./head.js";
import { writeMark, writeMarks } from "./high-water-mark.js";
import { addEntry, isFull, type Journal, stateBytes } from "./journal.js";

export interface Way {
  go(): void;
  takeBack(): void;
  /** What this process then knows; `segment`: the stamp of the ledger's. */
  known(segment: Stamp): Known;
}

/** One more line, where the files it is added to are known and only the record changes. */
export function wayUp(
  bench: Bench,
  known: Known | undefined,
  next: Head,
  patch: string | undefined,
  sync: boolean,
): Way {
  if (!known?.journal) return anew(bench, next, sync);
  if (next.segment !== known.head.segment || next.boot !== known.head.boot)
    return anew(bench, next, sync, known.stamps);
  if (isFull(known.journal)) return anew(bench, next, sync, known.stamps);
  return oneMore(bench, known, known.journal, next, patch, sync);
}

function oneMore(
  { io, at, key, nonce }: Bench,
  { stamps }: Known,
  before: Journal,
  next: Head,
  patch: string | undefined,
  sync: boolean,
): Way {
  const { bytes, journal } = addEntry(before, key, at.id, next, patch);
  let state: Stamp;
  let backup: Stamp;
  let mark: Stamp | undefined;
  return {
    go() {
      state = appendKept(io, at.folder, at.state, stamps?.state, bytes, before.size, sync)();
      backup = appendKept(io, at.folder, at.backup, stamps?.backup, bytes, before.size, sync)();
      mark = writeMark(io, at, key, next, stamps?.marks[next.seq % 2], nonce, sync);
    },
    takeBack() {
      cutBack(io, at.state, before.size);
      cutBack(io, at.backup, before.size);
    },
    known(segment) {
      const [even, odd] = stamps?.marks ?? [];
      const marks = next.seq % 2 ? ([even, mark] as const) : ([mark, odd] as const);
      return {
        key: key.id,
        head: next,
        journal,
        stamps: stamps && { ledger: stamps.ledger, segment, state, backup, marks },
      };
    },
  };
}

/** Snapshot and copy replaced, and the mark; of its two files only one where both are known. The next reader reads them all. */
export function anew(
  { io, at, key, nonce }: Pick<Bench, "io" | "at" | "key" | "nonce">,
  head: Head,
  sync: boolean,
  stamps?: Stamps,
): Way {
  const bytes = stateBytes(key, at, head);
  return {
    takeBack() {},
    go() {
      replaceFile(io, at.state, bytes, nonce, sync);
      replaceCopy(io, at.backup, bytes, nonce, sync);
      if (stamps) writeMark(io, at, key, head, stamps.marks[head.seq % 2], nonce, sync);
      else writeMarks(io, at, key, head, nonce, sync);
    },
    known: () => ({ key: key.id, head, journal: undefined, stamps: undefined }),
  };
}
