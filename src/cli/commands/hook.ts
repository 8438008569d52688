// interlock hook <host>: one event on stdin, the host's answer on stdout, exit 0. Runs when no server answered
// (hook/spool-client.ts asks it first). If Interlock is installed and no server runs, starts one after the answer.
// Invariant: writes exactly one JSON object, in one write; if Interlock is broken, it refuses.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { adoptedHooks } from "../../hook/adopted-hooks.js";
import { answer } from "../../hook/answer.js";
import { interlockHome } from "../../hook/folders.js";
import { type Opened, open } from "../../hook/open-project.js";
import { readDoor, serverFolder, serverPid } from "../../hook/server-address.js";
import { readAll, writeWhole } from "../../hook/stdio.js";
import { standingOf } from "../../person/hook-origin.js";
import { ancestry } from "../../person/process-tree.js";

/** `input` is what the entry has read from stdin already. */
export async function run(args: string[], input?: Buffer): Promise<number> {
  const options: Record<string, string> = {};
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg.startsWith("--")) options[arg.slice(2)] = args[++i] ?? "";
    else words.push(arg);
  }
  const [host = "claude-code"] = words;
  if (host !== "claude-code") {
    process.stderr.write(`interlock: unknown host "${host}"; known: claude-code\n`);
    return 2;
  }
  const home = interlockHome(process.env, options["home"]);
  const served = readDoor(home) !== undefined;
  const starting = options["event"] === "SessionStart" && existsSync(serverFolder(home));
  const gone = serverPid(home) === undefined;
  let opened: Opened | undefined;
  const stranger =
    served && gone && told.has(options["event"] ?? "")
      ? await (await import("../../hook/port-conflict.js")).strangerOn(home)
      : undefined;
  const { text, event, verdict } = await answer({
    bytes: input ?? readAll(),
    stranger,
    notice:
      starting && !stranger ? (await summoning()).summonForSession(home, process.argv[1]!, process.env) : undefined,
    open: async (folder, how) => (opened = await open(folder, how)),
    env: process.env,
    registered: options["event"],
    home: options["home"],
    only: options["only"],
    packageDir: dirname(dirname(process.argv[1] ?? "")),
    standing: () => standingOf(ancestry()),
  });
  // Messages for the person also go to stderr, which the host keeps.
  if (verdict?.messages.length) process.stderr.write(`${verdict.messages.join("\n")}\n`);
  if (served && event?.kind === "session.start" && event.projectDir) {
    const { notePlace } = await import("../../hook/session-project.js");
    notePlace(home, event.session, { project: event.projectDir, configDir: process.env["CLAUDE_CONFIG_DIR"] });
  }
  writeWhole(text);
  const asRegistered = options["event"] && !options["only"];
  if (gone && asRegistered && !stranger && (served || helps(home, opened))) await callServer(home);
  return 0;
}

/**
 * Command hooks can ask the server on Linux. Adopted hooks need the agent's environment, so the server hands such
 * calls back.
 */
const helps = (home: string, opened: Opened | undefined): boolean =>
  process.platform === "linux" &&
  opened !== undefined &&
  existsSync(join(home, "installs")) &&
  process.env["INTERLOCK_REENTRY"] === undefined &&
  !adoptedHooks(opened).length;

async function callServer(home: string): Promise<void> {
  const { mayCall } = await import("../../hook/start-policy.js");
  if (mayCall(home, process.env)) (await summoning()).call(home, process.argv[1]!);
}

/** Command hooks even of an http installation: here another program on the server's port is noticed. */
const told = new Set(["SessionStart", "UserPromptSubmit", "Stop", "SubagentStop"]);

const summoning = () => import("../../hook/start-server.js");
