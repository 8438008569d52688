// For doctor: what is registered, held against what `init` would register now; the shim, held against what would be written.
import { existsSync } from "node:fs";
import type { Line } from "../../health/checkup.js";
import type { Opened } from "../../hook/open-project.js";
import { readDoor } from "../../hook/server-address.js";
import { driftOf } from "../../hosts/claude-code/install/entry-drift.js";
import { isOurs, ourHandler, wayOfHandler, wordsOf } from "../../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../../hosts/claude-code/protocol/events.js";
import type { Inspection } from "../../hosts/claude-code/settings/scopes.js";
import { type HookEntry, hookEntries, readSettings } from "../../hosts/claude-code/settings/settings.js";
import { readText, type Scope } from "../../hosts/claude-code/settings/settings-files.js";
import { choose } from "../../server/choose-door.js";
import { shimDrift } from "../../server/shim.js";
import { registeredWay, timeoutSeconds } from "../commands/init.js";

export async function driftLines(opened: Opened, { scopes }: Inspection, client: string | undefined): Promise<Line[]> {
  const lines: Line[] = [];
  const doors = new Map<string, { scope: Scope; file: string }>();
  for (const { scope, file, ours } of scopes) {
    if (scope === "managed" || !ours.length) continue;
    const entries = oursIn(file);
    // Without the server's address nothing can be held against it; that it is gone is said elsewhere.
    if (!readDoor(opened.home) && entries.some(({ handler }) => wayOfHandler(handler) === "http")) continue;
    const way = registeredWay(file) ?? wayOfHandler(entries[0]!.handler);
    const program = { node: process.execPath, script: process.argv[1]! };
    const { served } = await choose({
      way,
      home: opened.home,
      ...program,
      clientVersion: client,
      adopts: false,
      dry: true,
    });
    const registration = { command: program, timeoutSeconds, clientVersion: client, home: opened.home, served };
    const wanted = Object.fromEntries(registeredEvents.map((event) => [event, ourHandler(event, registration)]));
    const bad = (what: string): Line => ({
      area: "hooks",
      ok: false,
      what,
      fix: `interlock init --scope ${scope}`,
      repair: { do: "register", scope },
    });
    const said = [...driftOf(entries, wanted, client !== undefined), ...gone(entries)];
    if (entries.some(({ handler }) => wayOfHandler(handler) === "shim"))
      said.push(...shimDrift(opened.home, served?.env ?? []));
    if (said.length)
      lines.push(
        bad(`${file}: ${said.slice(0, 4).join("; ")}${said.length > 4 ? `; and ${said.length - 4} more` : ""}`),
      );
    const call = entries.find(({ event }) => event === "PreToolUse");
    if (call) doors.set(JSON.stringify(call.handler["url"] ?? wordsOf(call.handler)), { scope, file });
  }
  return [...lines, ...twice([...doors.values()])];
}

/** The client runs equal entries once; two that differ are both asked, and both record. */
function twice(places: readonly { scope: Scope; file: string }[]): Line[] {
  const [first, second] = places;
  if (!first || !second) return [];
  const door = registeredWay(second.file);
  return [
    {
      area: "hooks",
      ok: false,
      what: `${first.file} and ${second.file} register Interlock in different ways, so every call is judged and counted twice`,
      fix: `interlock init --scope ${first.scope}${door ? ` --door ${door}` : ""}`,
      repair: { do: "register", scope: first.scope, ...(door && { door }) },
    },
  ];
}

function gone(entries: readonly HookEntry[]): string[] {
  const nodes = entries
    .filter(({ handler }) => wayOfHandler(handler) === "command")
    .map(({ handler }) => wordsOf(handler)[0]!);
  return [...new Set(nodes)].filter((node) => node.includes("/") && !existsSync(node)).map((node) => `${node} is gone`);
}

function oursIn(file: string): HookEntry[] {
  const settings = readSettings(readText(file));
  return settings.ok ? hookEntries(settings.json).filter((entry) => isOurs(entry.handler)) : [];
}
