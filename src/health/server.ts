// Doctor's area "server": the resident server runs at the registered address, where something registered needs it.
import type { Env } from "../hook/folders.js";
import { describePortConflict, portConflictOn } from "../hook/port-conflict.js";
import { readAddress, serverPid } from "../hook/server-address.js";
import { keptDown, startAttempts } from "../hook/start-policy.js";
import { readManifest } from "../hosts/claude-code/install/install-manifest.js";
import { readBoundedText } from "../project/bounded-read.js";
import { bringDown, bringUp, changeAddress, type NotUp } from "../server/start-stop.js";
import type { CheckContext } from "./context.js";
import type { HealthFinding, Repair } from "./finding.js";
import { register, registerAgain } from "./registration.js";

const area = "server";

export async function checkServer(context: CheckContext): Promise<HealthFinding[]> {
  const { home, env, found, server } = context;
  const ours = found.scopes.filter((s) => s.ours.length > 0);
  const texts = ours.map(({ file }) => readBoundedText(file, 1 << 20));
  const overHttp = texts.some((text) => text.includes("/hook/claude-code/"));
  const door = readAddress(home);
  const pid = serverPid(home);
  if (!overHttp && pid === undefined) return notNeeded(home, env, ours.length > 0);
  const other = pid === undefined ? await portConflictOn(home) : undefined;
  if (other)
    return [
      {
        area,
        ok: false,
        what: describePortConflict(other),
        fix: "interlock up --new-port, then interlock init",
        repair: changePort(context),
      },
    ];
  const mild = overHttp ? undefined : true;
  if (!door || pid === undefined) {
    const kept = keptDown(home, env);
    const what = `not running${kept ? ` (it ${kept})` : ""}: Claude Code refuses every tool call that comes over http`;
    return [{ area, ok: false, mild, what, fix: "interlock up", repair: startServerRepair(home) }];
  }
  if (overHttp && !texts.some((text) => text.includes(`//127.0.0.1:${door.port}/`) && text.includes(door.token))) {
    const what = "registered with an address the server no longer has";
    const repair = registerAgain(context, found.scopes);
    return [{ area: "hooks", ok: false, what, fix: "interlock doctor --fix", repair }];
  }
  if (!server) {
    const what = `process ${pid} holds the server's place and does not answer`;
    return [{ area, ok: false, mild, what, fix: "interlock down, then interlock up", repair: replaceServer(home) }];
  }
  return [{ area, ok: true, what: `process ${pid} on 127.0.0.1:${door.port}` }];
}

/** Shim and command hooks also work without a server. */
function notNeeded(home: string, env: Env, installed: boolean): HealthFinding[] {
  if (!installed || (!readAddress(home) && process.platform !== "linux")) return [];
  const kept = keptDown(home, env);
  const alone = "each event is judged in a process of its own";
  if (kept) return [{ area, ok: true, what: `it ${kept}: ${alone}` }];
  const { calls } = startAttempts(home);
  const what = calls > 1 ? `it was called ${calls} times and did not come: ${alone}` : `not running: ${alone}`;
  return [{ area, ok: false, mild: true, what, fix: "interlock up", repair: startServerRepair(home) }];
}

export const startServerRepair = (home: string): Repair => ({
  stage: "server",
  id: "server",
  will: "start the server: interlock up",
  async apply() {
    const first = await bringUp(home, process.argv[1]!);
    if ("why" in first) mustBeUp((await bringDown(home)) ? await bringUp(home, process.argv[1]!) : first);
    return undefined;
  },
});

const replaceServer = (home: string): Repair => ({
  stage: "server",
  id: "server",
  specific: true,
  will: "stop the server that does not answer and start another: interlock down, interlock up",
  async apply() {
    await bringDown(home);
    mustBeUp(await bringUp(home, process.argv[1]!));
    return undefined;
  },
});

const changePort = (context: CheckContext): Repair => ({
  stage: "server",
  id: "server",
  specific: true,
  will: "start the server on another port: interlock up --new-port",
  followedBy: context.found.scopes.flatMap(({ ours, scope }) =>
    ours.length && scope !== "managed" ? [register(context, scope)] : [],
  ),
  async apply() {
    const { home } = context;
    changeAddress(home);
    mustBeUp(await bringUp(home, process.argv[1]!));
    const files = Object.keys(readManifest(home).installs);
    return `these name the old address until interlock init has run there: ${files.join(", ")}`;
  },
});

function mustBeUp(up: object | NotUp): void {
  if ("why" in up) throw new Error(`${up.why} (fix: ${up.fix})`);
}
