// Removes what Interlock keeps of a project: texts of the record, kept words, state of sessions, kept work and looks at
// the work tree.
// Invariant: the ledger's chain stays whole. What is open now (the look of a running call) goes only when asked for by
// a person.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Retention } from "../model/config.js";
import { isObject } from "../model/json.js";
import { dropKeptWork, holdsText, type KeptWork, listKeptWork } from "../project/kept-work.js";
import { keptFile, watchFolder } from "../project/watch-folder.js";
import type { Erased, Erasure, Store } from "../store/index.js";
import { lastRetention, retentionMark } from "./retention-due.js";

export interface ErasedEverywhere extends Erased {
  /** Ids of kept work. */
  work: string[];
  /** Looks at the work tree: of open calls, and those a verdict can be restored from. */
  looks: number;
}

interface Place {
  store: Store;
  /** Interlock's own for the project. */
  folder: string;
  root: string;
}

/** A session's erasure takes the work and the looks that its own calls led to; that of a text takes kept work whole. */
export function eraseEverywhere({ store, folder, root }: Place, what: Erasure): ErasedEverywhere {
  const { before, session, matching, dryRun } = what;
  const own = session === undefined ? undefined : madeBy(store, session);
  const erased = store.erase(what);
  const old = (ms: number) => before === undefined || ms < before.getTime();
  const goes = (work: KeptWork) =>
    old(work.at) &&
    (!own || own.work.some((id) => work.id === id || work.id.startsWith(`${id}-stash-`))) &&
    (!matching || holdsText(folder, root, work, matching));
  const work = dryRun
    ? listKeptWork(folder, root)
        .filter(goes)
        .map(({ id }) => id)
    : dropKeptWork(folder, root, goes);
  const files = own
    ? [
        ...filesBelow(watchFolder(folder, session!)),
        ...own.verdicts.map((id) => keptFile(folder, id)).filter(existsSync),
      ]
    : ["watch", "kept"].flatMap((name) => filesBelow(join(folder, name)));
  let looks = 0;
  for (const file of files) {
    if (!old(statSync(file).mtimeMs) || (matching && !holds(file, matching))) continue;
    looks++;
    if (!dryRun) rmSync(file, { force: true });
  }
  return { ...erased, work, looks };
}

/** What calls of a session led to: ids of kept work, and of verdicts that looks may be kept for. */
function madeBy(store: Store, session: string): { work: string[]; verdicts: string[] } {
  const [work, verdicts]: [string[], string[]] = [[], []];
  for (const { session: of, body, ids = [] } of store.records()) {
    if (of !== session) continue;
    verdicts.push(...ids);
    for (const act of Array.isArray(body["acts"]) ? body["acts"] : [])
      if (isObject(act) && act["act"] === "keep-work") work.push(String(act["id"]));
  }
  return { work, verdicts };
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

/** Contents are kept in base64: looked for as they are, and decoded. */
function holds(file: string, forms: readonly string[]): boolean {
  const text = readFileSync(file, "utf8");
  const copies = [...text.matchAll(/"([A-Za-z0-9+/=]{8,})"/g)].map(([, copy]) =>
    Buffer.from(copy!, "base64").toString("utf8"),
  );
  return [text, ...copies].some((one) => forms.some((form) => one.includes(form)));
}

const day = 24 * 3600_000;
/** Erases what is older than the settings allow, at most once a day. */
export function keepToRetention(place: Place, { texts, work }: Retention, now: number): void {
  const { store, folder, root } = place;
  if (now - (lastRetention(folder) ?? 0) < day) return;
  mkdirSync(join(folder, "texts"), { recursive: true, mode: 0o700 });
  writeFileSync(retentionMark(folder), "", { mode: 0o600 });
  if (texts > 0) store.erase({ before: new Date(now - texts * day) });
  if (work <= 0) return;
  const limit = now - work * day;
  dropKeptWork(folder, root, ({ at }) => at < limit);
  for (const file of ["watch", "kept"].flatMap((name) => filesBelow(join(folder, name))))
    if (statSync(file).mtimeMs < limit) rmSync(file, { force: true });
}
