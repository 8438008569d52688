// Names in the record what was answered without being judged or recorded.
// Invariant: a note is read under the lock and removed before it is free, so that no two processes record it.
import { readFileSync, unlinkSync } from "node:fs";
import { join, sep } from "node:path";
import { defined, type Json } from "../model/json.js";
import type { Store } from "../store/types.js";
import { notesFolder, notesIn, type UnrecordedNote } from "./unrecorded-notes.js";

export { noteUnrecorded } from "./unrecorded-notes.js";

/** At most this many in one record; the next event takes more. */
const most = 500;

/** Records what lies there for a project, in one record. */
export function recordNotes(store: Store, root: string): void {
  const folder = notesFolder(store.place.home);
  const isOf = ({ cwd }: UnrecordedNote) => cwd === root || cwd.startsWith(root + sep);
  const ours = () =>
    notesIn(folder)
      .map((name) => ({ path: join(folder, name), note: noteIn(join(folder, name)) }))
      .filter(({ note }) => note && isOf(note))
      .slice(0, most);
  if (!ours().length) return;
  let taken: ReturnType<typeof ours> = [];
  // Read under the lock, removed before it is free: no other process records them, too.
  const line = store.appendUnfinished(() => {
    taken = ours();
    const events = taken.map(({ note }) => defined({ ...note!, cwd: undefined }));
    return taken.length ? { type: "unrecorded", body: { events: events as Json[] } } : undefined;
  });
  for (const { path } of taken) unlinkSync(path);
  line?.finish();
}

function noteIn(path: string): UnrecordedNote | undefined {
  try {
    const note = JSON.parse(readFileSync(path, "utf8")) as UnrecordedNote;
    return typeof note.cwd === "string" ? note : undefined;
  } catch {
    return undefined; // half-written
  }
}
