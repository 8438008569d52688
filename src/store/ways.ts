// How snapshot, copy and mark come up to a new record: by one more line and one mark written over, or all of them anew.
// Invariant: the snapshot comes first and can be taken back; copy and mark follow it, never lead.
import type { Known, Stamps } from "./agreement.js";
import type { Bench } from "./commit.js";
import type { Head } from "./files.js";
import { append, cutBack, replaceCopy, replaceFile, type Stamp } from "./io.js";
import { addEntry, isFull, type Journal, stateBytes } from "./journal.js";
import { writeMark, writeMarks } from "./mark.js";

export interface Way {
  snapshot(): void;
  takeBack(): void;
  followers(): void;
  /** What this process then knows; `segment`: the stamp of the ledger's. */
  known(segment: Stamp): Known;
}

/** One more line, where the head it is added to is known and only the record changes. */
export function wayUp(bench: Bench, from: Head | undefined, next: Head, patch: string | undefined, sync: boolean): Way {
  const known = from && from === bench.memory.known?.head ? bench.memory.known : undefined;
  if (!known?.journal) return anew(bench, next, sync);
  if (next.segment !== known.head.segment || next.boot !== known.head.boot)
    return anew(bench, next, sync, known.stamps);
  const line = oneMore(bench, known, known.journal, next, patch, sync);
  return isFull(known.journal) ? thenAnew(line, () => anew(bench, next, sync, known.stamps)) : line;
}

/** A full snapshot gets its line too: the record counts before the files are written anew, which may wait for the disk. */
function thenAnew({ snapshot, takeBack }: Way, make: () => Way): Way {
  let whole: Way;
  return {
    snapshot,
    takeBack,
    followers() {
      whole = make();
      whole.snapshot();
      whole.followers();
    },
    known: (segment) => whole.known(segment),
  };
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
    snapshot() {
      state = append(io, at.state, bytes, before.size, sync);
    },
    takeBack: () => cutBack(io, at.state, before.size),
    followers() {
      backup = append(io, at.backup, bytes, before.size, sync);
      mark = writeMark(io, at, key, next, stamps?.marks[next.seq % 2]?.size, nonce, sync);
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
    snapshot: () => replaceFile(io, at.state, bytes, nonce, sync),
    takeBack() {},
    followers() {
      replaceCopy(io, at.backup, bytes, nonce, sync);
      if (stamps) writeMark(io, at, key, head, stamps.marks[head.seq % 2]?.size, nonce, sync);
      else writeMarks(io, at, key, head, nonce, sync);
    },
    known: () => ({ key: key.id, head, journal: undefined, stamps: undefined }),
  };
}
