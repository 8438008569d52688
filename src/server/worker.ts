// The worker: calls come in from the supervisor, go through the engine in turns, answers go back.
// Invariant: every call gets exactly one answer; it knows nothing a later process could not read from the files.
import { existsSync, statSync } from "node:fs";
import { type ConnectOpts, Socket, type SocketConstructorOpts } from "node:net";
import { join } from "node:path";
import type { Standing } from "../engine/typed-commands/provenance.js";
import { loadAll } from "../facts/load.js";
import { answer, unjudged } from "../hook/answer.js";
import { type Env, version } from "../hook/folders.js";
import { protocol, serverEnv } from "../hook/server-address.js";
import { notePlace, readPlace, type SessionPlace } from "../hook/session-project.js";
import { type ParsedPayload, parsePayload } from "../hosts/claude-code/protocol/payload.js";
import { monotonic } from "../model/clock.js";
import { asString, type JsonObject } from "../model/json.js";
import { gateVariables } from "../packs/variables.js";
import { standingOf } from "../person/hook-origin.js";
import { ancestry } from "../person/process-tree.js";
import { identify } from "../project/identify.js";
import { frameReader, sendFrame } from "./frames.js";
import { warmOpen } from "./project-cache.js";
import { Turns } from "./project-queue.js";
import type { Caller } from "./request-auth.js";

const supervisorFd = 3;
const bounds = { perLine: 512, total: 2_000, bytes: 96 * 1024 * 1024 };
const rememberedSessions = 500;
/** How long a project's width is not looked up again: one that has become wrong costs time, no verdict. */
const widthMs = 1_000;

export async function work(home: string, packageDir: string): Promise<never> {
  const read = frameReader(hear, () => pipe.destroy());
  // Into one buffer, past the stream: a call is small, and the stream's ways cost more than reading it.
  const buffer = Buffer.allocUnsafe(256 * 1024);
  const callback = (length: number): boolean => {
    read(buffer.subarray(0, length));
    return true;
  };
  const options: SocketConstructorOpts & Pick<ConnectOpts, "onread"> = {
    fd: supervisorFd,
    onread: { buffer, callback },
  };
  const pipe = new Socket(options);
  const turns = new Turns(bounds);
  const places = new Map<string, SessionPlace>();
  const widths = new Map<string, { width: number; until: number }>();
  const base = serverEnv(process.env);
  const open = warmOpen();
  /** Calls that were answered before their record and have it now: said with whatever is said next. */
  const recorded: number[] = [];
  let busy = 0;
  let draining = false;

  pipe.on("error", () => process.exit(0)); // the supervisor is gone; another one starts another worker
  pipe.on("close", () => process.exit(0));
  const variables = await preload();
  setInterval(() => sendFrame(pipe, { beat: true, rss: process.memoryUsage.rss(), done: settled() }), 1_000);
  sendFrame(pipe, { hello: { version, protocol, pid: process.pid, variables } });
  return new Promise<never>(() => {});

  function hear(head: JsonObject, body: Buffer): void {
    if (head["drain"] === true) {
      draining = true;
      leaveWhenDone();
      return;
    }
    busy++;
    take(head, body);
  }

  function take(head: JsonObject, body: Buffer): void {
    const event = String(head["event"]);
    const parsed = parsePayload(body);
    const env: Env = { ...base, ...(head["env"] as Record<string, string>) };
    const caller = head["caller"] as Caller | undefined;
    const project = caller ? lineOf(parsed, env) : locate(parsed, env);
    const again = typeof head["again"] === "number" ? head["again"] : undefined;
    const own = caller && { adoptsItself: true, standing: () => standingOfCaller(caller) };
    let replied = false;
    let owed = false;
    const reply = (text: string, more?: true): void => {
      if (!replied) sendFrame(pipe, { id: head["id"], more, done: settled() }, Buffer.from(text), supervisorFd);
      replied = true;
    };
    const foretold = (text: string): void => {
      owed = !replied;
      reply(text, true);
    };
    const finish = (): void => {
      if (owed) recorded.push(Number(head["id"]));
      done();
    };
    const judge = async (): Promise<string> => {
      // Too late to matter: the supervisor has answered, and a record would claim a verdict nobody was given.
      if (monotonic() >= Number(head["until"])) return unanswered(head, "it waited too long for its turn");
      const asked = {
        bytes: body,
        parsed,
        env,
        registered: event,
        home,
        packageDir,
        open,
        again,
        early: reply,
        foretold,
        ...own,
      };
      return (await answer(asked)).text;
    };
    const work = () =>
      judge()
        .catch(broken)
        .then((text) => reply(text))
        .finally(finish);
    const broken = (error: unknown): string => {
      console.error(error);
      return unanswered(head, String((error as Error)?.message ?? error).slice(0, 200));
    };
    if (turns.add(project, body.length, work, widthOf(project))) return;
    reply(unjudged(event, `${turns.waiting} calls are waiting already`));
    done();
  }

  /** Who can decide by itself is told to. */
  function unanswered(head: JsonObject, why: string): string {
    return head["caller"] ? "" : unjudged(String(head["event"]), why);
  }

  function settled(): number[] | undefined {
    return recorded.length ? recorded.splice(0) : undefined;
  }

  function done(): void {
    busy--;
    leaveWhenDone();
  }

  function leaveWhenDone(): void {
    if (!draining || busy > 0) return;
    sendFrame(pipe, { done: settled() });
    pipe.end(() => process.exit(0));
  }

  /** A caller's environment is the agent's: there is nothing to add to it. */
  function lineOf(parsed: ParsedPayload, env: Env): string {
    return env["CLAUDE_PROJECT_DIR"] || (parsed.ok && asString(parsed.payload["cwd"])) || "";
  }

  /** Sets the project in the environment, as the client does for command hooks, and names the line to wait in. */
  function locate(parsed: ParsedPayload, env: Env): string {
    if (!parsed.ok) return "";
    const session = asString(parsed.payload["session_id"]) ?? "";
    const given = env["CLAUDE_PROJECT_DIR"] ?? asString(parsed.payload["cwd"]);
    const place = session ? placeOf(session, given) : undefined;
    const project = env["CLAUDE_PROJECT_DIR"] ?? place?.project ?? given;
    if (project) env["CLAUDE_PROJECT_DIR"] = project;
    if (place?.configDir) env["CLAUDE_CONFIG_DIR"] ??= place.configDir;
    return project ?? "";
  }

  function placeOf(session: string, given: string | undefined): SessionPlace | undefined {
    const known = places.get(session);
    if (known) return known;
    const place = readPlace(home, session) ?? (given ? notePlace(home, session, { project: given }) : undefined);
    if (!place) return undefined;
    if (places.size >= rememberedSessions) places.delete(places.keys().next().value!);
    places.set(session, place);
    return place;
  }

  /** Adopted hooks are other people's processes and may take long: they run side by side, as they would without us. */
  function widthOf(project: string): number {
    const now = monotonic();
    const known = widths.get(project);
    if (known && now < known.until) return known.width;
    const files = [join(home, "adopted.json"), join(home, "projects", identify(project).id, "adopted.json")];
    const width = files.some((file) => existsSync(file)) ? 8 : 1;
    if (widths.size >= rememberedSessions) widths.clear();
    widths.set(project, { width, until: now + widthMs });
    return width;
  }
}

/** Everything an event can need is loaded now: the package may be replaced under a running worker. Resolves to the variables gates ask for. */
async function preload(): Promise<string[]> {
  const [variables] = await Promise.all([
    gateVariables(),
    loadAll(),
    import("../config/compile.js"),
    import("../hosts/claude-code/settings/disarm.js"),
    import("../hook/replay.js"),
    import("../hosts/claude-code/adopt/reentry.js"),
    import("../hosts/claude-code/adopt/run-adopted.js"),
  ]);
  return variables;
}

/** Only the process that has the place open is the one that waits there; its name alone proves nothing. */
function standingOfCaller({ pid, fd, file }: Caller): Standing {
  const held = statSync(`/proc/${pid}/fd/${fd}`, { bigint: true, throwIfNoEntry: false });
  if (!held || `${held.dev}:${held.ino}` !== file) return { kind: "unknown", why: "the caller can't be seen" };
  return standingOf(ancestry(pid));
}
