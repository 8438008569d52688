// The pack's options as the gates get them.
import { mainBranches } from "../../model/branches.js";
import type { JsonObject } from "../../model/json.js";
import type { Adjustment, WorkflowDef } from "./model/tables.js";

export interface LifecycleOptions {
  workflows: WorkflowDef[];
  /** Whether a constitutional check counts only by command, or also when written in the state file. */
  attest: "command" | "written";
  /** What shipped phases need here, by phase; `false` drops a need. Only the user's own file sets it. */
  adjust: Record<string, Adjustment>;
  /** No commits on these branches while a workflow has its own branch. */
  protectedBranches: string[];
  /** How long a pending delegation is waited for. */
  delegationMinutes: number;
  /** Agents and phases beyond the framework's own; compiled from the workflows. */
  roles: { agents: Record<string, string[]>; phases: string[] };
}

export const standardOptions: Omit<LifecycleOptions, "roles"> = {
  workflows: [],
  attest: "command",
  adjust: {},
  protectedBranches: [...mainBranches],
  delegationMinutes: 30,
};

/** Fills in defaults: tests and older compiled files do not have every option. */
export const optionsOf = (
  config: Readonly<JsonObject>,
): Omit<LifecycleOptions, "roles"> & Partial<LifecycleOptions> => ({
  ...standardOptions,
  ...(config as Partial<LifecycleOptions>),
});
