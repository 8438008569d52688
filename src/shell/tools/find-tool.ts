// Finds the tool family that claims a program name.
// Invariant: the first family that claims a name has it; spellings of one program (python3.12, GIT, git.exe)
// meet in it.
import type { ToolFamily } from "../analyze/tool.js";
import { claimant } from "./index.js";

export function familyOf(name: string): ToolFamily | undefined {
  const exact = claimant(name);
  if (exact) return exact;
  // File systems of macOS and Windows ignore case, so RM and Git run there too.
  const folded = name.toLowerCase().replace(/\.exe$/, "");
  if (folded.startsWith("git-")) return claimant("git");
  return claimant(folded) ?? claimant(folded.replace(/-?\d+(\.\d+)*$/, ""));
}
