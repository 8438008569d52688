// The workflows and phases that apply, shipped and user-defined, looked up by any spelling.
// Invariant: looking up an unknown phase or workflow returns undefined; the caller reports a configuration fault.

import type { Ownership } from "../../../facts/agent-roles.js";
import { agentNamed, type Roles, shippedRoles } from "../../../facts/agent-roles.js";
import { canonicalPhase, phaseKeys } from "../../../facts/phase-names.js";
import { type FrameworkTables, layTable, phaseFromTable, type TableNeeds } from "../layouts/isdlc-tables.js";
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
  permissive: boolean;
  phases: readonly string[];
  overrides: NonNullable<WorkflowDef["overrides"]>;
  marks: readonly string[];
}

export interface Catalogue {
  workflows: ReadonlyMap<string, Workflow>;
  phases: ReadonlyMap<string, PhaseDef>;
  /** Phases beyond the framework's numbered ones. */
  own: ReadonlySet<string>;
  /** The user's changes to what phases need. */
  adjust: Readonly<Record<string, Adjustment>>;
  /** The framework's own tables in the project. */
  tables?: FrameworkTables;
}

type Collected = Omit<Catalogue, "adjust" | "tables">;
let shipped: Collected | undefined;

/** `extra`: the user's workflows from interlock.yaml; `tables`: the framework's tables in the project. */
export function catalogueOf(
  extra: readonly WorkflowDef[] = [],
  adjust: Readonly<Record<string, Adjustment>> = {},
  tables?: FrameworkTables,
): Catalogue {
  if (!tables)
    return {
      ...(extra.length ? collect([...shippedWorkflows, ...extra]) : (shipped ??= collect(shippedWorkflows))),
      adjust,
    };
  const known = new Set(shippedPhases.map((p) => p.id));
  const defined = [...tables.phases].filter(([id]) => !known.has(id)).map(([id, wish]) => phaseFromTable(id, wish));
  const defs = [...shippedWorkflows.map((def) => replacing(def, tables)), ...extra];
  const ids = new Set(defs.map((def) => def.id));
  const added = tables.workflows
    .filter((w) => !ids.has(w.id))
    .map((w) => ({ ...w, title: w.title ?? w.id, permissive: w.permissive === true && tables.trusted.workflows }));
  return { ...collect([...defs, ...added], defined), adjust, tables };
}

/** A project's phase order replaces the shipped one if it omits no phase, or if the user consented. */
function replacing(def: WorkflowDef, tables: FrameworkTables): WorkflowDef {
  const own = tables.workflows.find((w) => w.id === def.id);
  if (!own || (!tables.trusted.workflows && omittedPhases(def, own.phases).length)) return def;
  return {
    ...def,
    permissive: (own.permissive ?? def.permissive) === true && (tables.trusted.workflows || def.permissive === true),
    phases: own.phases,
    branch: tables.trusted.workflows ? (own.branch ?? def.branch) : def.branch || own.branch,
  };
}

export function omittedPhases(def: WorkflowDef, phases: readonly string[]): string[] {
  return def.phases.flatMap((p) => (typeof p === "string" ? [p] : [p.id])).filter((p) => !phases.includes(p));
}

function collect(defs: readonly WorkflowDef[], more: readonly PhaseDef[] = []): Collected {
  const phases = new Map([...shippedPhases, ...more].map((p) => [p.id, p]));
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
        permissive: def.permissive ?? false,
        phases: def.phases.map((p) => (typeof p === "string" ? (canonicalPhase(p, own) ?? p) : p.id)),
        overrides: def.overrides ?? {},
        marks: def.marks ?? [],
      },
    ]),
  );
  return { workflows, phases, own };
}

export const phaseDefOf = (catalogue: Catalogue, key: string): PhaseDef | undefined =>
  catalogue.phases.get(canonicalPhase(key, catalogue.own) ?? "");

/** What a phase needs in a workflow; nothing if it is permissive, undefined if the phase is not defined. */
export function needsOf(catalogue: Catalogue, workflow: string | undefined, phase: string): Needs | undefined {
  const permissive = catalogue.workflows.get(workflow ?? "")?.permissive;
  return permissive && phaseDefOf(catalogue, phase) ? {} : statedNeedsOf(catalogue, workflow, phase);
}

/** The same, required or only recommended. */
export function statedNeedsOf(catalogue: Catalogue, workflow: string | undefined, phase: string): Needs | undefined {
  const def = phaseDefOf(catalogue, phase);
  if (!def) return undefined;
  const override = workflow === undefined ? undefined : catalogue.workflows.get(workflow)?.overrides[def.id];
  const base = [override, catalogue.adjust[def.id]].reduce<Needs>(adjusted, def.needs);
  return catalogue.tables
    ? layTable(base, tableNeedsOf(catalogue.tables, workflow, def.id), catalogue.tables.trusted.requirements)
    : base;
}

/** What the tables say about a phase in a workflow; the workflow's override wins, part by part. */
export function tableNeedsOf(
  tables: FrameworkTables,
  workflow: string | undefined,
  phase: string,
): TableNeeds | undefined {
  const general = tables.phases.get(phase);
  const special = workflow === undefined ? undefined : tables.overrides.get(workflow)?.get(phase);
  if (!general || !special) return special ?? general;
  const merged: Record<string, unknown> = { ...general };
  for (const [name, part] of Object.entries(special)) {
    const below = merged[name];
    merged[name] = typeof part === "object" && typeof below === "object" ? { ...below, ...part } : part;
  }
  return merged as TableNeeds;
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
  const named = phaseDefOf(catalogue, phase)?.agents;
  if (named?.length) return named.map((name) => agentNamed(name, roles));
  return [...(roles ?? shippedRoles)]
    .filter(([, phases]) => typeof phases !== "string" && phases.includes(phase))
    .map(([name]) => name);
}
