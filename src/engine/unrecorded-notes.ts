// Events that were answered without being judged or recorded, noted so that the next writer records that they were.
// Invariant: a note holds names and ids, never words of a call; `record-notes.ts` removes it once it is in the record.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface UnrecordedNote {
  hostEvent: string;
  at: string;
  cwd: string;
  session?: string;
  /** Of the call. */
  id?: string;
}

/** Where nothing can be recorded for long, the rest is not noted. */
const mostNotes = 2_000;
export const notesFolder = (home: string): string => join(home, "unrecorded");

/** Never fails: the answer matters more. */
export function noteUnrecorded(home: string, note: UnrecordedNote): void {
  const folder = notesFolder(home);
  const name = `${Date.now()}-${process.pid}-${process.hrtime.bigint().toString(36)}.json`;
  const write = () => writeFileSync(join(folder, name), JSON.stringify(note), { mode: 0o600, flag: "wx" });
  if (notesIn(folder).length >= mostNotes) return;
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

export function notesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // nothing was ever noted
  }
}
