// Finds the tool family that claims a program name.
// Invariant: the first family that claims a name has it; spellings of one program (python3.12, GIT, git.exe) meet in it.
import type { ToolFamily } from "./tool.js";
import { families } from "./tools/index.js";

const byName = new Map<string, ToolFamily>();
for (const family of families) for (const name of family.names) if (!byName.has(name)) byName.set(name, family);

export function familyOf(name: string): ToolFamily | undefined {
  const exact = byName.get(name);
  if (exact) return exact;
  // File systems of macOS and Windows ignore case, so RM and Git run there too.
  const folded = name.toLowerCase().replace(/\.exe$/, "");
  if (folded.startsWith("git-")) return byName.get("git");
  return byName.get(folded) ?? byName.get(folded.replace(/-?\d+(\.\d+)*$/, ""));
}

export const claimedNames = (): string[] => [...byName.keys()];
