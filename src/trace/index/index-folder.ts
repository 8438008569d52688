// Where the index of a trace file is kept: shards and a list of them, outside the work tree. Invariant: a cache:
// whatever does not fit the trace file, by size and by samples of its bytes, is not used; readers see a whole list.
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isObject } from "../../model/json.js";
import { sha256 } from "../../model/sha256.js";
import { replaceFile } from "../../project/replace-file.js";
import { Shard } from "./shard.js";

/** Lines of the trace file by what they are. */
export interface LineCounts {
  lines: number;
  records: number;
  /** Records in the seed's dialect, or with small faults. */
  dialect: number;
  /** A record that stands in the file again, seen within one shard. */
  duplicates: number;
  /** Neither a record nor empty. */
  unreadable: number;
}

export interface IndexList {
  version: number;
  /** The index knows the file up to here. */
  covered: number;
  /** Digest of samples of what it knows. */
  samples: string;
  shards: { name: string; lines: number }[];
  counts: LineCounts;
}

const listName = "index.json";
const listVersion = 1;
const sampleBytes = 512;
const samplePlaces = 16;
const edgeBytes = 4_096;
/** Another process may still read a shard that is no longer listed. */
const graceMs = 600_000;

export const indexFolderOf = (folder: string, file: string): string =>
  join(folder, "trace-index", sha256(file).slice(0, 16));

/** A digest of the head, the last bytes and places between: an edit that moves bytes is seen. */
export function samplesOf(fd: number, covered: number): string {
  const parts: Buffer[] = [];
  const take = (at: number, length: number): void => {
    const bytes = Buffer.alloc(Math.min(length, covered - at));
    readSync(fd, bytes, 0, bytes.length, at);
    parts.push(bytes);
  };
  take(0, edgeBytes);
  for (let i = 1; i < samplePlaces; i++) take(Math.floor((covered / samplePlaces) * i), sampleBytes);
  take(Math.max(0, covered - edgeBytes), edgeBytes);
  return sha256(Buffer.concat(parts));
}

/** The list of shards, where it fits the trace file. */
export function readList(folder: string, fd: number): IndexList | undefined {
  const list = parseList(folder);
  if (!list || fstatSync(fd).size < list.covered) return undefined;
  return samplesOf(fd, list.covered) === list.samples ? list : undefined;
}

function parseList(folder: string): IndexList | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, listName), "utf8"));
    if (!isObject(value) || value["version"] !== listVersion || !Array.isArray(value["shards"])) return undefined;
    return typeof value["covered"] === "number" && isObject(value["counts"])
      ? (value as unknown as IndexList)
      : undefined;
  } catch {
    return undefined;
  }
}

export function writeList(folder: string, list: Omit<IndexList, "version">): void {
  replaceFile(join(folder, listName), JSON.stringify({ version: listVersion, ...list }));
  removeUnlisted(folder, new Set(list.shards.map(({ name }) => name)));
}

export const forgetList = (folder: string): void => rmSync(join(folder, listName), { force: true });

let made = 0;

export function writeShard(folder: string, bytes: Buffer): string {
  mkdirSync(folder, { recursive: true });
  const name = `${Date.now().toString(36)}-${process.pid}-${made++}.shard`;
  replaceFile(join(folder, name), bytes);
  return name;
}

/** A shard read from its file; undefined: missing or damaged. */
export function openShard(folder: string, name: string): { shard: Shard; close(): void } | undefined {
  let fd: number;
  try {
    fd = openSync(join(folder, name), "r");
  } catch {
    return undefined;
  }
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    const got = readSync(fd, bytes, 0, length, at);
    return bytes.subarray(0, got);
  };
  const shard = Shard.open(read, fstatSync(fd).size);
  if (shard) return { shard, close: () => closeSync(fd) };
  closeSync(fd);
  return undefined;
}

function removeUnlisted(folder: string, listed: ReadonlySet<string>): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".shard") || listed.has(name)) continue;
    const path = join(folder, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > graceMs) rmSync(path, { force: true });
  }
}
