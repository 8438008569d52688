// Slices of sessions nobody has used lately, kept beside the snapshot so that its size does not depend on how many
// sessions a project had. Invariant: a session stands in the snapshot or in one archive file, never in both; a file
// counts only while it has the digest the signed snapshot names, and is on the disk before a snapshot names it.
import type { JsonObject } from "../../model/json.js";
import { sha256 } from "../../model/sha256.js";
import { zlib } from "../../project/node-builtins.js";
import { type Io, listDir, readOr, removeIfThere, replaceStoreFile } from "../io.js";
import type { Layout } from "../layout.js";
import { canonical } from "../ledger/canonical-json.js";
import type { Head } from "../signed-files.js";
import type { Finding } from "../types.js";

/** When a session in the snapshot was last changed: by which record, in epoch milliseconds. */
export interface LastChange {
  at: number;
  seq: number;
}

export interface LiveSessions {
  /** How many sessions stay in the snapshot whatever happens. */
  kept: number;
  /** A session this many records silent may go. */
  records: number;
  /** With more than this the longest silent ones go in any case. */
  most: number;
}

export const usualLive: LiveSessions = { kept: 32, records: 512, most: 256 };

interface ArchivedSession {
  at: number;
  slices: JsonObject;
}

type Shard = Record<string, ArchivedSession>;

/** How many files one snapshot may write: each is forced to the disk. */
const mostFiles = 32;

/** The session a slice belongs to: `<owner>@<session>` or `<owner>@<session>/<agent>`. */
export function sessionOfSlice(key: string): string | undefined {
  const start = key.indexOf("@");
  if (start < 0) return undefined;
  const end = key.indexOf("/", start);
  return end < 0 ? key.slice(start + 1) : key.slice(start + 1, end);
}

export const sessionsIn = (slices: JsonObject | undefined): Set<string> =>
  new Set(Object.keys(slices ?? {}).flatMap((key) => sessionOfSlice(key) ?? []));

const shardOf = (session: string): string => sha256(session).slice(0, 2);

const pathOf = (at: Layout, shard: string, digest: string): string =>
  `${at.sessions}/${shard}-${digest.slice(0, 16)}.json.br`;

/** Undefined: missing, or not what the snapshot names. */
function readShard(io: Io, at: Layout, shard: string, digest: string): Shard | undefined {
  const bytes = readOr(io, pathOf(at, shard, digest));
  if (!bytes || sha256(bytes) !== digest) return undefined;
  return JSON.parse(zlib().brotliDecompressSync(bytes).toString("utf8")) as Shard;
}

export interface Brought {
  head: Head;
  /** Archive files that could not be read. */
  lost: string[];
  /** Sessions of the same files, for who wants to forget old ones. */
  beside: Shard;
}

/** The head with these sessions' slices in its state, where the archive has them. */
export function bringSessions(io: Io, at: Layout, head: Head, sessions: Iterable<string>): Brought {
  const lost: string[] = [];
  const beside: Shard = {};
  let next = head;
  for (const session of sessions) {
    const shard = shardOf(session);
    const digest = next.archive[shard];
    if (digest === undefined || Object.hasOwn(next.live, session)) continue;
    const found = readShard(io, at, shard, digest);
    if (!found) {
      lost.push(pathOf(at, shard, digest));
      continue;
    }
    Object.assign(beside, found);
    const one = Object.hasOwn(found, session) ? found[session] : undefined;
    if (!one) continue;
    const live = { ...next.live, [session]: { at: one.at, seq: 0 } };
    const brought = [...(next.brought ?? []), session];
    next = { ...next, state: { ...next.state, ...one.slices }, live, brought };
  }
  return { head: next, lost, beside };
}

/** The whole state: what the ledger folds to. `ages`: when each session was last changed. */
export function wholeState(
  io: Io,
  at: Layout,
  head: Head,
): { state: JsonObject; lost: string[]; ages: Record<string, number> } {
  const shards = Object.entries(head.archive);
  const ages: Record<string, number> = {};
  for (const [session, { at: changed }] of Object.entries(head.live)) ages[session] = changed;
  if (!shards.length) return { state: head.state, lost: [], ages };
  const state = { ...head.state };
  const lost: string[] = [];
  for (const [shard, digest] of shards) {
    const found = readShard(io, at, shard, digest);
    if (!found) lost.push(pathOf(at, shard, digest));
    for (const [session, one] of Object.entries(found ?? {}))
      if (!Object.hasOwn(head.live, session)) {
        Object.assign(state, one.slices);
        ages[session] = one.at;
      }
  }
  return { state, lost, ages };
}

/** Notes which sessions a patch changes. Changes `live`. */
export function noteChanges(live: Head["live"], patch: JsonObject, seq: number, time: string): void {
  for (const session of sessionsIn(patch)) live[session] = { at: Date.parse(time), seq };
}

/** Of a state in which every session stands. */
export function allLive(state: JsonObject, seq: number, time: string): Head["live"] {
  const live: Head["live"] = {};
  noteChanges(live, state, seq, time);
  return live;
}

/** Moves silent sessions out of the head and those that were brought in out of their files. Removes no file. */
export function settleSessions(io: Io, at: Layout, head: Head, nonce: string, limits: LiveSessions = usualLive): Head {
  const { brought = [], ...rest } = head;
  const leaving = new Set(silent(head, limits));
  const touched = new Map<string, string[]>();
  // One that was brought back may leave at once: it is moved once.
  for (const session of new Set([...brought, ...leaving])) {
    const shard = shardOf(session);
    if (touched.has(shard)) touched.get(shard)!.push(session);
    else if (touched.size < mostFiles + brought.length) touched.set(shard, [session]);
  }
  if (!touched.size) return rest;
  const own = slicesBySession(head.state, leaving);
  const next = { ...rest, state: { ...rest.state }, live: { ...rest.live }, archive: { ...rest.archive } };
  for (const [shard, sessions] of touched) {
    const digest = next.archive[shard];
    const file = digest === undefined ? {} : readShard(io, at, shard, digest);
    if (!file) continue; // reported by who needs it; nothing is written over what is missing
    for (const session of sessions) {
      delete file[session];
      if (!leaving.has(session)) continue;
      const gone = own.get(session) ?? {};
      if (Object.keys(gone).length) file[session] = { at: next.live[session]!.at, slices: gone };
      for (const key of Object.keys(gone)) delete next.state[key];
      delete next.live[session];
    }
    if (Object.keys(file).length) next.archive[shard] = writeShard(io, at, shard, file, nonce);
    else delete next.archive[shard];
  }
  return next;
}

function silent({ live, seq }: Head, { kept, records, most }: LiveSessions): string[] {
  const sessions = Object.keys(live).sort((a, b) => live[a]!.seq - live[b]!.seq);
  const surplus = sessions.length - kept;
  return sessions.filter(
    (session, i) => i < surplus && (seq - live[session]!.seq >= records || sessions.length - i > most),
  );
}

function slicesBySession(state: JsonObject, wanted: ReadonlySet<string>): Map<string, JsonObject> {
  const found = new Map<string, JsonObject>();
  for (const [key, value] of Object.entries(state)) {
    const session = sessionOfSlice(key);
    if (session === undefined || !wanted.has(session)) continue;
    const slices = found.get(session) ?? {};
    slices[key] = value;
    found.set(session, slices);
  }
  return found;
}

function writeShard(io: Io, at: Layout, shard: string, file: Shard, nonce: string): string {
  const { brotliCompressSync, constants } = zlib();
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const bytes = brotliCompressSync(Buffer.from(canonical(file)), { params });
  const digest = sha256(bytes);
  replaceStoreFile(io, pathOf(at, shard, digest), bytes, nonce, true);
  return digest;
}

/** Removes files no snapshot names any more. Called under the lock, after snapshot and backup were replaced. */
export function dropUnnamed(io: Io, at: Layout, { archive }: Head): void {
  const named = new Set(Object.entries(archive).map(([shard, digest]) => pathOf(at, shard, digest)));
  for (const name of listDir(io, at.sessions)) {
    const path = `${at.sessions}/${name}`;
    if (!named.has(path)) removeIfThere(io, path);
  }
}

/** Slices of sessions that were last changed before this moment. */
export function silentSlices({ state, live }: Head, beside: Shard, before: number): string[] {
  const old = new Set(Object.keys(live).filter((session) => live[session]!.at < before));
  const here = old.size ? Object.keys(state).filter((key) => old.has(sessionOfSlice(key) ?? "")) : [];
  const archived = Object.entries(beside).flatMap(([session, one]) =>
    one.at < before && !Object.hasOwn(live, session) ? Object.keys(one.slices) : [],
  );
  return [...here, ...archived];
}

export const archiveLost = (lost: readonly string[]): Finding => ({
  kind: "sessions-altered",
  level: "tampering",
  what: `The kept state of earlier sessions is missing or was altered: ${lost.slice(0, 3).join(", ")}.`,
  remedy: "Find out who did it, then run `interlock recover --reason <text>`: it is read from the ledger again.",
});
