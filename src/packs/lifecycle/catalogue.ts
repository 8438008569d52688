// The workflows and phases in force: the shipped ones and the user's own, looked up by any spelling.
// Invariant: a lookup of an unknown phase or workflow answers undefined; the caller reports it as a fault of configuration.

import { canonicalPhase, phaseKeys } from "../../facts/phases.js";
import type { Ownership } from "../../facts/roles.js";
import { agentNamed, type Roles, shippedRoles } from "../../facts/roles.js";
import {
  type Adjustment,
  type Needs,
  type PhaseDef,
  shippedPhases,
  shippedWorkflows,
  type WorkflowDef,
} from "./tables.js";

export interface Workflow {
  id: string;
  title: string;
  branch: boolean;
  phases: readonly string[];
  overrides: NonNullable<WorkflowDef["overrides"]>;
  marks: readonly string[];
}

export interface Catalogue {
  workflows: ReadonlyMap<string, Workflow>;
  phases: ReadonlyMap<string, PhaseDef>;
  /** Phases beyond the framework's numbered ones. */
  own: ReadonlySet<string>;
  /** What the user's own file makes of the phases' needs. */
  adjust: Readonly<Record<string, Adjustment>>;
}

let shipped: Omit<Catalogue, "adjust"> | undefined;

/** `extra`: the user's workflows from interlock.yaml. */
export function catalogueOf(
  extra: readonly WorkflowDef[] = [],
  adjust: Readonly<Record<string, Adjustment>> = {},
): Catalogue {
  const collected = extra.length ? collect([...shippedWorkflows, ...extra]) : (shipped ??= collect(shippedWorkflows));
  return { ...collected, adjust };
}

function collect(defs: readonly WorkflowDef[]): Omit<Catalogue, "adjust"> {
  const phases = new Map(shippedPhases.map((p) => [p.id, p]));
  for (const def of defs) for (const phase of def.phases) if (typeof phase !== "string") phases.set(phase.id, phase);
  const numbered: ReadonlySet<string> = new Set(phaseKeys);
  const own = new Set([...phases.keys()].filter((id) => !numbered.has(id)));
  const workflows = new Map(
    defs.map((def): [string, Workflow] => [
      def.id,
      {
        id: def.id,
        title: def.title,
        branch: def.branch ?? false,
        phases: def.phases.map((p) => (typeof p === "string" ? (canonicalPhase(p, own) ?? p) : p.id)),
        overrides: def.overrides ?? {},
        marks: def.marks ?? [],
      },
    ]),
  );
  return { workflows, phases, own };
}

export const phaseIn = (catalogue: Catalogue, key: string): PhaseDef | undefined =>
  catalogue.phases.get(canonicalPhase(key, catalogue.own) ?? "");

/** What a phase needs in a workflow; undefined when nobody defined the phase. */
export function needsOf(catalogue: Catalogue, workflow: string | undefined, phase: string): Needs | undefined {
  const def = phaseIn(catalogue, phase);
  if (!def) return undefined;
  const override = workflow === undefined ? undefined : catalogue.workflows.get(workflow)?.overrides[def.id];
  return [override, catalogue.adjust[def.id]].reduce<Needs>(adjusted, def.needs);
}

function adjusted(needs: Needs, adjustment: Adjustment | undefined): Needs {
  if (!adjustment) return needs;
  const entries = Object.entries({ ...needs, ...adjustment }).filter(([, need]) => need !== false);
  return Object.fromEntries(entries) as Needs;
}

/** Agents of the user's and of the ready-made workflows, by name. */
export function ownRoles(catalogue: Catalogue): Map<string, Ownership> {
  const roles = new Map<string, string[]>();
  for (const { id, agents } of catalogue.phases.values()) {
    for (const agent of agents ?? []) roles.set(agent.toLowerCase(), [...(roles.get(agent.toLowerCase()) ?? []), id]);
  }
  return roles;
}

/** The agents whose work counts for a phase, the leading one first. */
export function agentsOf(catalogue: Catalogue, roles: Roles | undefined, phase: string): string[] {
  const named = phaseIn(catalogue, phase)?.agents;
  if (named?.length) return named.map((name) => agentNamed(name, roles));
  return [...(roles ?? shippedRoles)]
    .filter(([, phases]) => typeof phases !== "string" && phases.includes(phase))
    .map(([name]) => name);
}
