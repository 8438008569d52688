// Writes a small file: whole or not at all, folders made as needed.
// It does not wait for the disk: after a power cut an older state is shown as unknown, never as something wrong.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

let counter = 0;

/** Readable by its owner only, unless told. */
export function writeAtOnce(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o755 });
  const temporary = `${path}.${process.pid}.${counter++}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
