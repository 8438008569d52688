// Doctor's area "hooks", continued: entries and shim that differ from what `init` would write now.
// Invariant: the server's token is compared, never shown.
import { existsSync } from "node:fs";
import { readAddress } from "../hook/server-address.js";
import { driftOf } from "../hosts/claude-code/install/entry-drift.js";
import {
  hookTimeoutSeconds,
  hookTypeOf,
  isOurs,
  ourHandler,
  wordsOf,
} from "../hosts/claude-code/install/own-entries.js";
import { isTeamEntry } from "../hosts/claude-code/install/team-entry.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { type HookEntry, hookEntries, readSettings } from "../hosts/claude-code/settings/settings.js";
import { readTextFile, type SettingsScope } from "../hosts/claude-code/settings/settings-files.js";
import { planAddress } from "../server/hook-type.js";
import { shimDrift } from "../server/shim.js";
import type { CheckContext, RepairContext } from "./context.js";
import type { HealthFinding } from "./finding.js";
import { registeredHookType } from "./installation.js";
import { register } from "./registration.js";

interface Registered {
  scope: SettingsScope;
  file: string;
}

export async function checkDrift(context: CheckContext): Promise<HealthFinding[]> {
  const findings: HealthFinding[] = [];
  const registered = new Map<string, Registered>();
  for (const { scope, file, ours } of context.found.scopes) {
    if (scope === "managed" || !ours.length) continue;
    const entries = oursIn(file);
    // Without the server's address there is nothing to compare with; its loss is reported by the server's check.
    const overHttp = entries.some(({ handler }) => hookTypeOf(handler) === "http");
    if (overHttp && !readAddress(context.home)) continue;
    const drift = await driftIn(file, scope, entries, context);
    if (drift.length) {
      const more = drift.length > 4 ? `; and ${drift.length - 4} more` : "";
      findings.push({
        area: "hooks",
        ok: false,
        what: `${file}: ${drift.slice(0, 4).join("; ")}${more}`,
        fix: `interlock init --scope ${scope}`,
        repair: register(context, scope),
      });
    }
    const call = entries.find(({ event }) => event === "PreToolUse");
    if (call) registered.set(JSON.stringify(call.handler["url"] ?? wordsOf(call.handler)), { scope, file });
  }
  return [...findings, ...differentEntries([...registered.values()], context)];
}

async function driftIn(
  file: string,
  scope: SettingsScope,
  entries: readonly HookEntry[],
  context: CheckContext,
): Promise<string[]> {
  const clientVersion = context.versions.client.version;
  const command = { node: process.execPath, script: process.argv[1]! };
  const type = registeredHookType(file) ?? hookTypeOf(entries[0]!.handler);
  const team = scope === "project";
  const served = team || type === "command" ? undefined : (await planAddress(context.home, type)).served;
  const registration = { command, timeoutSeconds: hookTimeoutSeconds, clientVersion, home: context.home, served, team };
  const wanted = Object.fromEntries(registeredEvents.map((event) => [event, ourHandler(event, registration)]));
  const usesShim = entries.some(({ handler }) => hookTypeOf(handler) === "shim");
  return [
    ...driftOf(entries, wanted, clientVersion !== undefined),
    ...missingPrograms(entries),
    ...(usesShim ? shimDrift(context.home, served?.env ?? []) : []),
  ];
}

/** The client runs equal entries once; of two that differ both are asked, and both record. */
function differentEntries([first, second]: readonly Registered[], context: RepairContext): HealthFinding[] {
  if (!first || !second) return [];
  const type = registeredHookType(second.file);
  const team = [first, second].some(({ scope }) => scope === "project");
  const other = first.scope === "project" ? second : first;
  const twice = "register Interlock in different ways, so every call is judged and counted twice";
  return [
    {
      area: "hooks",
      ok: false,
      what: `${first.file} and ${second.file} ${twice}`,
      ...(team
        ? { fix: `interlock uninstall --scope ${other.scope}` }
        : {
            fix: `interlock init --scope ${first.scope}${type ? ` --door ${type}` : ""}`,
            repair: register(context, first.scope, type),
          }),
    },
  ];
}

function missingPrograms(entries: readonly HookEntry[]): string[] {
  const nodes = entries
    .filter(({ handler }) => hookTypeOf(handler) === "command" && !isTeamEntry(handler))
    .map(({ handler }) => wordsOf(handler)[0]!);
  return [...new Set(nodes)].filter((node) => node.includes("/") && !existsSync(node)).map((node) => `${node} is gone`);
}

function oursIn(file: string): HookEntry[] {
  const settings = readSettings(readTextFile(file));
  return settings.ok ? hookEntries(settings.json).filter((entry) => isOurs(entry.handler)) : [];
}
