// What the checks of `interlock doctor` look at, found once for all of them.
import type { Env } from "../hook/folders.js";
import type { Opened } from "../hook/open-project.js";
import { type Inspection, inspectScopes } from "../hosts/claude-code/settings/scopes.js";
import { running, versionOf } from "../server/start-stop.js";
import { type RunningVersions, type VersionMatrix, versionMatrix } from "./version-matrix.js";

/** What a repair needs; it opens the project again because an earlier repair may have changed the folder. */
export interface RepairContext {
  home: string;
  reopen(): Promise<Opened>;
}

export interface CheckContext extends RepairContext {
  opened: Opened;
  env: Env;
  /** The settings files and what they say together. */
  found: Inspection;
  /** Undefined: no server answers. */
  server: RunningVersions | undefined;
  versions: VersionMatrix;
}

export async function checkContext(reopen: () => Promise<Opened>, env: Env): Promise<CheckContext> {
  const opened = await reopen();
  const { home, repository, userHome, places } = opened;
  const found = inspectScopes({ projectRoot: repository.root, userHome, configDir: places.configDir }, env);
  const up = await running(home);
  const server = up && { worker: versionOf(up.about), supervisor: String(up.about.version) };
  return { home, reopen, opened, env, found, server, versions: await versionMatrix(found, server, env) };
}
