// Looks on the disk for the files of protected places.
// Invariant: bounded: "near" reads fixed files and one level of each folder, "deep" a few thousand entries in all.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { matchNames, parsePattern } from "./globs.js";
import type { Place } from "./protected.js";

export interface Found {
  path: string;
  identity: string;
  links: number;
  place: Place;
}

const REACH = { near: { depth: 1, entries: 300 }, deep: { depth: 6, entries: 5_000 } };
const PROJECT = { depth: 12, entries: 20_000 };

export function findFiles(places: readonly Place[], projectRoot: string, reach: "near" | "deep"): Found[] {
  const found: Found[] = [];
  const { depth, entries } = REACH[reach];
  for (const place of places) {
    // Transcripts are many: worth a look only when a link is in question.
    if (reach === "near" && place.entry.kind === "transcript") continue;
    const rest = place.rest.includes("*") && parsePattern(place.rest);
    for (const folder of place.folders)
      if (!rest) look(join(folder, place.rest), place, found);
      else walk(folder, "", depth, { entries }, (path, names) => matchNames(rest, names) && look(path, place, found));
  }
  if (reach === "deep") {
    const anywhere = places.filter((p) => p.anywhere);
    walk(projectRoot, "", PROJECT.depth, { entries: PROJECT.entries }, (path, names) => {
      const place = anywhere.find((p) => matchNames(p.pattern, names));
      if (place) look(path, place, found);
    });
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

type Visit = (path: string, names: string[]) => void;

function walk(root: string, below: string, depth: number, left: { entries: number }, visit: Visit): void {
  for (const entry of entriesOf(join(root, below))) {
    if (--left.entries < 0) return;
    const relative = below ? `${below}/${entry.name}` : entry.name;
    if (!entry.isDirectory()) visit(join(root, relative), relative.split("/"));
    else if (depth > 1 && entry.name !== "node_modules") walk(root, relative, depth - 1, left, visit);
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // no such folder, or not ours to read: nothing to find
  }
}
