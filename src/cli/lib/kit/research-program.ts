// `research program`: one cycle for each open question, within limits of cycles, GPU hours and time, then a synthesis.
// Invariant: every way out writes program_state.json with its reason; only a confirmed cycle keeps its code.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { nextQuestion, questionsIn, verdictIn } from "../../../packs/kits/research/research-documents.js";
import { replaceFile } from "../../../project/replace-file.js";
import type { KitContext, PhaseResult } from "./kit-context.js";
import { inOrder, projectText } from "./phase-order.js";
import { ratchetAt } from "./ratchet.js";

interface Cycle {
  question: string;
  spec: string;
  verdict: string;
  gpu_hours: number;
  /** Files taken back. */
  reverted: number;
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60) || "question";

const inconclusiveMost = 3;

export interface ProgramLimits {
  maxCycles: number;
  /** 0: any number. */
  maxGpuHours: number;
  maxWallHours: number;
  skipHandoffs: boolean;
  keepCode: boolean;
}

/** From settings and options; a variable can only lower a limit. */
export function programLimits({ options, program }: KitContext): ProgramLimits {
  const lowest = (...all: (number | undefined)[]) => {
    const set = all.filter((n): n is number => n !== undefined && Number.isFinite(n) && n > 0);
    return set.length ? Math.min(...set) : 0;
  };
  const variable = (name: string) => Number(process.env[name] ?? 0);
  return {
    maxCycles: lowest(options.maxCycles, program?.maxCycles, variable("MAX_PROGRAM_CYCLES")),
    maxGpuHours: lowest(options.maxGpuHours, program?.gpuHours, variable("MAX_PROGRAM_GPU_HOURS")),
    maxWallHours: lowest(program?.wallHours, variable("MAX_PROGRAM_WALL_HOURS")),
    skipHandoffs: program?.skipHandoffs === true,
    keepCode: program?.keepCode === true,
  };
}

export async function researchProgram(context: KitContext): Promise<PhaseResult[]> {
  const limits = programLimits(context);
  const startedAt = Date.now();
  const done: PhaseResult[] = [];
  const cycles: Cycle[] = [];
  const passed = new Set<string>();
  const misses = new Map<string, number>();
  let reason = "";
  const save = () => writeState(context, startedAt, cycles, reason);
  while (!reason) {
    const spent = cycles.reduce((sum, c) => sum + c.gpu_hours, 0);
    const hours = (Date.now() - startedAt) / 3_600_000;
    if (!limits.skipHandoffs && existsSync(join(context.project, "HANDOFF.md")))
      reason = "HANDOFF.md waits for a person";
    else if (cycles.length >= limits.maxCycles) reason = `${cycles.length} cycles are done`;
    else if (limits.maxGpuHours && spent >= limits.maxGpuHours) reason = `${spent} GPU hours are used`;
    else if (limits.maxWallHours && hours >= limits.maxWallHours) reason = `${limits.maxWallHours} hours are over`;
    else if (context.signal.aborted) reason = "it was stopped";
    const question = nextQuestion(questionsIn(projectText(context, "QUESTIONS.md")), passed)?.question;
    if (!reason && !question) reason = "no open question is left";
    if (reason || !question) break;
    const spec = `experiments/${slug(question)}-${cycles.length + 1}.md`;
    const { results, cycle } = await oneCycle(context, question, spec, done.at(-1), limits, cycles.length + 1);
    done.push(...results);
    cycles.push(cycle);
    const last = results.at(-1);
    if (last && last.exitCode !== 0 && !last.timedOut) reason = `${last.phase} did not end well`;
    const isOpen = cycle.verdict === "INCONCLUSIVE" || cycle.verdict === "ERROR";
    misses.set(question, isOpen ? (misses.get(question) ?? 0) + 1 : 0);
    if (!isOpen || misses.get(question)! >= inconclusiveMost) passed.add(question);
    save();
  }
  save();
  context.run.append({ event: "program_ended", kit: context.kit, reason, data: { cycles: cycles.length } });
  context.tell(`research program: ${reason}`);
  const last = done.at(-1);
  const isFailed = last !== undefined && last.exitCode !== 0 && !last.timedOut;
  const closing = await inOrder(context, [["synthesize", reason]], last);
  // The failure stays the result, although the synthesis is there.
  return isFailed ? [...done.slice(0, -1), ...closing, last] : [...done, ...closing];
}

async function oneCycle(
  context: KitContext,
  question: string,
  spec: string,
  before: PhaseResult | undefined,
  limits: ProgramLimits,
  number: number,
): Promise<{ results: PhaseResult[]; cycle: Cycle }> {
  const { project, run, kit } = context;
  const ratchet = limits.keepCode ? undefined : ratchetAt(project, codeFolders());
  const steps = [["survey", question] as const, ...cycleOf(spec)];
  const results = await inOrder(context, steps, before);
  const folder = `results/${spec.slice("experiments/".length, -3)}`;
  const isWhole = results.length === steps.length && results.every((r) => r.exitCode === 0);
  const verdict = isWhole ? (verdictIn(projectText(context, `${folder}/analysis.md`)) ?? "ERROR") : "ERROR";
  const patch = run.file("artifacts", `reverted-${number}.patch`);
  const reverted = verdict === "CONFIRMED" ? 0 : (ratchet?.revert(patch) ?? 0);
  if (reverted) {
    const pointers = { patch: run.pointer("artifacts", `reverted-${number}.patch`) };
    run.append({ event: "code_reverted", kit, reason: `verdict ${verdict}`, pointers, data: { files: reverted } });
    context.tell(`research program: ${verdict}: ${reverted} files taken back; the change is in ${pointers.patch}`);
  }
  return { results, cycle: { question, spec, verdict, gpu_hours: gpuHoursIn(context, folder), reverted } };
}

/** Source, configuration and data, as the kit's variables name them. */
const codeFolders = (): string[] =>
  [process.env["SRC_DIR"] || "src", process.env["CONFIGS_DIR"] || "configs", process.env["DATA_DIR"] || "data"].filter(
    (folder) => !folder.startsWith("/") && !folder.split("/").includes(".."),
  );

export const cycleOf = (spec: string) => ["frame", "run", "read", "log"].map((phase) => [phase, spec] as const);

function gpuHoursIn(context: KitContext, folder: string): number {
  try {
    const { resource_usage } = JSON.parse(projectText(context, `${folder}/metrics.json`)) as {
      resource_usage?: { gpu_hours?: number };
    };
    return Number(resource_usage?.gpu_hours) || 0;
  } catch {
    return 0; // no metrics: the verdict says so
  }
}

function writeState({ run }: KitContext, startedAt: number, cycles: readonly Cycle[], reason: string): void {
  const state = {
    cycles_completed: cycles.length,
    gpu_hours_used: cycles.reduce((sum, c) => sum + c.gpu_hours, 0),
    started_at: new Date(startedAt).toISOString(),
    last_cycle_at: cycles.length ? new Date().toISOString() : null,
    question_history: [...new Set(cycles.map((c) => c.question))],
    cycle_log: cycles,
    reverts: cycles.filter((c) => c.reverted).length,
    termination_reason: reason || null,
  };
  replaceFile(run.file("artifacts", "program_state.json"), `${JSON.stringify(state, null, 2)}\n`);
}
