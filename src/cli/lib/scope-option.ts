// The option `--scope` of `init` and `uninstall`.
import type { SettingsScope } from "../../hosts/claude-code/settings/settings-files.js";
import { nearest } from "../../model/nearest.js";
import { UsageError } from "./args.js";

const scopes: readonly SettingsScope[] = ["local", "project", "user"];

export function scopeNamed(text: string | undefined, usage: string): SettingsScope | undefined {
  const found = scopes.find((scope) => scope === text);
  if (found || text === undefined) return found;
  const near = nearest(text, [...scopes]);
  throw new UsageError(
    `--scope is local, project or user, not "${text}"${near ? `; did you mean ${near}?` : ""}\n${usage}`,
  );
}
