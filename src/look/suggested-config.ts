// The configuration a look suggests: what recorded sessions show to be worth enforcing, and what would be in the way.
// Invariant: the text is a valid interlock.yaml; it never switches anything off.
import type { Backtest } from "./backtest.js";
import { doubtfulCases, type FindingGroup, sure } from "./findings.js";

export interface SuggestedConfig {
  /** Lines of YAML. */
  yaml: string[];
  /** One sentence per choice. */
  reasons: string[];
  /** The choices in one sentence. */
  inWords: string;
}

/** A gate that would have stepped in in more sessions than this is a change of habits: it starts by observing. */
const rareShare = 0.2;

export function suggestedConfig({ findings, sessions }: Backtest): SuggestedConfig {
  const reasons = ["guard stays in enforce: it refuses only what can't be undone."];
  const enforced: string[] = [];
  for (const group of findings.gates.values()) {
    const [pack, gate] = group.id.split("/") as [string, string];
    if (pack !== "discipline") continue;
    const cases = sure(group.cases).length;
    const touched = sessionsWith(group).size;
    if (!cases || doubtfulCases(group.cases).length > cases) continue;
    if (touched <= Math.max(1, sessions * rareShare)) {
      enforced.push(gate);
      reasons.push(`${group.id} would have stepped in in ${touched} of ${sessions} sessions: rare enough to enforce.`);
    } else {
      reasons.push(`${group.id} would have stepped in in ${touched} of ${sessions} sessions: observe it first.`);
    }
  }
  const claims = sure(findings.incidents.get("unproved-claim")!.cases).length;
  if (claims && !enforced.includes("verification")) {
    enforced.push("verification");
    reasons.push(`${claims} messages said that tests pass and nothing showed it: verification asks for the run.`);
  }
  const unread = sure(findings.incidents.get("unread-edit")!.cases).length;
  if (unread) reasons.push(`${unread} edits to unread files: research.strict makes read-first look at every edit.`);
  const onMain = findings.incidents.get("main-commit")!;
  const yaml = ["packs:", "  guard: {mode: enforce}", ...discipline(enforced.sort(), unread > 0)];
  if (sure(onMain.cases).length) {
    const usual = sessionsWith(onMain).size > sessions / 2;
    const action = usual ? "note" : "deny";
    yaml.push(`rules: [{id: main, on: commit, where: [main, master], action: ${action}, message: use a branch}]`);
    reasons.push(
      usual
        ? "Most sessions commit on main, which may be how you work: a note, not a refusal."
        : "Commits on main are the exception: a rule refuses them.",
    );
  }
  return { yaml, reasons, inWords: inWords(enforced, unread > 0, onMain) };
}

function inWords(enforced: readonly string[], strict: boolean, onMain: FindingGroup): string {
  const parts = [
    `enforce ${["guard", ...enforced].join(", ")}`,
    ...(strict ? ["warn with read-first"] : []),
    ...(sure(onMain.cases).length ? ["a rule for commits on main"] : []),
    "observe the rest of discipline",
  ];
  return `${parts.join("; ")}.`;
}

function discipline(enforced: readonly string[], strict: boolean): string[] {
  const gates = [...(strict ? ["read-first: warn"] : []), ...enforced.map((gate) => `${gate}: enforce`)];
  const research = strict ? ["    research: {strict: true}"] : [];
  return ["  discipline:", "    mode: observe", ...research, ...folded("    gates: {", gates)];
}

/** A mapping in one or several lines of at most 78 characters. */
function folded(start: string, entries: readonly string[]): string[] {
  if (!entries.length) return [];
  const lines = [start];
  for (const [i, entry] of entries.entries()) {
    const piece = `${entry}${i < entries.length - 1 ? ", " : "}"}`;
    if (lines.at(-1)!.length + piece.trimEnd().length > 76) lines.push("      ");
    lines[lines.length - 1] += piece;
  }
  return lines.map((line) => line.trimEnd());
}

export const sessionsWith = ({ cases }: Pick<FindingGroup, "cases">): Set<string> =>
  new Set(sure(cases).map((c) => c.session || c.file));
