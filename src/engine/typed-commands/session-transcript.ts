// Which transcript proves a typed command: the one the session began with, where the client keeps its transcripts.
// Invariant: the first event of a session names it for good; an event that names another proves nothing.
import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { Event } from "../../model/event.js";
import { at, type Memory } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import type { ProtectedPlaces } from "../../project/protected/protected.js";
import { sliceKey } from "../slices.js";

interface TranscriptState {
  path?: string;
}

export const sessionTranscript: Memory<TranscriptState> = {
  id: "engine/transcript",
  on: at("session.start", "prompt"),
  state: { scope: "session", initial: {} },
  learn({ event, state }) {
    if (event.agent || !event.transcript || state.value.path !== undefined) return;
    const path = event.transcript.slice(0, 1_000);
    state.update((s) => void (s.path = path));
  },
};

export type Proving = { path?: string | undefined } | "another";

/** The transcript that may prove something with this event. `another`: it proves nothing and refutes nothing. */
export function provingTranscript(event: Event, state: JsonObject, places: ProtectedPlaces): Proving {
  const known = (state[sliceKey(sessionTranscript.id, "session", event)] as TranscriptState | undefined)?.path;
  if (event.transcript !== known) return "another";
  if (known === undefined || basename(known) !== `${event.session}.jsonl`) return {};
  const folders = [join(places.home, ".claude"), ...(places.configDir ? [places.configDir] : [])];
  const real = realOf(known);
  const kept = folders.some((folder) => real?.startsWith(`${realOf(join(folder, "projects")) ?? "?"}/`));
  return kept ? { path: known } : {};
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // not written yet: it proves nothing yet
  }
}
