// Events that were answered without being judged or recorded, noted so that the next writer records that they were.
// Invariant: a note holds names and ids, never words of a call; it is removed once it is in the record.
import { mkdirSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { defined, type Json } from "../model/json.js";
import type { Store } from "../store/types.js";

export interface UnrecordedNote {
  hostEvent: string;
  at: string;
  cwd: string;
  session?: string;
  /** Of the call. */
  id?: string;
}

/** At most this many in one record; the next event takes more. */
const most = 500;
/** Where nothing can be recorded for long, the rest is not noted. */
const mostNotes = 2_000;
export const notesFolder = (home: string): string => join(home, "unrecorded");

/** Never fails: the answer matters more. */
export function noteUnrecorded(home: string, note: UnrecordedNote): void {
  const folder = notesFolder(home);
  const name = `${Date.now()}-${process.pid}-${process.hrtime.bigint().toString(36)}.json`;
  const write = () => writeFileSync(join(folder, name), JSON.stringify(note), { mode: 0o600, flag: "wx" });
  if (namesIn(folder).length >= mostNotes) return;
  try {
    write();
  } catch {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      write();
    } catch {
      // no room: the person was told
    }
  }
}

/** The note of an event as the host sent it. */
export function noteOfPayload(hostEvent: string, payload: Buffer): UnrecordedNote | undefined {
  try {
    const { session_id, tool_use_id, cwd } = JSON.parse(payload.toString("utf8"));
    if (typeof cwd !== "string") return undefined;
    const ids = { session: session_id, id: tool_use_id };
    const named = Object.entries(ids).filter(([, id]) => typeof id === "string" && /^[\w-]{1,80}$/.test(id));
    return { hostEvent, at: new Date().toISOString(), cwd, ...Object.fromEntries(named) };
  } catch {
    return undefined;
  }
}

/** Records what lies there for a project, in one record. */
export function recordNotes(store: Store, root: string): void {
  const folder = notesFolder(store.place.home);
  const isOf = ({ cwd }: UnrecordedNote) => cwd === root || cwd.startsWith(root + sep);
  const ours = () =>
    namesIn(folder)
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

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // nothing was ever noted
  }
}

function noteIn(path: string): UnrecordedNote | undefined {
  try {
    const note = JSON.parse(readFileSync(path, "utf8")) as UnrecordedNote;
    return typeof note.cwd === "string" ? note : undefined;
  } catch {
    return undefined; // half-written
  }
}
