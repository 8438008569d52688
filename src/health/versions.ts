// Doctor's areas "node", "git", "client", "version": what of the version matrix needs doing, with its repair.
import { atLeast, failClosedSince } from "../hosts/claude-code/install/own-entries.js";
import { testedWith } from "../hosts/claude-code/protocol/client-versions.js";
import type { RepairContext } from "./context.js";
import type { HealthFinding } from "./finding.js";
import { register } from "./registration.js";
import { startServerRepair } from "./server.js";
import type { VersionMatrix } from "./version-matrix.js";

export function checkVersions(matrix: VersionMatrix, context: RepairContext): HealthFinding[] {
  return [
    ...matrix.tools.map(toolFinding),
    clientFinding(matrix.client.version),
    ...hookTypeFindings(matrix, context),
    ...otherAgents(matrix),
    ...ownVersions(matrix, context),
  ];
}

function toolFinding({ name, version: installed, least, ok }: VersionMatrix["tools"][number]): HealthFinding {
  const title = name === "node" ? "Node" : name;
  if (ok) return { area: name, ok, what: `${title} ${installed} (${least} or newer)` };
  const missing = "without it the gates know no branches and no snapshots of the work tree";
  return {
    area: name,
    ok,
    ...(name === "git" && { mild: true as const }),
    what: installed ? `${title} ${installed} is older than ${least}` : `${name} was not found; ${missing}`,
    fix: name === "git" ? "install git 2.23 or newer" : "install Node 20 or newer",
  };
}

function clientFinding(installed: string | undefined): HealthFinding {
  const area = "client";
  if (installed && atLeast(installed, failClosedSince))
    return { area, ok: true, what: `Claude Code ${installed} fails closed` };
  const what = installed
    ? `Claude Code ${installed} lets calls through when a hook fails: this installation is advisory in that case`
    : "Claude Code was not found on PATH";
  const fix = `npm install -g @anthropic-ai/claude-code${installed ? `@${testedWith}` : ""}`;
  return { area, ok: false, mild: true, what, fix };
}

/** Entries that do not fit the version of the client. */
function hookTypeFindings({ client, interlock }: VersionMatrix, context: RepairContext): HealthFinding[] {
  const installed = client.version;
  if (!installed) return [];
  const findings: HealthFinding[] = [];
  const area = "hooks";
  const safe = process.platform === "win32" ? "command" : "shim";
  for (const { scope, file, doors } of interlock.registered) {
    if (scope === "managed" || atLeast(installed, failClosedSince) || !doors.includes("http")) continue;
    const open = `Claude Code ${installed} lets every call through when it does not answer`;
    findings.push({
      area,
      ok: false,
      what: `${file} calls the server over http, and ${open}`,
      fix: `interlock init --scope ${scope} --door ${safe}`,
      repair: register(context, scope, safe),
    });
  }
  const calls = client.events.find((row) => row.event === "PreToolUse")!;
  const [first] = interlock.registered;
  if (first && atLeast(installed, failClosedSince) && calls.door && calls.failing !== "refuses") {
    const unasked = `Claude Code ${installed} could refuse when Interlock fails, and the entries do not ask it to`;
    const scope = first.scope === "managed" ? "project" : first.scope;
    findings.push({
      area,
      ok: false,
      what: `registered for an older client: ${unasked}`,
      fix: `interlock init --scope ${first.scope}`,
      repair: register(context, scope),
    });
  }
  return findings;
}

const otherAgents = ({ others }: VersionMatrix): HealthFinding[] =>
  others
    .filter(({ version }) => version !== undefined)
    .map(({ name, version, note }) => ({
      area: "other agents",
      ok: false,
      mild: true,
      what: `${name} ${version} is installed and Interlock has no hook in it: ${note}`,
    }));

/** The version of Interlock that is registered, and the one the server runs. */
function ownVersions(
  { interlock: { here, server, registered } }: VersionMatrix,
  context: RepairContext,
): HealthFinding[] {
  const area = "version";
  const findings: HealthFinding[] = [];
  for (const { scope, file, programs } of registered)
    for (const { path, version: theirs } of programs) {
      if (theirs === here) continue;
      const what =
        theirs === undefined
          ? `${path}, registered in ${file}, is missing or does not run`
          : `${file} starts version ${theirs} (${path}), this is version ${here}`;
      if (scope === "managed") findings.push({ area, ok: false, what, fix: `correct the path in ${file}` });
      else {
        const fix = `interlock init --scope ${scope}`;
        findings.push({ area, ok: false, what, fix, repair: register(context, scope) });
      }
    }
  if (server !== undefined && server !== here) {
    const what = `the server judges with version ${server}, this is version ${here}`;
    if (atLeast(server, here))
      findings.push({ area, ok: false, mild: true, what, fix: `npm install -g agent-interlock@${server}` });
    else findings.push({ area, ok: false, what, fix: "interlock up", repair: startServerRepair(context.home) });
  }
  if (findings.length) return findings;
  const where = [server && "the server", registered.length && "the registration"].filter(Boolean);
  return [{ area, ok: true, what: `Interlock ${here}${where.length ? `, the same in ${where.join(" and ")}` : ""}` }];
}
