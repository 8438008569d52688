// Whether a project has anything of the lifecycle: one look at the disk, nothing loaded.
import { existsSync } from "node:fs";
import { join } from "node:path";

export const markName = "lifecycle";

export const present = (root: string, folder: string): boolean =>
  existsSync(join(root, ".isdlc")) || existsSync(join(folder, markName));
