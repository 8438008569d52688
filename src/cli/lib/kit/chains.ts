// The verbs that chain phases: each phase is a session of its own and gets only the capsule and manifest before it.
// Invariant: a chain stops at the first phase that does not end well; all phases lie in one run.
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { shipFeature } from "./git-ship.js";
import type { KitContext, PhaseResult } from "./kit-context.js";
import { inOrder, type PhaseStep, projectText } from "./phase-order.js";
import { cycleOf, researchProgram } from "./research-program.js";

const failed = (results: readonly PhaseResult[]): boolean => results.at(-1)?.exitCode !== 0;

type Chain = (context: KitContext) => Promise<PhaseResult[]>;

/** The last phase as it is, or failed where what it made could not be committed. */
function shipped(context: KitContext, done: PhaseResult[], spec: string): PhaseResult[] {
  if (failed(done)) return done;
  const problem = shipFeature(context, spec);
  const last = done.at(-1)!;
  if (!problem) return done;
  return [...done.slice(0, -1), { ...last, exitCode: 1, status: "failed", findings: [...last.findings, problem] }];
}

const ship: Chain = async (context) => {
  const [spec = ""] = context.args;
  return shipped(context, await inOrder(context, [["breadcrumbs", spec]]), spec);
};

const tddFull: Chain = async (context) => {
  const [spec = ""] = context.args;
  const steps: PhaseStep[] = [["red", spec], ["green"], ["refactor"], ["breadcrumbs", spec]];
  return shipped(context, await inOrder(context, steps), spec);
};

const cycle: Chain = (context) => inOrder(context, cycleOf(context.args[0] ?? ""));

const researchFull: Chain = (context) =>
  inOrder(context, [["survey", context.args[0] ?? ""], ...cycleOf(context.args[1] ?? "")]);

/** Independent of each other: one after another, because they share one work tree; a failure does not stop the rest. */
const batch: Chain = async (context) => {
  const done: PhaseResult[] = [];
  for (const spec of context.args) done.push(...(await inOrder(context, [["run", spec]])));
  const worst = done.findIndex((result) => result.exitCode !== 0);
  return worst < 0 ? done : [...done.slice(0, worst), ...done.slice(worst + 1), done[worst]!];
};

const mathPhases = ["survey", "specify", "construct", "formalize", "prove", "polish", "audit", "log"] as const;

/** With the revision loop: REVISION.md after prove or audit sends the work back, a limited number of times. */
async function construction(context: KitContext, spec: string, before?: PhaseResult): Promise<PhaseResult[]> {
  const done: PhaseResult[] = [];
  let revisions = 0;
  for (let at = 0; at < mathPhases.length; at++) {
    const phase = mathPhases[at]!;
    const results = await inOrder(context, [[phase, spec]], done.at(-1) ?? before);
    done.push(...results);
    if (phase !== "prove" && phase !== "audit" && failed(results)) return done;
    const restart = phase === "prove" || phase === "audit" ? revisionOf(context, revisions + 1) : undefined;
    if (!restart && failed(results)) return done;
    if (!restart) continue;
    revisions++;
    context.run.append({ event: "revision_requested", kit: "math", phase, data: { restart, revisions } });
    if (revisions > context.options.maxRevisions) {
      context.tell(`math: ${context.options.maxRevisions} revisions are used up`);
      return [...done.slice(0, -1), { ...done.at(-1)!, exitCode: 1, status: "failed" }];
    }
    at = mathPhases.indexOf(restart) - 1;
  }
  return done;
}

/** The phase to go back to; the request is put away so that it counts once. */
function revisionOf(context: KitContext, number: number): "construct" | "formalize" | undefined {
  const found = /restart_from\s*:?\s*`?(CONSTRUCT|FORMALIZE)\b/i.exec(projectText(context, "REVISION.md"))?.[1];
  if (!found) return undefined;
  const folder = join(context.project, "results", "revisions");
  mkdirSync(folder, { recursive: true });
  renameSync(join(context.project, "REVISION.md"), join(folder, `${context.run.id}-${number}.md`));
  return found.toLowerCase() as "construct" | "formalize";
}

const mathFull: Chain = (context) => construction(context, context.args[0] ?? "");

export interface Construction {
  name: string;
  spec: string;
  status: string;
  needs: string[];
}

/** The table of CONSTRUCTIONS.md: Name, Spec, Status, Depends on. */
export function constructionsIn(text: string): Construction[] {
  const cells = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.replace(/`/g, "").trim());
  const lines = text.split("\n").filter((line) => line.trim().startsWith("|"));
  const head = lines.findIndex((line) => /name|construction/i.test(line) && /spec/i.test(line) && /status/i.test(line));
  if (head < 0) return [];
  const at = (pattern: RegExp) => cells(lines[head]!).findIndex((cell) => pattern.test(cell));
  const [name, spec, status, needs] = [at(/name|construction/i), at(/spec/i), at(/status/i), at(/depends|needs/i)];
  return lines.slice(head + 2).map((line) => {
    const row = cells(line);
    return {
      name: row[name] ?? "",
      spec: row[spec] ?? "",
      status: row[status] ?? "",
      needs: (row[needs] ?? "").split(/[,\s]+/).filter((word) => word && word !== "-"),
    };
  });
}

/** The first that is neither done nor blocked and whose dependencies are done. */
export function nextConstruction(all: readonly Construction[], done: ReadonlySet<string>): Construction | undefined {
  const isDone = (name: string) => done.has(name) || all.some((c) => c.name === name && /^audited/i.test(c.status));
  return all.find((c) => c.spec && !isDone(c.name) && !/^blocked/i.test(c.status) && c.needs.every(isDone));
}

const mathProgram: Chain = async (context) => {
  const done: PhaseResult[] = [];
  const made = new Set<string>();
  for (let cycles = 0; cycles < context.options.maxCycles; cycles++) {
    const next = nextConstruction(constructionsIn(projectText(context, "CONSTRUCTIONS.md")), made);
    if (!next) break;
    made.add(next.name);
    const results = await construction(context, next.spec, done.at(-1));
    done.push(...results);
    if (failed(results)) break;
  }
  if (!done.length) context.tell("math program: CONSTRUCTIONS.md names no construction that can be worked on");
  return done;
};

export const kitChains: Readonly<Record<string, Chain>> = {
  "tdd.ship": ship,
  "tdd.full": tddFull,
  "research.cycle": cycle,
  "research.full": researchFull,
  "research.batch": batch,
  "research.program": researchProgram,
  "math.full": mathFull,
  "math.program": mathProgram,
};
