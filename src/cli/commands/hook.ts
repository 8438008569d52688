// interlock hook <host>: one event on stdin, the host's answer on stdout, exit 0. Runs when no server answered
// (hook/spool-client.ts asks it before this is loaded). Starts the server after the answer where it is missing.
// Invariant: exactly one JSON object is written, in one write, whatever happens; a broken Interlock refuses.
import { existsSync, fstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { adoptedHooks } from "../../hook/adopted-hooks.js";
import { interlockHome } from "../../hook/folders.js";
import { type Opened, open } from "../../hook/open-project.js";
import { handleCall } from "../../hook/pipeline.js";
import { readAddress, serverFolder, serverPid } from "../../hook/server-address.js";
import { noteSessionProject } from "../../hook/session-project.js";
import { readAll, writeWhole } from "../../hook/stdio.js";
import { monotonic } from "../../model/clock.js";
import { limits } from "../../model/limits.js";
import { hookOriginOf } from "../../person/hook-origin.js";
import { ancestry } from "../../person/process-tree.js";

/** `input` is what the entry has read from stdin already; `asked`: it was given to a server that did not answer. */
export async function run(args: string[], input?: Buffer, asked = false): Promise<number> {
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
  const served = readAddress(home) !== undefined;
  const starting = options["event"] === "SessionStart" && existsSync(serverFolder(home));
  const gone = serverPid(home) === undefined;
  let opened: Opened | undefined;
  const portConflict =
    served && gone && told.has(options["event"] ?? "")
      ? await (await import("../../hook/port-conflict.js")).portConflictOn(home)
      : undefined;
  await handleCall({
    bytes: input ?? readAll(),
    send: ({ text, event, verdict }) => {
      // Messages for the person also go to stderr, which the host keeps.
      if (verdict?.messages.length) process.stderr.write(`${verdict.messages.join("\n")}\n`);
      if (served && event?.kind === "session.start" && event.projectDir) {
        const configDir = process.env["CLAUDE_CONFIG_DIR"];
        noteSessionProject(home, event.session, { project: event.projectDir, configDir });
      }
      writeWhole(text);
    },
    portConflict,
    notice:
      starting && !portConflict
        ? (await serverStart()).startForSession(home, process.argv[1]!, process.env)
        : undefined,
    open: async (folder, how) => (opened = await open(folder, how)),
    env: process.env,
    registered: options["event"],
    home: options["home"],
    only: options["only"],
    packageDir: dirname(dirname(process.argv[1] ?? "")),
    origin: () => hookOriginOf(ancestry()),
    deadline: deadline(options["alone"] !== undefined),
    firstSeen: handedOver(options["alone"] !== undefined, asked),
  });
  const unknown = options["only"] && (await unknownGate(options["only"]));
  if (unknown) {
    process.stderr.write(`interlock: ${unknown}\n`);
    return 2;
  }
  const asRegistered = options["event"] && !options["only"];
  if (gone && asRegistered && !portConflict && (served || helps(home, opened))) await callServer(home);
  return 0;
}

/** A misspelled gate must not look like one that passes the call: the exit code says so for every event. */
async function unknownGate(id: string): Promise<string | undefined> {
  const { gateNamed } = await import("../../hook/only-gate.js");
  return gateNamed(id).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** The host, or the shim that started this process, gives up on it some time after it was started. */
function deadline(alone: boolean): number {
  const limit = alone ? limits.shimAlone : limits.host;
  return monotonic() - process.uptime() * 1_000 + limit - limits.margin;
}

/** When a server that gave no answer was given this event, which it may have recorded; undefined if none was. */
function handedOver(alone: boolean, asked: boolean): number | undefined {
  if (asked) return monotonic() - process.uptime() * 1_000;
  // The shim hands on the file of its request; without a server it hands on its own standard input.
  const stdin = alone ? fstatSync(0) : undefined;
  return stdin?.isFile() ? monotonic() - Math.max(0, Date.now() - stdin.mtimeMs) - 1_000 : undefined;
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
  const { mayStart } = await import("../../hook/start-policy.js");
  if (mayStart(home, process.env)) (await serverStart()).startFromHook(home, process.argv[1]!);
}

/** Events that are commands even where calls come over http: with these a port conflict is noticed. */
const told = new Set(["SessionStart", "UserPromptSubmit", "Stop", "SubagentStop"]);

const serverStart = () => import("../../hook/start-server.js");
