// Locked files that a call changed although the phase refuses it: the call ran, so a person had allowed it.
// Invariant: bound to the content the call left; any later change is a finding again. At the phase's end an entry
// counts only with the ledger's record that a person lifted the refusal of that call.
import { join } from "node:path";
import { belowRoot } from "../../facts/changes.js";
import type { Facts } from "../../facts/index.js";
import { isPathEffect } from "../../model/effect.js";
import { after, failed, memory } from "../../model/gate.js";
import { hashFile } from "../../project/file-hash.js";
import type { KitOptions } from "./kit-options.js";
import { changedFiles, snapshotOf } from "./locked-files.js";
import { type ActivePhase, activePhases } from "./phase-memory.js";
import { coverTest, mayWrite, refusedWrite } from "./write-rules.js";

export interface AllowedChange {
  /** The content the call left; "gone" when it removed the file. */
  sha256: string;
  /** The id of the call. */
  call: string;
}

export interface AllowedChanges {
  /** By run, then by path below the project. */
  runs: Record<string, Record<string, AllowedChange>>;
}

const mostRuns = 8;
const mostPaths = 100;

export const allowedChanges = memory<AllowedChanges>({
  id: "kits/allowed",
  on: [...after(), ...failed()],
  state: { scope: "project", initial: { runs: {} } },
  learn({ event, facts, state, config, project, recall }) {
    const call = event.tool?.id;
    if (!call) return;
    const options = config as unknown as KitOptions;
    for (const phase of activePhases(event, recall)) {
      const { record } = phase;
      if (!record?.snapshot || !refusedWrite(facts, phase, options)) continue;
      const paths = changedBy(facts, project.root, phase, options);
      if (!paths.length) continue;
      const own = { ...state.value.runs[record.run] };
      for (const below of paths.slice(0, mostPaths)) own[below] = { sha256: contentOf(project.root, below), call };
      const others = Object.entries(state.value.runs).filter(([run]) => run !== record.run);
      state.replace({ runs: { ...Object.fromEntries(others.slice(1 - mostRuns)), [record.run]: own } });
    }
  },
});

const contentOf = (root: string, below: string): string => hashFile(join(root, below)) ?? "gone";

/** The locked files the call's own effects name that are no longer as the phase found them. */
function changedBy(facts: Facts, root: string, phase: ActivePhase, options: KitOptions): string[] {
  const locked = snapshotOf(phase.record!.snapshot!).files;
  const out = new Set<string>();
  for (const effect of facts.effects) {
    if (!isPathEffect(effect) || effect.kind === "read" || effect.path === undefined) continue;
    const below = belowRoot(root, effect.glob ? effect.path : facts.canonical(effect.path).path);
    if (below === undefined) continue;
    const isBroad = effect.glob === true || effect.recursive === true;
    const covers = isBroad ? coverTest(below, effect) : (file: string) => file === below;
    const named = Object.fromEntries(Object.entries(locked).filter(([file]) => covers(file)));
    for (const file of changedFiles(root, named)) out.add(file);
    if (!isBroad && !Object.hasOwn(locked, below) && !mayWrite(below, phase, options)) out.add(below);
  }
  return [...out];
}

/** Whether the file is as an allowed call left it. */
export const isAllowed = (root: string, below: string, allowed: Readonly<Record<string, AllowedChange>>): boolean =>
  Object.hasOwn(allowed, below) && contentOf(root, below) === allowed[below]!.sha256;
