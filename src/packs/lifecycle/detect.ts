// Whether a project uses the lifecycle framework: a look at the disk, nothing is loaded.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Where } from "../registry.js";

const markName = "lifecycle";

/** The framework's folder exists between here and the project's root, or a workflow was seen running here. */
export function usesLifecycle({ start, repository: { root }, folder }: Where): boolean {
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".isdlc"))) return true;
    if (at === root || !at.startsWith(root) || at === dirname(at)) break;
  }
  return (start !== root && existsSync(join(root, ".isdlc"))) || existsSync(join(folder, markName));
}

/** Remembers in Interlock's folder that this project has a workflow, so that deleting `.isdlc/` disables nothing. */
export function markLifecycleUsed(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, markName), "");
}
