// Hooks of others in a settings file, and which of them can run under Interlock.
// Invariant: a hook that cannot be run exactly as the client runs it stays where it is, with the reason.
import type { AdoptedHook } from "../../../model/config.js";
import { asString, type JsonObject } from "../../../model/json.js";
import { isOurs } from "../install/own-entries.js";
import { type HookEntry, hookEntries } from "../settings/settings.js";
import type { SettingsScope } from "../settings/settings-files.js";

export interface ForeignHook extends HookEntry {
  file: string;
  scope: SettingsScope;
  /** Why it cannot be adopted; absent where it can. */
  stays?: string;
}

export function foreignHooks(json: JsonObject, from: { file: string; scope: SettingsScope }): ForeignHook[] {
  return hookEntries(json)
    .filter((entry) => !isOurs(entry.handler))
    .map((entry) => {
      const stays = whyStays(entry.handler);
      return { ...entry, ...from, ...(stays === undefined ? {} : { stays }) };
    });
}

function whyStays(handler: JsonObject): string | undefined {
  if (handler.type !== "command")
    return `a hook of type ${JSON.stringify(handler.type ?? null)} runs inside the client`;
  if (typeof handler.command !== "string" || !handler.command.trim()) return "it has no command";
  if (handler.async === true || handler.asyncRewake === true) return "it runs in the background";
  if (handler.if !== undefined) return "its `if` condition is in the client's own rule language";
  if (handler.shell === "powershell") return "it runs in PowerShell";
  if (/\$\{?CLAUDE_PLUGIN_|\$\{user_config\./.test(JSON.stringify([handler.command, handler.args ?? []])))
    return "it uses variables that only plugins have";
  return undefined;
}

/** As the configuration keeps them. */
export function toAdopted(hooks: readonly ForeignHook[]): AdoptedHook[] {
  return hooks
    .filter((hook) => hook.stays === undefined)
    .map(({ event, matcher, handler, file }) => ({
      event,
      ...(matcher === undefined ? {} : { matcher }),
      command: asString(handler.command) ?? "",
      ...(Array.isArray(handler.args) ? { args: handler.args.map(String) } : {}),
      ...(typeof handler.timeout === "number" ? { timeout: handler.timeout } : {}),
      source: file,
    }));
}
