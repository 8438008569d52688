// The share of the agent's calls that have a record: what its own transcripts say ran, held against the ledger by the call's id.
// Invariant: only what provably ran after Interlock was here counts; a call the client itself turned away, or one still open, is no gap.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Opened } from "../hook/open-project.js";
import {
  callsIn,
  foldersAbout,
  startOf,
  type TranscriptCall,
  transcriptFolder,
  transcriptsIn,
} from "../hosts/claude-code/protocol/transcript.js";
import type { JsonObject } from "../model/json.js";
import { identify } from "../project/identify.js";
import { workTreesOf } from "../project/worktrees.js";

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

/** The record of a call may be a little older than the line of the transcript that announces it. */
const overlap = 500;

/** `from`: the first record that counts; older calls and transcripts untouched since are left out. */
export function coverage(opened: Pick<Opened, "store" | "repository" | "places" | "userHome">, from = 1): Coverage {
  const ids = new Set<string>();
  const named = new Set<string>();
  let since: string | undefined;
  for (const { seq, type, time, body } of opened.store.records({ from: Math.max(1, from - overlap) })) {
    if (since === undefined && seq >= from && (type === "event" || type === "install")) since = time;
    const { event, tool, transcript } = body as { event?: string; tool?: JsonObject; transcript?: string };
    if (event === "tool.before" && tool?.["id"] !== undefined) ids.add(String(tool["id"]));
    if (transcript) named.add(transcript);
  }
  const out: Coverage = { calls: 0, governed: 0, missing: [], transcripts: 0 };
  if (since === undefined) return out;
  out.since = since;
  const seen = new Set<string>();
  for (const file of transcriptsOf(opened, [...named])) {
    if (!touchedSince(file, since) || !isOfProject(file, opened, named)) continue;
    out.transcripts++;
    for (const call of callsIn(file)) {
      // A resumed or forked session begins with a copy of the calls before it.
      if (call.time < since || seen.has(call.id)) continue;
      const governed = ids.has(call.id);
      if (!call.ran && !(governed && call.ended)) continue;
      seen.add(call.id);
      out.calls++;
      if (governed) out.governed++;
      else out.missing.push(call);
    }
  }
  out.missing.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return out;
}

type Where = Pick<Opened, "repository" | "places" | "userHome">;

/** Of the project's folders and work trees, of what is below them, and of every session that is on record. */
function transcriptsOf(where: Where, named: readonly string[]): string[] {
  const { root, commonDir } = where.repository;
  const roots = [root, ...(commonDir ? workTreesOf(commonDir) : [])];
  const folders = new Set([...foldersAbout(roots, configFolder(where)), ...named.map((file) => dirname(file))]);
  return [...new Set([...folders].flatMap((folder) => transcriptsIn(folder)))];
}

/** Different folders have the same name with the client: a session belongs where it says it began. */
function isOfProject(file: string, where: Where, named: ReadonlySet<string>): boolean {
  const start = startOf(file);
  if (start !== undefined) return identify(start).id === where.repository.id;
  return named.has(file) || file.startsWith(`${transcriptFolder(where.repository.root, configFolder(where))}/`);
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
