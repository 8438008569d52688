// Open dashboards of this user: the port of each is written down, so that the guard knows it as ours.
// Invariant: a file per port, holding the process; those of ended processes are removed at the next start.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dashboardFolder } from "../project/protected/own-server.js";

/** Returns what removes it again. */
export function announcePort(home: string, port: number): () => void {
  const folder = dashboardFolder(home);
  const file = join(folder, String(port));
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (!isAlive(join(folder, name))) rmSync(join(folder, name));
    writeFileSync(file, String(process.pid), { mode: 0o600 });
  } catch {
    return () => {}; // a home that can't be written: a ledger file can still be looked at
  }
  return () => rmSync(file, { force: true });
}

function isAlive(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The built pages, beside the program. */
export const assetsFolder = (): string => join(dirname(process.argv[1] ?? ""), "web");
