// Whether a project uses kits: a look at variables, settings and the disk; nothing is loaded.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Where } from "../registry.js";

const variables = [
  "RUN_ID",
  "TDD_PHASE",
  "EXP_PHASE",
  "MATH_PHASE",
  "MAX_READ_BYTES",
  "READ_BUDGET_MAX_FILES",
  "READ_BUDGET_MAX_TOTAL_BYTES",
];

/** Interlock's folder for snapshots of phases; it is there from the first run on. */
export const kitFolder = (folder: string): string => join(folder, "kits");

export function usesKits({ folder, env = {}, settings }: Where): boolean {
  const budget = settings?.config.packs["kits"]?.options["readBudget"] as { when?: string } | undefined;
  return budget?.when === "always" || variables.some((name) => env[name]) || existsSync(kitFolder(folder));
}
