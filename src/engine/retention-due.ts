// Whether old texts and kept work are to be looked for now: once a day, from the second day of a project on.
// Invariant: the time is that of an empty file in the project's own folder.
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const day = 24 * 3600_000;
export const retentionMark = (folder: string): string => join(folder, "texts", "retention");

export const lastRetention = (folder: string): number | undefined =>
  statSync(retentionMark(folder), { throwIfNoEntry: false })?.mtimeMs;

export function retentionDue(folder: string, now: number): boolean {
  const last = lastRetention(folder);
  if (last === undefined) writeFileSync(retentionMark(folder), "", { mode: 0o600 });
  return last !== undefined && now - last >= day;
}
