// Digests known from last time, by path and stat data (inode, size, both times), so that an unchanged tree is not
// read again.
// Invariant: a file changed while or just before it was hashed is not remembered; a damaged cache is an empty one.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";
import { sameStat, type TrackedFile } from "./tracked-files.js";

const header = "interlock-hash-cache 1";
const maxBytes = 256 << 20;
/** Clocks of file systems are coarse: two writes this close may carry the same time. */
export const settleMs = 100;

interface Known extends Omit<TrackedFile, "path"> {
  sha256: string;
}

export class HashCache {
  #known = new Map<string, Known>();
  #changed = false;

  constructor(private readonly file: string | undefined) {
    if (file !== undefined) this.#load(file);
  }

  get(file: TrackedFile): string | undefined {
    const known = this.#known.get(file.path);
    return known && sameStat(known, file) ? known.sha256 : undefined;
  }

  set({ path, bytes, ino, mtimeMs, ctimeMs }: TrackedFile, sha256: string): void {
    this.#known.set(path, { bytes, ino, mtimeMs, ctimeMs, sha256 });
    this.#changed = true;
  }

  save(): void {
    if (!this.#changed || this.file === undefined) return;
    const lines = [header];
    for (const [path, k] of this.#known)
      if (!path.includes("\n")) lines.push(`${k.sha256} ${k.bytes} ${k.ino} ${k.mtimeMs} ${k.ctimeMs} ${path}`);
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
      const [sha256 = "", bytes, ino, mtimeMs, ctimeMs, ...path] = lines[i]!.split(" ");
      if (sha256.length !== 64 || !path.length) continue;
      const stat = { bytes: Number(bytes), ino: Number(ino), mtimeMs: Number(mtimeMs), ctimeMs: Number(ctimeMs) };
      this.#known.set(path.join(" "), { ...stat, sha256 });
    }
  }
}
