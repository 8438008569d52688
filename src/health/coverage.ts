// The share of the agent's calls that have a record: its own transcripts compared with the ledger, by call id.
// Invariant: counts only calls that ran after Interlock was installed; calls the client refused or that are still open
// are not missing.
import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Opened } from "../hook/open-project.js";
import {
  callsIn,
  foldersAbout,
  startFolderOf,
  type TranscriptCall,
  transcriptFolder,
  transcriptsIn,
} from "../hosts/claude-code/protocol/transcript.js";
import type { JsonObject } from "../model/json.js";
import { identify } from "../project/identify.js";
import { workTreesOf } from "../project/worktrees.js";
import type { CheckContext } from "./context.js";
import type { HealthFinding } from "./finding.js";

export interface Coverage {
  /** Calls that ran, according to the transcripts. */
  calls: number;
  governed: number;
  /** Calls that ran without a record. */
  missing: TranscriptCall[];
  transcripts: number;
  /** When counting starts; undefined if nothing was ever recorded here. */
  since?: string;
}

/** A call may be recorded a little before its line appears in the transcript. */
const overlap = 500;

/** `from`: the first record to count; older calls and transcripts not touched since are left out. */
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
      // A resumed or forked session starts with a copy of earlier calls.
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

/** How far back `status` and `doctor` look, in records. */
export const recentRecords = 5_000;

export function checkCoverage({ opened }: CheckContext): HealthFinding[] {
  const covered = recentCoverage(opened);
  if (!covered.calls) return [];
  const ok = covered.missing.length === 0;
  const what = `${inWords(covered)}, by the agent's own transcripts`;
  return [
    { area: "coverage", ok, ...(!ok && { mild: true as const, fix: "interlock verify lists the others" }), what },
  ];
}

/** Empty where the record cannot be read, which the record's own check reports. */
function recentCoverage(opened: Opened): Coverage {
  try {
    return coverage(opened, Math.max(1, opened.store.read().seq - recentRecords));
  } catch {
    return { calls: 0, governed: 0, missing: [], transcripts: 0 };
  }
}

type Where = Pick<Opened, "repository" | "places" | "userHome">;

/** Transcripts of the project's folders and work trees, of folders below, and of every recorded session. */
function transcriptsOf(where: Where, named: readonly string[]): string[] {
  const { root, commonDir } = where.repository;
  const roots = [root, ...(commonDir ? workTreesOf(commonDir) : [])];
  const folders = new Set([...foldersAbout(roots, configFolder(where)), ...named.map((file) => dirname(file))]);
  return [...new Set([...folders].flatMap((folder) => transcriptsIn(folder)))];
}

/** The client gives different folders the same transcript folder, so ask the session where it started. */
function isOfProject(file: string, where: Where, named: ReadonlySet<string>): boolean {
  const start = startFolderOf(file);
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
