// Digests known from last time, by path and stamp (inode, size, both times), so that an unchanged tree is not read again.
// Invariant: a file changed while or just before it was hashed is not remembered; a damaged cache is an empty one.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";

const header = "interlock-hash-cache 1";
const maxBytes = 256 << 20;
/** Clocks of file systems are coarse: two writes this close may carry the same time. */
export const settleMs = 100;

export class HashCache {
  #known = new Map<string, string>();
  #changed = false;

  constructor(private readonly file: string | undefined) {
    if (file !== undefined) this.#load(file);
  }

  get(path: string, stamp: string): string | undefined {
    const entry = this.#known.get(path);
    return entry?.startsWith(stamp) && entry[stamp.length] === " " ? entry.slice(stamp.length + 1) : undefined;
  }

  set(path: string, stamp: string, sha256: string): void {
    this.#known.set(path, `${stamp} ${sha256}`);
    this.#changed = true;
  }

  save(): void {
    if (!this.#changed || this.file === undefined) return;
    const lines = [header];
    for (const [path, entry] of this.#known) if (!/[\n\t]/.test(path)) lines.push(`${entry}\t${path}`);
    // Without a sync, which a cache is not worth.
    const temporary = `${this.file}.${process.pid}.tmp`;
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(temporary, `${lines.join("\n")}\n`, { mode: 0o600 });
    renameSync(temporary, this.file);
    this.#changed = false;
  }

  #load(file: string): void {
    let text: string;
    try {
      text = readBoundedText(file, maxBytes);
    } catch {
      return; // none yet
    }
    const lines = text.split("\n");
    if (lines[0] !== header) return;
    for (let i = 1; i < lines.length; i++) {
      const line = lines[i]!;
      const tab = line.indexOf("\t");
      if (tab > 0) this.#known.set(line.slice(tab + 1), line.slice(0, tab));
    }
  }
}
