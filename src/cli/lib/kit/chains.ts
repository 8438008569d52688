// The verbs that chain phases: each phase is a session of its own and gets only the capsule and manifest before it.
// Invariant: a chain stops at the first phase that does not end well; all phases lie in one run.
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { nextQuestion, questionsIn, verdictIn } from "../../../packs/kits/research/research-documents.js";
import { replaceFile } from "../../../project/replace-file.js";
import { runGit } from "./git-ship.js";
import type { KitContext, PhaseResult } from "./kit-context.js";
import { runPhase } from "./run-phase.js";

export type PhaseStep = readonly [phase: string, ...args: string[]];

/** Runs the phases in a row. */
async function inOrder(context: KitContext, steps: readonly PhaseStep[], before?: PhaseResult): Promise<PhaseResult[]> {
  const done: PhaseResult[] = [];
  for (const [phase, ...args] of steps) {
    if (context.signal.aborted) break;
    const result = await runPhase(context, { phase, args, before: done.at(-1) ?? before });
    done.push(result);
    if (result.exitCode !== 0) break;
  }
  return done;
}

const failed = (results: readonly PhaseResult[]): boolean => results.at(-1)?.exitCode !== 0;

type Chain = (context: KitContext) => Promise<PhaseResult[]>;

const ship: Chain = async (context) => {
  const [spec = ""] = context.args;
  const done = await inOrder(context, [["breadcrumbs", spec]]);
  if (!failed(done)) runGit(context, spec);
  return done;
};

const tddFull: Chain = async (context) => {
  const [spec = ""] = context.args;
  const done = await inOrder(context, [["red", spec], ["green"], ["refactor"], ["breadcrumbs", spec]]);
  if (!failed(done)) runGit(context, spec);
  return done;
};

const cycleOf = (spec: string): PhaseStep[] => ["frame", "run", "read", "log"].map((phase) => [phase, spec] as const);

const cycle: Chain = (context) => inOrder(context, cycleOf(context.args[0] ?? ""));

const researchFull: Chain = (context) =>
  inOrder(context, [["survey", context.args[0] ?? ""], ...cycleOf(context.args[1] ?? "")]);

/** One after another: they share one work tree. */
const batch: Chain = (context) =>
  inOrder(
    context,
    context.args.map((spec) => ["run", spec] as const),
  );

const textIn = (context: KitContext, path: string): string => {
  const full = join(context.project, path);
  return existsSync(full) ? readFileSync(full, "utf8") : "";
};

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "question";

const inconclusiveMost = 3;

const researchProgram: Chain = async (context) => {
  const done: PhaseResult[] = [];
  const passed = new Set<string>();
  const inconclusive = new Map<string, number>();
  const cycles: { question: string; verdict: string }[] = [];
  let reason = "";
  while (!reason) {
    if (existsSync(join(context.project, "HANDOFF.md"))) reason = "HANDOFF.md waits for a person";
    else if (cycles.length >= context.options.maxCycles) reason = `${cycles.length} cycles are done`;
    else if (context.signal.aborted) reason = "it was stopped";
    if (reason) break;
    const question = nextQuestion(questionsIn(textIn(context, "QUESTIONS.md")), passed)?.question;
    if (!question) {
      reason = "no open question is left";
      break;
    }
    const spec = `experiments/${slug(question)}-${cycles.length + 1}.md`;
    const results = await inOrder(context, [["survey", question], ...cycleOf(spec)], done.at(-1));
    done.push(...results);
    const verdict =
      verdictIn(textIn(context, `results/${spec.slice("experiments/".length, -3)}/analysis.md`)) ?? "ERROR";
    cycles.push({ question, verdict });
    if (failed(results)) reason = `${results.at(-1)?.phase} did not end well`;
    const count = verdict === "INCONCLUSIVE" ? (inconclusive.get(question) ?? 0) + 1 : 0;
    inconclusive.set(question, count);
    if (verdict !== "INCONCLUSIVE" || count >= inconclusiveMost) passed.add(question);
  }
  const state = { cycles_completed: cycles.length, cycle_log: cycles, termination_reason: reason };
  replaceFile(context.run.file("artifacts", "program_state.json"), `${JSON.stringify(state, null, 2)}\n`);
  context.run.append({ event: "program_ended", kit: context.kit, reason, data: { cycles: cycles.length } });
  context.tell(`research program: ${reason}`);
  const wasFailed = done.length > 0 && failed(done);
  const closing = await inOrder(context, [["synthesize", reason]], done.at(-1));
  // The failure stays the result, although the synthesis is there.
  return wasFailed ? [...done.slice(0, -1), ...closing, done.at(-1)!] : [...done, ...closing];
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
  const found = /restart_from\s*:?\s*`?(CONSTRUCT|FORMALIZE)\b/i.exec(textIn(context, "REVISION.md"))?.[1];
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
    const next = nextConstruction(constructionsIn(textIn(context, "CONSTRUCTIONS.md")), made);
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
