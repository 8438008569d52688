// Doctor's area "configuration": the interlock.yaml files. They belong to the user, so nothing here repairs them.
import { existsSync } from "node:fs";
import type { CheckContext } from "./context.js";
import type { HealthFinding } from "./finding.js";

const area = "configuration";

export function checkConfiguration({ opened: { settings, projectFile, userFile } }: CheckContext): HealthFinding[] {
  if (!settings.problems.length) {
    const files = [userFile, projectFile].filter(existsSync).join(", ");
    return [{ area, ok: true, what: `${settings.hash} (${files || "defaults"})` }];
  }
  return settings.problems.map((problem) => ({
    area,
    ok: false,
    what: `${problem} (the last good configuration stays in force)`,
    fix: "correct the file; interlock config check",
  }));
}
