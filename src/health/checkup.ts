// Everything `interlock doctor` looks at, as lines with a verdict and a repair each. Looks; repairs nothing.
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../hook/folders.js";
import type { Opened } from "../hook/open-project.js";
import { describeStranger, strangerOn } from "../hook/port-conflict.js";
import { readDoor, serverPid } from "../hook/server-address.js";
import { callsFor, keptDown } from "../hook/start-policy.js";
import { readManifest } from "../hosts/claude-code/install/install-manifest.js";
import type { Way } from "../hosts/claude-code/install/own-entries.js";
import { registeredEvents } from "../hosts/claude-code/protocol/events.js";
import { type Inspection, inspectScopes } from "../hosts/claude-code/settings/scopes.js";
import { describe, type Problem } from "../hosts/claude-code/settings/settings.js";
import type { Scope } from "../hosts/claude-code/settings/settings-files.js";
import { folderFault, othersCanRead } from "../server/home-preflight.js";
import { type Post, probe } from "./probes.js";
import { type Matrix, type Running, versionLines, versionMatrix } from "./versions.js";

export interface Line {
  area: string;
  ok: boolean;
  /** A line that is not ok but only worth knowing. */
  mild?: true;
  tampering?: true;
  what: string;
  fix?: string;
  /** What `--fix` does about it; without one it is the user's to decide or to do. */
  repair?: Repair;
}

export type Repair =
  | { do: "register"; scope?: Scope; door?: Way }
  | { do: "up" }
  | { do: "anew" }
  | { do: "move"; scopes: Scope[] }
  | { do: "close"; path: string }
  | { do: "aside"; path: string }
  | { do: "enable"; file: string }
  | { do: "strict"; file: string };

export interface Checkup {
  lines: Line[];
  versions: Matrix;
}

/** What is registered, held against what would be. */
type Drift = (opened: Opened, found: Inspection, client: string | undefined) => Promise<Line[]>;

export async function checkup(
  opened: Opened,
  env: Env,
  post: Post,
  running: Running | undefined,
  drift: Drift,
): Promise<Checkup> {
  const places = { projectRoot: opened.repository.root, userHome: opened.userHome, configDir: opened.places.configDir };
  const found = inspectScopes(places, env);
  const versions = await versionMatrix(found, running, env);
  const lines = [
    ...versionLines(versions),
    ...folder(opened),
    ...record(opened),
    ...configuration(opened),
    ...registration(found, Object.keys(readManifest(opened.home).installs)),
    ...(await drift(opened, found, versions.client.version)),
    ...(await server(opened, env, found, running)),
    ...(await probes(found, opened, env, post)),
  ];
  return { lines, versions };
}

function folder({ home }: Opened): Line[] {
  if (!existsSync(home))
    return [
      {
        area: "folder",
        ok: false,
        mild: true,
        what: `${home} does not exist yet; it is made at the first event`,
        fix: "interlock init",
      },
    ];
  const fault = folderFault(home);
  if (fault)
    return [
      {
        area: "folder",
        ok: false,
        what: `${fault.why}: nothing is recorded meanwhile, stateless protecting gates still judge`,
        fix: fault.fix,
        ...(fault.inTheWay !== undefined && { repair: { do: "aside" as const, path: fault.inTheWay } }),
        ...(fault.closed !== undefined && { repair: { do: "close" as const, path: fault.closed } }),
      },
    ];
  if (process.platform === "win32") return [{ area: "folder", ok: true, what: home }];
  const open = ["", "key", "server", "server/door.json", "server/spool", "bin"]
    .map((name) => join(home, name))
    .filter((p) => existsSync(p) && (statSync(p).mode & 0o077) !== 0);
  return open.length
    ? open.map((p) => ({
        area: "folder",
        ok: false,
        what: `${p} can be read by other users`,
        fix: `chmod go-rwx '${p}'`,
        repair: { do: "close" as const, path: p },
      }))
    : [{ area: "folder", ok: true, what: `${home}, yours alone` }];
}

function record({ store }: Opened): Line[] {
  try {
    const { condition, seq } = store.read();
    if (condition.ok) return [{ area: "record", ok: true, what: `${seq} records, head checked` }];
    return condition.findings.map((f) => ({
      area: "record",
      ok: false,
      mild: f.level === "notice" ? true : undefined,
      tampering: f.level === "tampering" ? true : undefined,
      what: f.what,
      fix: f.remedy ?? 'interlock verify, then interlock recover --reason "..."',
    }));
  } catch (error) {
    const { message, remedy } = error as { message: string; remedy?: string };
    return [
      { area: "record", ok: false, what: message, fix: remedy ?? "make Interlock's folder readable and writable" },
    ];
  }
}

function configuration({ settings, projectFile, userFile }: Opened): Line[] {
  if (!settings.problems.length)
    return [
      {
        area: "configuration",
        ok: true,
        what: `${settings.hash} (${[userFile, projectFile].filter(existsSync).join(", ") || "defaults"})`,
      },
    ];
  return settings.problems.map((p) => ({
    area: "configuration",
    ok: false,
    what: `${p} (the last good configuration stays in force)`,
    fix: "correct the file; interlock config check",
  }));
}

function registration({ scopes, off, withheld }: Inspection, installedIn: readonly string[]): Line[] {
  const lines = scopes.flatMap((scope) => scope.problems.map((problem) => settingsLine(scope, problem)));
  const said = new Set(scopes.flatMap((s) => s.problems.map((p) => `${s.file}: ${describe(p)}`)));
  // Entries that are there and too weak are said, with their repair, where they are held against what belongs there.
  const weak = scopes.map((s) => `${s.file}: PreToolUse `);
  for (const why of off.filter((each) => !said.has(each) && !weak.some((start) => each.startsWith(start)))) {
    const file = scopes.find((s) => s.scope !== "managed" && why.startsWith(`${s.file} sets `))?.file;
    lines.push({
      area: "hooks",
      ok: false,
      what: why,
      fix: file ? "interlock doctor --fix takes it out of that file" : "remove it there",
      ...(file && { repair: { do: "enable" as const, file } }),
    });
  }
  for (const { file, scope, simple } of scopes)
    if (simple && (scope === "project" || scope === "local"))
      lines.push({
        area: "hooks",
        ok: false,
        mild: true,
        what: `${file} sets CLAUDE_CODE_SIMPLE, which could drop all hooks`,
        fix: "interlock doctor --fix takes it out of that file",
        repair: { do: "enable", file },
      });
  for (const { file, scope, url, variables } of withheld) {
    const what = url
      ? "allowedHttpHookUrls leaves out the server's address: Claude Code sends nothing there"
      : `httpHookAllowedEnvVars leaves out what gates ask for: ${variables.join(", ")}`;
    const fix = scope === "managed" ? "add it there" : `interlock init --scope ${scope} --door shim`;
    const repair = scope !== "managed" && { repair: { do: "register" as const, scope, door: "shim" as const } };
    lines.push({ area: "hooks", ok: false, what: `${file}: ${what}`, fix, ...repair });
  }
  // What can't be read may well have us in it: it is said above.
  if (scopes.some((s) => installedIn.includes(s.file) && s.problems.some(isUnread))) return lines;
  const ours = scopes.filter((s) => s.ours.length > 0);
  for (const { file, http } of ours)
    if (http && othersCanRead(file))
      lines.push({
        area: "settings",
        ok: false,
        mild: true,
        what: `${file} can be read by other users, and the secret of the server's address is in it`,
        fix: `chmod go-rwx '${file}'`,
        repair: { do: "close", path: file },
      });
  if (!ours.length)
    return [
      ...lines,
      {
        area: "hooks",
        ok: false,
        what: "Interlock is not registered in any settings file",
        fix: "interlock init",
        repair: { do: "register" },
      },
    ];
  const events = new Set(ours.flatMap((s) => s.ours));
  const missing = registeredEvents.filter((e) => !events.has(e));
  if (missing.length)
    lines.push({
      area: "hooks",
      ok: false,
      what: `not registered for ${missing.join(", ")}`,
      fix: "interlock doctor --fix",
      repair: again(ours),
    });
  else
    lines.push({
      area: "hooks",
      ok: true,
      what: `registered for ${registeredEvents.length} events in ${ours.map((s) => s.file).join(", ")}`,
    });
  return lines;
}

const isUnread = ({ path, effect, lenient }: Problem): boolean => path === "" && effect === "file" && !lenient;

/** Our own entries are written again; comments and trailing commas go; the rest is for whoever wrote it. */
function settingsLine({ file, scope, oursAt }: Inspection["scopes"][number], problem: Problem): Line {
  const line: Line = { area: "settings", ok: false, what: `${file}: ${describe(problem)}` };
  if (problem.effect !== "file") line.mild = true;
  const fixed = { ...line, fix: "interlock doctor --fix" };
  const mine = oursAt.some((path) => problem.path === path || problem.path.startsWith(`${path}.`));
  if (mine && scope !== "managed") return { ...fixed, repair: { do: "register", scope } };
  if (problem.lenient && scope !== "managed") return { ...fixed, repair: { do: "strict", file } };
  const where = problem.path ? `${problem.path} in ${file}` : file;
  return { ...line, fix: `correct ${where}, then run: interlock doctor` };
}

/** Where entries of ours are already: another scope would only add a second set. */
function again(scopes: Inspection["scopes"]): Repair {
  const scope = scopes.find((s) => s.ours.length > 0 && s.scope !== "managed")?.scope as Scope | undefined;
  return { do: "register", ...(scope && { scope }) };
}

/** Only where something registered here can ask it. */
async function server(
  { home }: Opened,
  env: Env,
  { scopes }: Inspection,
  running: Running | undefined,
): Promise<Line[]> {
  const files = scopes.filter((s) => s.ours.length > 0).map((s) => s.file);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const called = texts.some((text) => text.includes("/hook/claude-code/"));
  const door = readDoor(home);
  const pid = serverPid(home);
  if (!called && pid === undefined) return resting(home, env, files.length > 0);
  const fix = "interlock up";
  const bad = (what: string): Line[] => [
    { area: "server", ok: false, ...(called ? {} : { mild: true as const }), what, fix, repair: { do: "up" } },
  ];
  const stranger = pid === undefined ? await strangerOn(home) : undefined;
  if (stranger)
    return [
      {
        area: "server",
        ok: false,
        what: describeStranger(stranger),
        fix: "interlock up --new-port, then interlock init",
        repair: {
          do: "move",
          scopes: scopes.flatMap((s) => (s.ours.length && s.scope !== "managed" ? [s.scope] : [])),
        },
      },
    ];
  if (!door || pid === undefined) {
    const kept = keptDown(home, env);
    return bad(`not running${kept ? ` (it ${kept})` : ""}: Claude Code refuses every tool call that comes over http`);
  }
  if (called && !texts.some((text) => text.includes(`//127.0.0.1:${door.port}/`) && text.includes(door.token)))
    return [
      {
        area: "hooks",
        ok: false,
        what: "registered with an address the server no longer has",
        fix: "interlock doctor --fix",
        repair: again(scopes),
      },
    ];
  if (!running) {
    const [line] = bad(`process ${pid} holds the server's place and does not answer`);
    return [{ ...line!, fix: "interlock down, then interlock up", repair: { do: "anew" } }];
  }
  return [{ area: "server", ok: true, what: `process ${pid} on 127.0.0.1:${door.port}` }];
}

/** Where hooks can do without it. */
function resting(home: string, env: Env, installed: boolean): Line[] {
  const door = readDoor(home);
  const kept = keptDown(home, env);
  const alone = "each event is judged in a process of its own";
  if (!installed || (!door && process.platform !== "linux")) return [];
  if (kept) return [{ area: "server", ok: true, what: `it ${kept}: ${alone}` }];
  const { calls } = callsFor(home);
  const what = calls > 1 ? `it was called ${calls} times and did not come: ${alone}` : `not running: ${alone}`;
  return [{ area: "server", ok: false, mild: true, what, fix: "interlock up", repair: { do: "up" } }];
}

async function probes({ scopes }: Inspection, { repository }: Opened, env: Env, post: Post): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { file, scope } of scopes.filter((s) => s.ours.length > 0))
    for (const p of await probe({ file, root: repository.root, env, post, all: true }))
      lines.push({
        area: "probe",
        ok: p.ok,
        what: `${p.event} (${p.way}): ${p.name} ${p.ok ? p.expected : `must be ${p.expected}: ${p.detail}`} (${p.ms} ms)`,
        ...(!p.ok && {
          fix: "interlock doctor --fix",
          ...(scope !== "managed" && { repair: { do: "register" as const, scope } }),
        }),
      });
  return lines;
}
