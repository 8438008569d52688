// interlock hook <host>: one event on stdin, the host's answer on stdout, exit 0. The path every governed call takes when no server answered
// (doors/caller.ts asked it before this was loaded). Where this home has a server and it is gone, it is started again, after the answer.
// Invariant: exactly one JSON object is written, in one write, whatever happens; a broken Interlock refuses rather than falls silent.
import { dirname } from "node:path";
import { ancestry } from "../doors/ancestry.js";
import { answer } from "../doors/answer.js";
import { readDoor, serverPid } from "../doors/door.js";
import { standingOf } from "../doors/person-standing.js";
import { interlockHome } from "../doors/places.js";
import { inputKey } from "../doors/spool.js";
import { readAll, writeWhole } from "../doors/stdio.js";

export async function run(args: string[]): Promise<number> {
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
  const starting = served && options["event"] === "SessionStart";
  const gone = served && serverPid(home) === undefined;
  const stranger =
    gone && told.has(options["event"] ?? "")
      ? await (await import("../doors/stranger.js")).strangerOn(home)
      : undefined;
  const { text, event, verdict } = await answer({
    bytes: (globalThis as { [inputKey]?: Buffer })[inputKey] ?? readAll(),
    stranger,
    notice: starting && !stranger ? (await summoning()).summonForSession(home, process.argv[1]!) : undefined,
    env: process.env,
    registered: options["event"],
    home: options["home"],
    only: options["only"],
    packageDir: dirname(dirname(process.argv[1] ?? "")),
    standing: () => standingOf(ancestry()),
  });
  // What is meant for the person also goes where the host keeps a hook's talk.
  if (verdict?.messages.length) process.stderr.write(`${verdict.messages.join("\n")}\n`);
  if (served && event?.kind === "session.start" && event.projectDir) {
    const { notePlace } = await import("../doors/sessions.js");
    notePlace(home, event.session, { project: event.projectDir, configDir: process.env["CLAUDE_CONFIG_DIR"] });
  }
  writeWhole(text);
  if (gone && !starting && !stranger && serverPid(home) === undefined)
    (await summoning()).summon(home, process.argv[1]!);
  return 0;
}

/** Events that come by a command also where calls come over http: there somebody else on the server's port is noticed. */
const told = new Set(["SessionStart", "UserPromptSubmit", "Stop", "SubagentStop"]);

const summoning = () => import("../doors/summon.js");
