// What all phases of one `interlock kit` call share: the project, its store and settings, the run, the runtime.

import type { Opened } from "../../../hook/open-project.js";
import type { JsonObject } from "../../../model/json.js";
import type { KitOptions } from "../../../packs/kits/kit-options.js";
import type { KitName } from "../../../runs/actions.js";
import type { Run } from "../../../runs/run.js";
import type { InteropRequest } from "../../../runs/schemas.js";
import type { KitRuntime } from "./kit-runtime.js";

export interface KitContext {
  opened: Opened;
  project: string;
  kit: KitName;
  /** The verb as typed: a phase, or a chain of them. */
  verb: string;
  args: readonly string[];
  run: Run;
  options: KitOptions;
  runtime: KitRuntime;
  request?: InteropRequest;
  signal: AbortSignal;
  /** Progress for the person, on stderr. */
  tell(line: string): void;
  maxFiles?: number;
  maxBytes?: number;
  /** What tdd ship does beyond its commit. */
  ship?: { push: boolean; pullRequest: boolean; archiveSpec: boolean };
  /** The options of research program. */
  program?: { maxCycles?: number; gpuHours?: number; wallHours?: number; skipHandoffs?: boolean; keepCode?: boolean };
  /** Seconds an experiment may run; by its spec unless told. */
  timeBudget?: number;
  /** A kit's own script does a chain phase by phase, each with its record. */
  byPhase?: boolean;
}

export interface PhaseResult {
  phase: string;
  exitCode: number;
  /** ok, failed, or blocked by a rule of the phase. */
  status: "ok" | "failed" | "blocked";
  timedOut?: boolean;
  /** Relative to the project. */
  log: string;
  capsule: string;
  manifest: string;
  /** What the phase left that its rules do not allow. */
  findings: readonly { rule: string; what: string; next: string }[];
}

export const kitOptionsOf = (opened: Opened): KitOptions =>
  opened.settings.config.packs["kits"]!.options as unknown as KitOptions;

export const resultJson = (result: PhaseResult): JsonObject => ({
  phase: result.phase,
  status: result.status,
  exit_code: result.exitCode,
  log: result.log,
  capsule: result.capsule,
  manifest: result.manifest,
  findings: result.findings.map((f) => ({ ...f })),
});
