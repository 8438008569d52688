// Whether a project uses intents: a look at the disk; nothing is loaded.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { orchestrationFolder } from "../../model/orchestration.js";
import type { Where } from "../registry.js";

/** The folder is there, or was when an event was judged: deleting it does not open the gate. */
export const usesIntents = ({ repository: { root }, folder }: Where): boolean =>
  existsSync(join(root, orchestrationFolder)) || existsSync(join(folder, "intents"));
