// Digests known from last time, by path and stat data (inode, size, both times), so that an unchanged tree is not
// read again.
// Invariant: a file changed while or just before it was hashed is not remembered; a damaged cache is an empty one.
//
// One file: magic, number of entries, length of the paths; sizes, inodes, modification and change times as doubles;
// digests as hex; the paths, each with a line end. It is used as it lies, in the order of the last walk.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readBounded } from "../project/bounded-read.js";
import type { TrackedFile } from "./tracked-files.js";

const magic = "interlock-hash-2";
const headBytes = magic.length + 8;
const maxBytes = 256 << 20;
const mostEntries = 500_000;
/** Clocks of file systems are coarse: two writes this close may carry the same time. */
export const settleMs = 100;

interface Table {
  paths: readonly string[];
  /** Four columns, one after the other: size, inode, modification and change time. */
  stats: Float64Array;
  digests: string;
}

const empty: Table = { paths: [], stats: new Float64Array(0), digests: "" };

export class HashCache {
  readonly #old: Table;
  /** Where the next path of an unchanged tree is found. */
  #next = 0;
  #byPath: Map<string, number> | undefined;
  #new = new Map<string, { file: TrackedFile; sha256: string }>();

  constructor(private readonly file: string | undefined) {
    this.#old = file === undefined ? empty : tableIn(file);
  }

  get(file: TrackedFile): string | undefined {
    const { paths, stats, digests } = this.#old;
    const i = paths[this.#next] === file.path ? this.#next : this.#find(file.path);
    if (i === undefined) return undefined;
    this.#next = i + 1;
    const count = paths.length;
    const isSame =
      stats[i] === file.bytes &&
      stats[count + i] === file.ino &&
      stats[2 * count + i] === file.mtimeMs &&
      stats[3 * count + i] === file.ctimeMs;
    return isSame ? digests.slice(i * 64, i * 64 + 64) : undefined;
  }

  set(file: TrackedFile, sha256: string): void {
    this.#new.set(file.path, { file, sha256 });
  }

  /** `walked`: the files of this look, in its order, so that the next one finds them in a row. */
  save(walked: readonly TrackedFile[]): void {
    if (!this.#new.size || this.file === undefined) return;
    const entries: { file: TrackedFile; sha256: string }[] = [];
    const seen = new Set<string>();
    for (const file of walked) {
      seen.add(file.path);
      const fresh = this.#new.get(file.path);
      const sha256 = fresh?.sha256 ?? this.get(file);
      if (sha256 !== undefined) entries.push({ file: fresh?.file ?? file, sha256 });
    }
    this.#old.paths.forEach((path, i) => {
      if (!seen.has(path)) entries.push(this.#entry(path, i));
    });
    // Without a sync, which a cache is not worth.
    const temporary = `${this.file}.${process.pid}.tmp`;
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(temporary, bytesOf(entries.filter((e) => !e.file.path.includes("\n")).slice(0, mostEntries)), {
      mode: 0o600,
    });
    renameSync(temporary, this.file);
    this.#new.clear();
  }

  #find(path: string): number | undefined {
    this.#byPath ??= new Map(this.#old.paths.map((known, i) => [known, i]));
    return this.#byPath.get(path);
  }

  #entry(path: string, i: number): { file: TrackedFile; sha256: string } {
    const { stats, digests, paths } = this.#old;
    const at = (column: number) => stats[column * paths.length + i]!;
    return {
      file: { path, bytes: at(0), ino: at(1), mtimeMs: at(2), ctimeMs: at(3) },
      sha256: digests.slice(i * 64, i * 64 + 64),
    };
  }
}

function tableIn(file: string): Table {
  let all: Buffer;
  try {
    all = readBounded(file, maxBytes);
  } catch {
    return empty; // none yet
  }
  if (all.length < headBytes || all.toString("latin1", 0, magic.length) !== magic) return empty;
  const count = all.readUInt32LE(magic.length);
  const statBytes = 32 * count;
  const pathsAt = headBytes + statBytes + 64 * count;
  if (all.length !== pathsAt + all.readUInt32LE(magic.length + 4)) return empty;
  const paths = all.toString("utf8", pathsAt).split("\n");
  if (paths.pop() !== "" || paths.length !== count) return empty;
  // A copy, because doubles must lie at a multiple of eight.
  const stats = new Float64Array(4 * count);
  all.copy(new Uint8Array(stats.buffer), 0, headBytes, headBytes + statBytes);
  return { paths, stats, digests: all.toString("latin1", headBytes + statBytes, pathsAt) };
}

function bytesOf(entries: readonly { file: TrackedFile; sha256: string }[]): Buffer {
  const count = entries.length;
  const stats = new Float64Array(4 * count);
  entries.forEach(({ file: { bytes, ino, mtimeMs, ctimeMs } }, i) => {
    stats[i] = bytes;
    stats[count + i] = ino;
    stats[2 * count + i] = mtimeMs;
    stats[3 * count + i] = ctimeMs;
  });
  const paths = Buffer.from(entries.map(({ file }) => `${file.path}\n`).join(""));
  const head = Buffer.alloc(headBytes);
  head.write(magic, "latin1");
  head.writeUInt32LE(count, magic.length);
  head.writeUInt32LE(paths.length, magic.length + 4);
  const digests = Buffer.from(entries.map(({ sha256 }) => sha256).join(""), "latin1");
  return Buffer.concat([head, Buffer.from(stats.buffer), digests, paths]);
}
