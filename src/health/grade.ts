// The assurance grade, found by looking, never configured: observe, hooks, anchored, supervised, managed.
// Invariant: a grade is claimed only for what was found registered and valid just now.

import type { Env } from "../hook/folders.js";
import type { Opened } from "../hook/open-project.js";
import { inspectScopes } from "../hosts/claude-code/settings/scopes.js";
import type { Config } from "../model/config.js";

export interface Grade {
  name: "observe" | "hooks" | "managed";
  installed: boolean;
  /** Where our hooks are registered. */
  scopes: string[];
  /** The events they are registered for. */
  events: string[];
  /** What keeps them from working, in sentences. */
  problems: string[];
  /** Whether events come in over http: then nothing passes while the server is down. */
  http: boolean;
}

export const engineEnforces = (config: Config): boolean =>
  Object.values(config.packs).some((p) => p.enabled && p.mode === "enforce");

export function gradeOf(opened: Opened, env: Env): Grade {
  const { scopes, off } = inspectScopes(
    { projectRoot: opened.repository.root, userHome: opened.userHome, configDir: opened.places.configDir },
    env,
  );
  const ours = scopes.filter((s) => s.ours.length > 0);
  const working = ours.length > 0 && off.length === 0 && engineEnforces(opened.settings.config);
  const managed = working && ours.some((s) => s.scope === "managed");
  return {
    name: managed ? "managed" : working ? "hooks" : "observe",
    installed: ours.length > 0,
    scopes: ours.map((s) => s.file),
    events: [...new Set(ours.flatMap((s) => s.ours))],
    problems: off,
    http: ours.some((s) => s.http),
  };
}
