// Where the parts of a record lie.
// Invariant: the mark and the key lie outside the project's own folder, so removing that folder leaves witnesses.
import { join } from "node:path";
import { type Io, listDir } from "./io.js";
import type { StorePlace } from "./types.js";

export interface Layout {
  id: string;
  home: string;
  folder: string;
  ledger: string;
  quarantine: string;
  texts: string;
  /** Slices of sessions that are not in the snapshot. */
  sessions: string;
  state: string;
  backup: string;
  /** The high-water mark: of records of even and of odd number. */
  marks: [even: string, odd: string];
}

export function layout(place: StorePlace): Layout {
  const folder = join(place.home, "projects", place.id);
  const ledger = join(folder, "ledger");
  return {
    id: place.id,
    home: place.home,
    folder,
    ledger,
    quarantine: join(ledger, "quarantine"),
    texts: join(folder, "texts"),
    sessions: join(folder, "sessions"),
    state: join(folder, "state.json"),
    backup: join(folder, "state.backup.json"),
    marks: [join(place.home, "marks", `${place.id}.json`), join(place.home, "marks", `${place.id}.odd.json`)],
  };
}

export const segmentPath = (at: Layout, segment: number): string =>
  `${at.ledger}/${String(segment).padStart(8, "0")}.jsonl`;

/** A closed segment may lie there compressed. */
export const packedPath = (at: Layout, segment: number): string => `${segmentPath(at, segment)}.br`;

/** Numbers of the segments that are there, in order. */
export function segments(io: Io, at: Layout): number[] {
  const found = new Set<number>();
  for (const name of listDir(io, at.ledger))
    if (/^\d{8}\.jsonl(?:\.br)?$/.test(name)) found.add(Number(name.slice(0, 8)));
  return [...found].sort((a, b) => a - b);
}
