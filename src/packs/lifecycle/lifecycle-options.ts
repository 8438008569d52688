// The pack's options as the gates get them.
import type { JsonObject } from "../../model/json.js";
import type { Adjustment, WorkflowDef } from "./model/tables.js";

export interface LifecycleOptions {
  workflows: WorkflowDef[];
  /** Whether a constitutional check counts only when it is made with the command, or also when it is written in the state file. */
  attest: "command" | "written";
  /** What shipped phases need here, by phase; `false` drops a need. Only the user's own file sets it. */
  adjust: Record<string, Adjustment>;
  /** Branches no commit belongs on while a workflow has a branch of its own. */
  protectedBranches: string[];
  /** How long a demanded delegation is waited for. */
  delegationMinutes: number;
  /** Agents and phases beyond the framework's own; compiled from the workflows. */
  roles: { agents: Record<string, string[]>; phases: string[] };
}

export const standardOptions: Omit<LifecycleOptions, "roles"> = {
  workflows: [],
  attest: "command",
  adjust: {},
  protectedBranches: ["main", "master"],
  delegationMinutes: 30,
};

/** What a configuration leaves out is the standard: tests and older compiled files hold less than all. */
export const optionsOf = (
  config: Readonly<JsonObject>,
): Omit<LifecycleOptions, "roles"> & Partial<LifecycleOptions> => ({
  ...standardOptions,
  ...(config as Partial<LifecycleOptions>),
});
