// Whether the commit-msg hook that `interlock sred install-hook` writes is in place.
// Invariant: the mark only names the file; the file itself must still call the check.
import { join } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";

export const hookMarkFile = (folder: string): string => join(folder, "sred", "commit-msg-hook");

export function hookIsInstalled(folder: string): boolean {
  try {
    const path = readBoundedText(hookMarkFile(folder), 4_096).trim();
    return readBoundedText(path, 1 << 20)
      .split("\n")
      .some((line) => !line.trim().startsWith("#") && line.includes("sred check"));
  } catch {
    return false; // never installed, or removed since
  }
}
