// A stage with the kits pack and a recorded phase, and tables of calls that are refused or pass in it.
// Invariant: every row goes through the host's decoder and the engine; the record is written as `interlock kit` does.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { recordSlices } from "../../src/cli/lib/state-write.js";
import type { PackConfig } from "../../src/model/config.js";
import type { Pack } from "../../src/model/gate.js";
import type { JsonObject } from "../../src/model/json.js";
import type { Verdict } from "../../src/model/verdict.js";
import { compile, defaults } from "../../src/packs/kits/config.js";
import { kitsPack as kits } from "../../src/packs/kits/index.js";
import type { KitOptions } from "../../src/packs/kits/kit-options.js";
import type { PhaseRecord } from "../../src/packs/kits/phase-memory.js";
import type { PhaseKit } from "../../src/packs/kits/phase-rules.js";
import { takePhaseSnapshot } from "../../src/packs/kits/phase-snapshot.js";
import { endedPhase, startedPhase } from "../../src/packs/kits/phase-state.js";
import { type Stage, stage } from "../../src/testing/stage.js";

export const runId = "20260213T091500Z-1a2b3c4d";
const options = compile(defaults);
export const kitOptions = options as unknown as KitOptions;

export interface PhaseStageOptions {
  kit: PhaseKit;
  phase: string;
  files?: Record<string, string>;
  record?: Partial<PhaseRecord>;
  /** By the variable instead of the record. */
  by?: "variable";
  options?: JsonObject;
  /** Packs that judge before the kits, and their settings. */
  before?: readonly Pack[];
  settings?: Record<string, Partial<PackConfig>>;
}

const variables = { tdd: "TDD_PHASE", research: "EXP_PHASE", math: "MATH_PHASE" };

export function phaseStage(t: { after(done: () => void): void }, given: PhaseStageOptions): Stage {
  const made = stage(t, {
    packs: [...(given.before ?? []), kits],
    settings: {
      ...given.settings,
      kits: { options: given.options ? compile({ ...defaults, ...given.options }) : options },
    },
    files: given.files,
  });
  if (given.by) made.env = { [variables[given.kit]]: given.phase };
  else {
    made.env = { RUN_ID: runId };
    startPhase(made, given);
  }
  return made;
}

/** Records a phase as `interlock kit` does. */
export function startPhase(made: Stage, { kit, phase, record = {} }: PhaseStageOptions): PhaseRecord {
  const own: PhaseRecord = { kit, phase, run: runId, startedAt: Date.now(), pid: process.pid, ...record };
  const snapshot = takePhaseSnapshot(made.root, own, kitOptions, join(made.home, "snapshots"));
  const whole = { ...own, snapshot };
  recordSlices(made.store, "kit-phase", {}, (state) => startedPhase(state, whole));
  return whole;
}

export const endPhase = (made: Stage, run = runId): void =>
  void recordSlices(made.store, "kit-phase", {}, (state) => endedPhase(state, run));

export interface PhaseRow {
  /** Named after what it shows; a defect of the reference says so. */
  name: string;
  tool?: string;
  input?: JsonObject;
  bash?: string;
  refused?: RegExp;
}

export const write = (path: string, content = "x\n") => ({ tool: "Write", input: { file_path: path, content } });
export const edit = (path: string, old: string, now: string) => ({
  tool: "Edit",
  input: { file_path: path, old_string: old, new_string: now },
});

/** Plays each row in a stage of its own kind; paths are relative to the project. */
export function phaseRows(given: PhaseStageOptions, rows: readonly PhaseRow[]): void {
  for (const row of rows)
    test(`${given.kit} ${given.phase}: ${row.name}: ${row.refused ? "refused" : "passes"}`, async (t) => {
      const made = phaseStage(t, given);
      const verdict = await playRow(made, row);
      if (row.refused) {
        assert.equal(verdict.outcome, "deny", JSON.stringify(verdict.faults));
        assert.equal(verdict.gate, `kits/${given.kit}`);
        assert.match(verdict.text ?? "", row.refused);
        assert.ok((verdict.text ?? "").split("\n").length <= 5);
      } else assert.equal(verdict.outcome, "pass", verdict.text);
      assert.deepEqual(verdict.faults, []);
    });
}

export function playRow(made: Stage, row: Omit<PhaseRow, "name">): Promise<Verdict> {
  if (row.bash !== undefined) return made.call("Bash", { command: row.bash });
  const input = { ...row.input };
  if (typeof input["file_path"] === "string") input["file_path"] = absolute(made, input["file_path"]);
  if (typeof input["notebook_path"] === "string") input["notebook_path"] = absolute(made, input["notebook_path"]);
  return made.call(row.tool!, input);
}

const absolute = (made: Stage, path: string): string => (path.startsWith("./") ? path.slice(2) : join(made.root, path));
