// What a project's tables would loosen and which names in them are undefined: reported, never applied silently.
// Invariant: pure; the gates use what is listed here as `kept`.
import { type Catalogue, omittedPhases, phaseDefOf, statedNeedsOf, tableNeedsOf } from "../model/catalogue.js";
import { shippedWorkflows } from "../model/tables.js";
import { layTable, tableNames } from "./isdlc-tables.js";

export interface TableLoosening {
  /** Which of the tables. */
  table: keyof typeof tableNames;
  path: string;
  kept: unknown;
  refused: unknown;
}

export function looseningsIn(catalogue: Catalogue): TableLoosening[] {
  const { tables } = catalogue;
  if (!tables) return [];
  const found: TableLoosening[] = [];
  const compare = (workflow: string | undefined, phase: string, place: string) => {
    const bare = statedNeedsOf({ ...catalogue, tables: undefined }, workflow, phase);
    if (!bare) return;
    const wish = tableNeedsOf(tables, workflow, phase);
    const [kept, refused] = [layTable(bare, wish, false), layTable(bare, wish, true)] as Record<string, unknown>[];
    for (const name of Object.keys({ ...kept, ...refused }))
      if (JSON.stringify(kept![name]) !== JSON.stringify(refused![name]))
        found.push({
          table: "requirements",
          path: `${place}.${phase}.${name}`,
          kept: kept![name] ?? false,
          refused: refused![name] ?? false,
        });
  };
  if (!tables.trusted.requirements) {
    for (const phase of tables.phases.keys()) compare(undefined, phase, "phase_requirements");
    for (const [workflow, phases] of tables.overrides)
      for (const phase of phases.keys()) compare(workflow, phase, `workflow_overrides.${workflow}`);
  }
  if (tables.trusted.workflows) return found;
  for (const { id, permissive } of tables.workflows)
    if (permissive && !catalogue.workflows.get(id)?.permissive)
      found.push({ table: "workflows", path: `workflows.${id}.gate_mode`, kept: "strict", refused: "permissive" });
  for (const def of shippedWorkflows) {
    const own = tables.workflows.find((w) => w.id === def.id);
    const missing = own ? omittedPhases(def, own.phases) : [];
    if (own && missing.length)
      found.push({ table: "workflows", path: `workflows.${def.id}`, kept: def.phases, refused: own.phases });
  }
  return found;
}

/** Problems of the tables: parts that cannot be read and names that are not defined. */
export function tableProblems(catalogue: Catalogue): string[] {
  const { tables } = catalogue;
  if (!tables) return [];
  const unknown = tables.workflows.flatMap(({ id, phases }) =>
    phases
      .filter((phase) => !phaseDefOf(catalogue, phase))
      .map((phase) => `${tableNames.workflows}: workflow "${id}" names the phase "${phase}", which is not defined`),
  );
  return [...tables.problems, ...unknown];
}
