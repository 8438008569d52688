// Doctor's area "live" (`--live`): runs the installed Claude Code on a scripted model; our hooks must stop it.
// Invariant: only our own entries run, as registered except for the folder they record in; no user file is touched.
import { accessSync, constants, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Env } from "../hook/folders.js";
import type { Opened } from "../hook/open-project.js";
import { hookTimeoutSeconds, isOurs, ourHandler, wordsOf } from "../hosts/claude-code/install/own-entries.js";
import { isTeamEntry } from "../hosts/claude-code/install/team-entry.js";
import { inspectScopes } from "../hosts/claude-code/settings/scopes.js";
import { hookEntries, readSettings } from "../hosts/claude-code/settings/settings.js";
import { readTextFile } from "../hosts/claude-code/settings/settings-files.js";
import type { JsonObject } from "../model/json.js";
import { serveForProof } from "../server/hook-type.js";
import type { HealthFinding } from "./finding.js";
import { teamProgram } from "./own-program.js";

export async function checkLive(opened: Opened, env: Env): Promise<HealthFinding[]> {
  const binary = clientOnPath(env);
  if (!binary)
    return [
      {
        area: "live",
        ok: false,
        mild: true,
        what: "Claude Code was not found on PATH, so nothing could be proved on it",
        fix: "npm install -g @anthropic-ai/claude-code",
      },
    ];
  const places = { projectRoot: opened.repository.root, userHome: opened.userHome, configDir: opened.places.configDir };
  const lines: HealthFinding[] = [];
  for (const { file, ours } of inspectScopes(places, env).scopes)
    if (ours.length) lines.push(...(await prove(binary, ourHooks(file, opened), opened.home, file)));
  return lines;
}

async function prove(binary: string, hooks: JsonObject, home: string, file: string): Promise<HealthFinding[]> {
  const { proveRefusal } = await import("../live/proof.js");
  const folder = mkdtempSync(join(tmpdir(), "interlock-proof-home-"));
  const server = JSON.stringify(hooks).includes("interlock.sh")
    ? await serveForProof(folder, scriptIn(hooks))
    : undefined;
  try {
    if (server && "why" in server)
      return [{ area: "live", ok: false, what: `no server to prove: ${server.why}`, fix: server.fix }];
    const proof = await proveRefusal({ binary, hooks: () => recordingIn(folder, hooks, home, server) });
    const client = `Claude Code ${proof.version ?? "of unknown version"} with the hooks of ${file}`;
    return [
      ...proof.checks.map((check) => ({
        area: "live",
        ok: check.ok,
        what: check.ok ? check.name : `${check.name}: not so (${brief(check.detail)})`,
        fix: check.ok ? undefined : "interlock doctor --fix, then interlock doctor --live",
      })),
      { area: "live", ok: true, what: `${client}; ${proof.isolation}` },
    ];
  } finally {
    if (server && "end" in server) await server.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The program our entries start: SessionStart is always a command hook. */
function scriptIn(hooks: JsonObject): string {
  const start = hookEntries({ hooks }).find(({ event }) => event === "SessionStart");
  const words = start ? wordsOf(start.handler) : [];
  return words.find((word) => /(^|[\\/])interlock\.[cm]?js$/.test(word)) ?? process.argv[1]!;
}

const brief = (text: string) => text.split("\n")[0]!.slice(0, 200);

/** The same entries, pointed at a throw-away home and its server. */
function recordingIn(
  folder: string,
  hooks: JsonObject,
  home: string,
  server: { port: number; token: string } | undefined,
): JsonObject {
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  const text = JSON.stringify(hooks).replaceAll(inJson(home), inJson(folder));
  const moved = server
    ? text
        .replaceAll(/http:\/\/127\.0\.0\.1:\d+\//g, `http://127.0.0.1:${server.port}/`)
        .replaceAll(/("x-interlock-token":)"[^"]*"/g, `$1"${server.token}"`)
    : text;
  return JSON.parse(moved) as JsonObject;
}

/** An entry that looks for Interlock in the user's folder finds nothing in a throw-away one: what it finds here. */
function ourHooks(file: string, { home, repository }: Opened): JsonObject {
  const script = teamProgram(home, repository.root) ?? process.argv[1]!;
  const registration = { command: { node: process.execPath, script }, timeoutSeconds: hookTimeoutSeconds, home };
  const settings = readSettings(readTextFile(file));
  const entries = settings.ok ? hookEntries(settings.json).filter((entry) => isOurs(entry.handler)) : [];
  return Object.fromEntries(
    entries.map(({ event, handler }) => [
      event,
      [{ hooks: [isTeamEntry(handler) ? ourHandler(event, registration) : handler] }],
    ]),
  );
}

function clientOnPath(env: Env): string | undefined {
  const name = process.platform === "win32" ? "claude.exe" : "claude";
  const found = (env["PATH"] ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(runnable);
  return found && realpathSync(found);
}

function runnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // missing or not executable: try the next folder of PATH
  }
}
