// Temporary folders for a test file, removed when its process ends.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];
process.on("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function temporary(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `interlock-${name}-`));
  made.push(folder);
  return folder;
}
