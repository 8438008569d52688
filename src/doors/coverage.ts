// The share of the agent's calls that have a record: what its own transcripts say ran, held against the ledger by the call's id.
// Invariant: only what provably ran after Interlock was here counts; a call the client itself turned away, or one still open, is no gap.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { JsonObject } from "../engine/json.js";
import { callsIn, type TranscriptCall, transcriptFolder, transcriptsIn } from "../hosts/claude-code/transcript.js";
import type { Opened } from "./open.js";

export interface Coverage {
  /** Calls that ran, according to the transcripts. */
  calls: number;
  governed: number;
  /** Ran without a record. */
  missing: TranscriptCall[];
  transcripts: number;
  /** From when on calls were looked for; undefined where nothing was ever recorded here. */
  since?: string;
}

/** `from`: the first record that counts; older calls and transcripts untouched since are left out. */
export function coverage(opened: Pick<Opened, "store" | "repository" | "places" | "userHome">, from = 1): Coverage {
  const ids = new Set<string>();
  const folders = new Set([transcriptFolder(opened.repository.root, configFolder(opened))]);
  let since: string | undefined;
  for (const { type, time, body } of opened.store.records({ from })) {
    if (since === undefined && (type === "event" || type === "install")) since = time;
    const { event, tool, transcript } = body as { event?: string; tool?: JsonObject; transcript?: string };
    if (event === "tool.before" && tool?.["id"] !== undefined) ids.add(String(tool["id"]));
    if (transcript) folders.add(dirname(transcript));
  }
  const out: Coverage = { calls: 0, governed: 0, missing: [], transcripts: 0 };
  if (since === undefined) return out;
  out.since = since;
  const seen = new Set<string>();
  for (const file of [...folders].flatMap(transcriptsIn)) {
    if (!touchedSince(file, since)) continue;
    out.transcripts++;
    for (const call of callsIn(file)) {
      // A resumed or forked session begins with a copy of the calls before it.
      if (!call.ran || call.time < since || seen.has(call.id)) continue;
      seen.add(call.id);
      out.calls++;
      if (ids.has(call.id)) out.governed++;
      else out.missing.push(call);
    }
  }
  return out;
}

const configFolder = ({ places, userHome }: Pick<Opened, "places" | "userHome">): string =>
  places.configDir ?? `${userHome}/.claude`;

function touchedSince(file: string, since: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && stat.mtimeMs >= Date.parse(since);
}

export const inWords = ({ calls, governed }: Coverage): string =>
  `${governed} of ${calls} call${calls === 1 ? "" : "s"} governed`;

export const describeCall = ({ tool, id, session, agent, time }: TranscriptCall): string =>
  `${tool} ${id}${agent ? ` of sub-agent ${agent}` : ""} in session ${session.slice(0, 8)} at ${time}`;
