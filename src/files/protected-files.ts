// Looks on the disk for the files of protected places.
// Invariant: bounded: "near" reads fixed files and one level of each folder, "deep" a few thousand entries in all.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { matchNames, parsePattern, type Segment } from "./globs.js";
import type { Place } from "./protected.js";

export interface Found {
  path: string;
  identity: string;
  links: number;
  place: Place;
}

const REACH = { near: { depth: 1, entries: 300 }, deep: { depth: 6, entries: 5_000 } };

export function findFiles(places: readonly Place[], reach: "near" | "deep"): Found[] {
  const found: Found[] = [];
  const { depth, entries } = REACH[reach];
  for (const place of places) {
    if (!place.rest.includes("*")) look(join(place.folder, place.rest), place, found);
    // Transcripts are many: worth a look only when a link is in question.
    else if (reach === "deep" || place.entry.kind !== "transcript")
      list(place, parsePattern(place.rest), "", depth, { entries }, found);
  }
  return found;
}

function look(path: string, place: Place, found: Found[]): void {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat?.isFile()) found.push({ path, identity: `${stat.dev}:${stat.ino}`, links: Number(stat.nlink), place });
  } catch {
    // not to be looked at (permission, loop): its name still protects it
  }
}

function list(place: Place, rest: Segment[], below: string, depth: number, left: { entries: number }, found: Found[]) {
  for (const entry of entriesOf(join(place.folder, below))) {
    if (--left.entries < 0) return;
    const relative = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      if (depth > 1) list(place, rest, relative, depth - 1, left, found);
    } else if (matchNames(rest, relative.split("/"))) look(join(place.folder, relative), place, found);
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no such folder, or not ours to read: nothing to find
  }
}
