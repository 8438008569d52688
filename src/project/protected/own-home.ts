// Whether a pattern, or a folder read as a whole, reaches Interlock's own home.
// Invariant: judged by names alone, like the literal names: nothing is expanded, and files that do not exist yet count.
import { matchNames, parsePattern } from "../globs.js";

/** What lies in the home, one name of each kind; `0` stands for any project. */
const inside = [
  "key",
  "marks/0.json",
  "projects/0/state.json",
  "projects/0/state.backup.json",
  "projects/0/lock",
  "projects/0/ledger/00000001.jsonl",
  "projects/0/texts/00000001.jsonl",
  "projects/0/kept/v-1.json",
  "server/door.json",
  "server/lock",
  "server/log",
  "server/socket",
  "bin/interlock.sh",
  "installs/claude-code.json",
].map((name) => name.split("/"));

export type Reach =
  /** A file of the home, or the home itself. */
  | "inside"
  /** A folder the home lies in. */
  | "above";

/** `home`: the names of its path, case-folded. A `**` also walks into folders with a leading dot, as `find` does. */
export function reachOf(pattern: string, home: readonly string[]): Reach | undefined {
  const segments = pattern.toLowerCase().split("/").filter(Boolean);
  const deep = segments.indexOf("**");
  const fixed = deep < 0 ? segments : segments.slice(0, deep);
  const shared = Math.min(fixed.length, home.length);
  const matches = (names: readonly string[], against: readonly string[], dot: boolean) =>
    matchNames(parsePattern(against.join("/")), [...names], { dot });
  if (!matches(home.slice(0, shared), fixed.slice(0, shared), false)) return undefined;
  if (fixed.length >= home.length) return "inside";
  if (deep < 0) return "above";
  if (inside.some((names) => matches([...home, ...names], segments, true))) return "inside";
  for (let n = fixed.length + 1; n <= home.length; n++)
    if (matches(home.slice(0, n), segments, true)) return n === home.length ? "inside" : "above";
  return undefined;
}
