// Whether a project has anything of the lifecycle: a look at the disk, nothing loaded.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Where } from "../registry.js";

const markName = "lifecycle";

/** The framework's folder between here and the project's root, or the mark of a workflow that runs. */
export function usesLifecycle({ start, repository: { root }, folder }: Where): boolean {
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".isdlc"))) return true;
    if (at === root || !at.startsWith(root) || at === dirname(at)) break;
  }
  return (start !== root && existsSync(join(root, ".isdlc"))) || existsSync(join(folder, markName));
}

/** Remembers in Interlock's own folder that this project has a workflow: deleting `.isdlc/` must not make the pack idle. */
export function markLifecycleUsed(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, markName), "");
}
