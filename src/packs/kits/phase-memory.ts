// Which phase a session works in: the signed record that `interlock kit` writes, and variables that add rules.
// Invariant: a recorded phase ends only by its record; a variable may add a phase and never replace one.
import type { Event } from "../../model/event.js";
import { at, before, type Memory, memory } from "../../model/gate.js";
import { type PhaseKit, type PhaseRules, phaseVariables, rulesOf } from "./phase-rules.js";

export interface PhaseRecord {
  kit: PhaseKit;
  phase: string;
  run: string;
  /** The run that asked for this one; its locks hold here too. */
  parent?: string;
  startedAt: number;
  /** The process that runs the phase. */
  pid: number;
  /** What the phase is about, relative to the project. */
  subject?: string;
  /** Research: where this experiment's results go, relative to the project. */
  results?: string;
  /** The snapshot of locked files, in Interlock's own folder. */
  snapshot?: { file: string; sha256: string };
  /** Files that runs this one asked for made meanwhile, with their hashes. */
  made?: Record<string, string>;
  budget?: { maxFiles: number; maxBytes: number; allow: string[]; mustRead: string[] };
}

export interface KitPhaseState {
  runs: Record<string, PhaseRecord>;
}

/** Written by `interlock kit` when a phase starts and ends; no event changes it. */
export const phaseMemory = memory<KitPhaseState>({
  id: "kits/phases",
  on: [],
  state: { scope: "project", initial: { runs: {} } },
  learn: () => undefined,
});

export interface BoundState {
  run?: string;
}

/** The run a session belongs to, from the first event that carried its id. */
export const sessionRunMemory = memory<BoundState>({
  id: "kits/session",
  on: [...before(), ...at("session.start")],
  state: { scope: "session", initial: {} },
  learn({ event, state, recall }) {
    const run = event.env["RUN_ID"];
    if (!run || run === state.value.run || !Object.hasOwn(recall(phaseMemory).runs, run)) return;
    state.replace({ run });
  },
});

export interface ActivePhase {
  kit: PhaseKit;
  phase: string;
  rules: PhaseRules;
  record?: PhaseRecord;
  /** Research: the folder of this experiment's results. */
  results?: string;
  /** A phase of the run that asked for this one: only its locks hold. */
  inherited?: true;
}

type Recall = <T>(memory: Memory<T>) => Readonly<T>;

/** The record of the run this session works for. */
export function ownRecord(event: Event, recall: Recall): PhaseRecord | undefined {
  const { runs } = recall(phaseMemory);
  const named = event.env["RUN_ID"];
  const run = named && Object.hasOwn(runs, named) ? named : recall(sessionRunMemory).run;
  return run !== undefined && Object.hasOwn(runs, run) ? runs[run] : undefined;
}

/** All phases whose rules hold for this event. */
export function activePhases(event: Event, recall: Recall): ActivePhase[] {
  const found: ActivePhase[] = [];
  const { runs } = recall(phaseMemory);
  const own = ownRecord(event, recall);
  const seen = new Set<string>();
  for (let record = own; record && !seen.has(record.run); record = record.parent ? runs[record.parent] : undefined) {
    seen.add(record.run);
    const rules = rulesOf(record.kit, record.phase);
    if (rules)
      found.push({
        kit: record.kit,
        phase: record.phase,
        rules,
        record,
        ...(record.results && { results: record.results }),
        ...(record !== own && { inherited: true }),
      });
  }
  for (const [kit, name] of Object.entries(phaseVariables) as [PhaseKit, string][]) {
    const phase = event.env[name]?.trim().toLowerCase();
    const rules = phase ? rulesOf(kit, phase) : undefined;
    const results = event.env["EXP_RESULTS_DIR"]?.replace(/^(?:\.\/)+|\/+$/g, "");
    if (phase && rules && !(own?.kit === kit && own.phase === phase))
      found.push({ kit, phase, rules, ...(results && { results }) });
  }
  return found;
}

/** What every kit gate wants to see of the agent's environment. */
export const phaseEnv: readonly string[] = ["RUN_ID", "EXP_RESULTS_DIR", ...Object.values(phaseVariables)];
