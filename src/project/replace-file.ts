// Replaces a file whole: readers see the old content or the new, never a part. Keeps the mode of what it replaces.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";

let counter = 0;

export function replaceFile(path: string, text: string | Buffer, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.${counter++}.tmp`;
  const keep = mode ?? statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644;
  const data = typeof text === "string" ? Buffer.from(text) : text;
  const fd = openSync(temporary, "wx", keep & 0o777);
  let open = true;
  try {
    let written = 0;
    while (written < data.length) written += writeSync(fd, data, written);
    fsyncSync(fd);
    closeSync(fd);
    open = false;
    renameSync(temporary, path);
  } catch (error) {
    if (open) closeSync(fd);
    rmSync(temporary, { force: true });
    throw error;
  }
}
