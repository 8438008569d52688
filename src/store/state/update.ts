// How snapshot, copy and mark follow a new record: one more line and one overwritten mark, or all of them rewritten.
// Invariant: the snapshot is written before copy and mark; what was done half-way can be undone and done again.

import { append, cutBack, replaceCopy, replaceStoreFile, type Stamp } from "../io.js";
import type { WriteContext } from "../ledger/append-record.js";
import type { Head } from "../signed-files.js";
import type { KnownHead, Stamps } from "./head.js";
import { writeMark, writeMarks } from "./high-water-mark.js";
import { addEntry, isFull, type Journal, stateBytes } from "./journal.js";
import { dropUnnamed, settleSessions } from "./session-archive.js";

export interface StateUpdate {
  go(): void;
  undo(): void;
  /** What this process then knows; `segment`: the stamp of the ledger's. */
  known(segment: Stamp): KnownHead;
}

/** One more line, where the files it is added to are known and only the record changes. */
export function planUpdate(
  context: WriteContext,
  known: KnownHead | undefined,
  next: Head,
  patch: string | undefined,
  sync: boolean,
): StateUpdate {
  if (!known?.journal) return rewriteAll(context, next, sync);
  if (next.segment !== known.head.segment || next.boot !== known.head.boot)
    return rewriteAll(context, next, sync, known.stamps);
  if (isFull(known.journal)) return rewriteAll(context, next, sync, known.stamps);
  return appendEntry(context, known, known.journal, next, patch, sync);
}

function appendEntry(
  { io, at, key, nonce }: WriteContext,
  { stamps }: KnownHead,
  before: Journal,
  next: Head,
  patch: string | undefined,
  sync: boolean,
): StateUpdate {
  const { bytes, journal } = addEntry(before, key, at.id, next, patch);
  let state: Stamp;
  let backup: Stamp;
  let mark: Stamp | undefined;
  return {
    go() {
      state = append(io, at.state, bytes, before.size, sync);
      backup = append(io, at.backup, bytes, before.size, sync);
      mark = writeMark(io, at, key, next, stamps?.marks[next.seq % 2], nonce, sync);
    },
    undo() {
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

/** Moves silent sessions to the archive, then replaces snapshot, copy and mark: only one of the mark's two files if
 * both are known. The next reader reads all. */
export function rewriteAll(
  { io, at, key, nonce, live }: Pick<WriteContext, "io" | "at" | "key" | "nonce" | "live">,
  unsettled: Head,
  sync: boolean,
  stamps?: Stamps,
): StateUpdate {
  let head = unsettled;
  return {
    undo() {},
    go() {
      head = settleSessions(io, at, unsettled, nonce, live);
      const bytes = stateBytes(key, at, head);
      replaceStoreFile(io, at.state, bytes, nonce, sync);
      replaceCopy(io, at.backup, bytes, nonce, sync);
      if (stamps) writeMark(io, at, key, head, stamps.marks[head.seq % 2], nonce, sync);
      else writeMarks(io, at, key, head, nonce, sync);
      dropUnnamed(io, at, head);
    },
    known: () => ({ key: key.id, head, journal: undefined, stamps: undefined }),
  };
}
