// Foreign hooks: which there are, and which can run under Interlock instead of beside it.
// Invariant: what cannot be run exactly as the client would is left where it is, with the reason.
import { asNumber, asString, type JsonObject } from "../../engine/json.js";
import { isOurs } from "./ours.js";
import type { Scope } from "./place.js";
import { type HookEntry, hookEntries } from "./settings.js";

export interface ForeignHook extends HookEntry {
  file: string;
  scope: Scope;
  /** Why it cannot be adopted; absent where it can. */
  stays?: string;
}

/** One adopted hook, as the configuration keeps it. */
export interface AdoptedHook {
  /** Short, for gate ids and messages: "lint.sh". */
  name: string;
  event: string;
  matcher?: string;
  command: string;
  /** Exec form: no shell. */
  args?: string[];
  timeoutSeconds: number;
  /** The settings file it came from. */
  source: string;
}

export function foreignHooks(json: JsonObject, from: { file: string; scope: Scope }): ForeignHook[] {
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

/** The client's default, and the most a hook gets: a longer one would outlive our own time limit. */
const defaultTimeout = 60;

export function toAdopted(hooks: readonly ForeignHook[]): AdoptedHook[] {
  return hooks
    .filter((hook) => hook.stays === undefined)
    .map(({ event, matcher, handler, file }) => {
      const command = asString(handler.command) ?? "";
      const args = Array.isArray(handler.args) ? handler.args.map(String) : undefined;
      return {
        name: shortName([command, ...(args ?? [])].join(" ")),
        event,
        ...(matcher === undefined ? {} : { matcher }),
        command,
        ...(args ? { args } : {}),
        timeoutSeconds: Math.min(asNumber(handler.timeout) ?? defaultTimeout, defaultTimeout),
        source: file,
      };
    });
}

/** The first word that looks like a script, else the program. */
function shortName(line: string): string {
  const words = line.match(/[\w./\\$~{}:@-]+/g) ?? [];
  const word = words.find((w) => /\.\w{1,4}$/.test(w)) ?? words[0] ?? "hook";
  return (word.split(/[\\/]/).at(-1) ?? word).replace(/[^\w.-]/g, "").slice(0, 40) || "hook";
}
