// The worker: receives calls from the supervisor, runs them through the pipeline in turn, sends the answers back.
// Invariant: every call gets exactly one answer; the worker knows nothing another process could not read from files.
import { statSync } from "node:fs";
import { Socket } from "node:net";
import type { HookOrigin } from "../engine/typed-commands/provenance.js";
import { loadAll } from "../facts/load-facts.js";
import { type Env, version } from "../hook/folders.js";
import { handleCall, type Received, receive } from "../hook/pipeline.js";
import { protocol, serverEnv } from "../hook/server-address.js";
import { SessionProjects } from "../hook/session-project.js";
import { spoolFolder } from "../hook/spool-protocol.js";
import { unjudged } from "../hook/unjudged.js";
import { monotonic } from "../model/clock.js";
import type { JsonObject } from "../model/json.js";
import { limits } from "../model/limits.js";
import { gateVariables } from "../packs/variables.js";
import { hookOriginOf } from "../person/hook-origin.js";
import { ancestry } from "../person/process-tree.js";
import { onFrames, sendFrame } from "./frames.js";
import { ProjectCache } from "./project-cache.js";
import { ProjectQueue } from "./project-queue.js";
import type { SpoolCaller } from "./request-auth.js";

const supervisorFd = 3;
const bounds = { perQueue: 512, total: 2_000, bytes: 96 * 1024 * 1024 };

export async function work(home: string, packageDir: string): Promise<never> {
  const pipe = new Socket({ fd: supervisorFd });
  pipe.on("error", () => process.exit(0)); // the supervisor is gone; the next one starts its own worker
  pipe.on("close", () => process.exit(0));
  const worker = new Worker(pipe, home, packageDir);
  const variables = await preload();
  onFrames(pipe, (head, body) => worker.receive(head, body));
  setInterval(() => worker.beat(), 1_000);
  sendFrame(pipe, { hello: { version, protocol, pid: process.pid, variables } });
  return new Promise<never>(() => {});
}

/** A call as the supervisor sends it. */
interface WorkerCall {
  id: number;
  event: string;
  env: Env;
  /** Monotonic milliseconds: when the supervisor gives up on it. */
  until: number;
  firstSeen?: number;
  caller?: SpoolCaller;
}

class Worker {
  readonly #queue = new ProjectQueue(bounds);
  readonly #cache = new ProjectCache();
  readonly #sessions: SessionProjects;
  readonly #env = serverEnv(process.env);
  /** Calls under way, and those of them whose client has closed its connection. */
  readonly #calls = new Set<number>();
  readonly #gone = new Set<number>();
  #open = 0;
  #draining = false;

  constructor(
    private readonly pipe: Socket,
    private readonly home: string,
    private readonly packageDir: string,
  ) {
    this.#sessions = new SessionProjects(home);
  }

  beat(): void {
    sendFrame(this.pipe, { beat: true, rss: process.memoryUsage.rss() });
  }

  receive(head: JsonObject, body: Buffer): void {
    if (head["drain"] === true) {
      this.#draining = true;
      return this.#leaveWhenDone();
    }
    if (head["gone"] !== undefined) {
      if (this.#calls.has(Number(head["gone"]))) this.#gone.add(Number(head["gone"]));
      return;
    }
    const call = head as unknown as WorkerCall;
    this.#calls.add(call.id);
    const env: Env = { ...this.#env, ...call.env };
    const received = receive(body, env, call.event);
    // A caller in the spool has the agent's environment: there is no project to look up.
    if ("event" in received && !call.caller) this.#sessions.locate(received.event, env);
    const project = "event" in received ? (received.event.projectDir ?? received.event.cwd) : "";
    this.#open++;
    const run = () => this.#run(call, body, env, received);
    if (this.#queue.add(project, body.length, run, () => this.#widthOf(project))) return;
    this.#answer(call, unjudged(call.event, `${this.#queue.waiting} calls are waiting already`));
    this.#ended(call);
  }

  async #run(call: WorkerCall, bytes: Buffer, env: Env, received: Received): Promise<void> {
    const { caller, event } = call;
    const deadline = call.until - limits.margin;
    try {
      // The supervisor has given up on it: nobody is waiting for a verdict, so none is recorded.
      if (monotonic() >= call.until)
        return this.#answer(call, this.#noVerdict(call, "it waited too long for its turn"));
      await handleCall({
        bytes,
        send: ({ text }) => this.#answer(call, text),
        env,
        received,
        registered: event,
        home: this.home,
        packageDir: this.packageDir,
        open: this.#cache.open,
        firstSeen: call.firstSeen,
        deadline,
        gone: () => (caller ? !stillWaits(this.home, caller) : this.#gone.has(call.id)),
        lockWaitMs: limits.record,
        decidesItself: caller !== undefined,
        origin: caller && (() => originOf(caller)),
      });
    } catch (error) {
      console.error(error);
      this.#answer(call, this.#noVerdict(call, String((error as Error)?.message ?? error).slice(0, 200)));
    } finally {
      this.#ended(call);
    }
  }

  /** The supervisor ignores a second answer to the same call. */
  #answer({ id }: WorkerCall, text: string): void {
    sendFrame(this.pipe, { id }, Buffer.from(text));
  }

  /** A caller that can decide by itself is told to. */
  #noVerdict({ caller, event }: WorkerCall, why: string): string {
    return caller ? "" : unjudged(event, why);
  }

  #ended({ id }: WorkerCall): void {
    this.#calls.delete(id);
    this.#gone.delete(id);
    this.#open--;
    this.#leaveWhenDone();
  }

  #leaveWhenDone(): void {
    if (this.#draining && this.#open === 0) this.pipe.end(() => process.exit(0));
  }

  /** Adopted hooks are other people's processes and may take long: they run side by side, as they would without us. */
  #widthOf(project: string): number {
    return this.#cache.adopts(project) ? 8 : 1;
  }
}

/** Loads everything an event can need now: the package may be replaced while the worker runs. Returns the variables
 * gates read. */
async function preload(): Promise<string[]> {
  const [variables] = await Promise.all([
    gateVariables(),
    loadAll(),
    import("../config/compile.js"),
    import("../hosts/claude-code/settings/disarm.js"),
    import("../hook/only-gate.js"),
    import("../hook/record-fault.js"),
    import("../hook/replay.js"),
    import("../hosts/claude-code/adopt/reentry.js"),
    import("../hosts/claude-code/adopt/run-adopted.js"),
  ]);
  return variables;
}

/** A caller takes its reply file away before it decides by itself. */
function stillWaits(home: string, { pid, file }: SpoolCaller): boolean {
  const reply = statSync(`${spoolFolder(home)}/${pid}.a`, { bigint: true, throwIfNoEntry: false });
  return reply !== undefined && `${reply.dev}:${reply.ino}` === file;
}

/** Only the process that has the reply file open is the one that waits there; its name alone proves nothing. */
function originOf({ pid, fd, file }: SpoolCaller): HookOrigin {
  const held = statSync(`/proc/${pid}/fd/${fd}`, { bigint: true, throwIfNoEntry: false });
  if (!held || `${held.dev}:${held.ino}` !== file) return { kind: "unknown", why: "the caller can't be seen" };
  return hookOriginOf(ancestry(pid));
}
