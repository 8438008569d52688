// A shard of the index: for a stretch of lines of agent_trace.jsonl, which lines concern which key. Invariant: bytes
// that never change once made; lines ascend. A key is kept as a hash, so an answer has to be checked against the line.
//
// Layout, little-endian: magic (8), base offset f64, lines u32, keys u32, postings u32, zero u32; then (lines + 1)
// u32 offsets from the base; then per key, sorted: hash high u32, hash low u32, first posting u32, count u32; then the
// postings, u32 line numbers.

const magic = "ILTRIX01";
const headBytes = 32;
const keyBytes = 16;
const fewReads = 128;

/** Limits of one shard: they bound the memory of a build and keep every number in 32 bits. */
export const shardLimits = { lines: 250_000, postings: 2_000_000, bytes: 1 << 30 } as const;

export class ShardBuilder {
  readonly #base: number;
  readonly #offsets: number[] = [];
  readonly #lines = new Map<string, number[]>();
  #end: number;
  #postings = 0;

  constructor(base: number) {
    this.#base = base;
    this.#end = base;
  }

  get lines(): number {
    return this.#offsets.length;
  }

  get isFull(): boolean {
    const { lines, postings, bytes } = shardLimits;
    return this.lines >= lines || this.#postings >= postings || this.#end - this.#base >= bytes;
  }

  /** A line and the keys of its record; none: a line that is no record. */
  add(from: number, to: number, keys: readonly string[]): void {
    const line = this.#offsets.length;
    this.#offsets.push(from - this.#base);
    this.#end = to;
    for (const key of keys) {
      const list = this.#lines.get(key);
      if (list) list.push(line);
      else this.#lines.set(key, [line]);
      this.#postings++;
    }
  }

  encode(): Buffer {
    const entries = [...this.#lines].map(([key, lines]) => ({ hash: keyHash(key), lines }));
    return encode(this.#base, [...this.#offsets, this.#end - this.#base], entries);
  }
}

interface KeyEntry {
  hash: [high: number, low: number];
  lines: number[];
}

function encode(base: number, offsets: readonly number[], unsorted: readonly KeyEntry[]): Buffer {
  const entries = [...unsorted].sort((a, b) => compareHash(a.hash, b.hash));
  const postings = entries.reduce((sum, { lines }) => sum + lines.length, 0);
  const bytes = Buffer.alloc(headBytes + offsets.length * 4 + entries.length * keyBytes + postings * 4);
  bytes.write(magic, 0, "latin1");
  bytes.writeDoubleLE(base, 8);
  bytes.writeUInt32LE(offsets.length - 1, 16);
  bytes.writeUInt32LE(entries.length, 20);
  bytes.writeUInt32LE(postings, 24);
  let at = headBytes;
  for (const offset of offsets) at = bytes.writeUInt32LE(offset, at);
  let first = 0;
  for (const { hash, lines } of entries) {
    at = bytes.writeUInt32LE(hash[0], at);
    at = bytes.writeUInt32LE(hash[1], at);
    at = bytes.writeUInt32LE(first, at);
    at = bytes.writeUInt32LE(lines.length, at);
    first += lines.length;
  }
  for (const { lines } of entries) for (const line of lines) at = bytes.writeUInt32LE(line, at);
  return bytes;
}

/** Reads bytes of a shard: from memory or from its file. */
export type ReadBytes = (at: number, length: number) => Buffer;

export class Shard {
  readonly base: number;
  readonly lines: number;
  readonly #keys: number;
  readonly #postings: number;
  readonly #read: ReadBytes;

  /** Undefined: not a shard of this kind, or cut off. */
  static open(read: ReadBytes, size: number): Shard | undefined {
    if (size < headBytes) return undefined;
    const head = read(0, headBytes);
    if (head.length < headBytes || head.toString("latin1", 0, 8) !== magic) return undefined;
    const shard = new Shard(read, head);
    return shard.#size === size ? shard : undefined;
  }

  private constructor(read: ReadBytes, head: Buffer) {
    this.#read = read;
    this.base = head.readDoubleLE(8);
    this.lines = head.readUInt32LE(16);
    this.#keys = head.readUInt32LE(20);
    this.#postings = head.readUInt32LE(24);
  }

  get #keysAt(): number {
    return headBytes + (this.lines + 1) * 4;
  }

  get #postingsAt(): number {
    return this.#keysAt + this.#keys * keyBytes;
  }

  get #size(): number {
    return this.#postingsAt + this.#postings * 4;
  }

  /** The lines that may concern a key, ascending. */
  find(key: string): number[] {
    const hash = keyHash(key);
    let low = 0;
    let high = this.#keys;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#read(this.#keysAt + middle * keyBytes, keyBytes);
      const order = compareHash([entry.readUInt32LE(0), entry.readUInt32LE(4)], hash);
      if (order === 0) return this.#numbers(this.#postingsAt + entry.readUInt32LE(8) * 4, entry.readUInt32LE(12));
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return [];
  }

  /** Where lines are in the file, their line breaks included. */
  places(lines: readonly number[]): { from: number; to: number }[] {
    // Many single reads cost more than the whole table.
    const table = lines.length > fewReads ? this.#read(headBytes, (this.lines + 1) * 4) : undefined;
    return lines.map((line) => {
      const bytes = table ?? this.#read(headBytes + line * 4, 8);
      const at = table ? line * 4 : 0;
      return { from: this.base + bytes.readUInt32LE(at), to: this.base + bytes.readUInt32LE(at + 4) };
    });
  }

  #numbers(at: number, count: number): number[] {
    const bytes = this.#read(at, count * 4);
    return Array.from({ length: count }, (_, i) => bytes.readUInt32LE(i * 4));
  }

  /** Two shards that follow each other as one. */
  static merge(first: Shard, second: Shard): Buffer {
    const shift = second.base - first.base;
    const offsets = [
      ...first.#numbers(headBytes, first.lines),
      ...second.#numbers(headBytes, second.lines + 1).map((offset) => offset + shift),
    ];
    const entries: KeyEntry[] = first.#entries(0);
    const known = new Map(entries.map((entry) => [entry.hash.join(), entry]));
    for (const entry of second.#entries(first.lines)) {
      const same = known.get(entry.hash.join());
      if (same) same.lines = [...same.lines, ...entry.lines];
      else entries.push(entry);
    }
    return encode(first.base, offsets, entries);
  }

  #entries(shift: number): KeyEntry[] {
    const keys = this.#numbers(this.#keysAt, this.#keys * 4);
    const postings = this.#numbers(this.#postingsAt, this.#postings);
    return Array.from({ length: this.#keys }, (_, i) => {
      const [high, low, first, count] = keys.slice(i * 4, i * 4 + 4) as [number, number, number, number];
      return { hash: [high, low], lines: postings.slice(first, first + count).map((line) => line + shift) };
    });
  }
}

const compareHash = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0] || a[1] - b[1];

/** Two 32-bit hashes (cyrb53). Collisions cost a line read in vain, nothing else. */
function keyHash(key: string): [high: number, low: number] {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < key.length; i++) {
    const code = key.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0];
}
