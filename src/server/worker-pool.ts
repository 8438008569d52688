// The worker pool of the supervisor: one worker that takes calls, and old ones that finish theirs.
// Invariant: every call is answered exactly once and in time: by its worker, by the next one if that dies, or with a
// refusal that names the repair.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import type { Duplex } from "node:stream";
import { protocol, serverEnv } from "../hook/server-address.js";
import { unjudged } from "../hook/unjudged.js";
import { monotonic } from "../model/clock.js";
import type { JsonObject } from "../model/json.js";
import { limits } from "../model/limits.js";
import type { BuiltInRefusalId } from "../model/refusal.js";
import { onFrames, sendFrame } from "./frames.js";
import type { HookRequest } from "./request-auth.js";

export interface PoolOptions {
  home: string;
  script: string;
  /** How long a call may take in all. */
  deadlineMs: number;
  /** A worker that has calls and sends nothing for this long is killed. */
  stuckMs: number;
  /** A worker without calls for this long is stopped; the next call starts another. */
  idleMs: number;
  maxRss: number;
  log(line: string): void;
  /** A worker is ready; its gates read these variables of the agent's environment. */
  ready?(variables: string[]): void;
}

export const defaultPoolOptions = {
  deadlineMs: limits.server,
  stuckMs: limits.stuckWorker,
  idleMs: 15 * 60_000,
  maxRss: 400 << 20,
};

interface OpenCall {
  id: number;
  request: HookRequest;
  body: Buffer;
  answer(text: string): void;
  tries: number;
  /** When it came, in monotonic milliseconds. */
  firstSeen: number;
  until: number;
  /** A worker has had it. */
  given?: true;
  /** The caller went away. */
  gone?: true;
}

interface Worker {
  child: ChildProcess;
  pipe: Duplex;
  calls: Map<number, OpenCall>;
  started: number;
  lastSign: number;
  lastCall: number;
  script: string;
  stamp: string;
  hello?: { version: string; protocol: number; pid: number; variables?: string[] };
  rss?: number;
  leaving?: true;
}

const maxTries = 3;
const bounds = { calls: 2_000, bytes: 96 * 1024 * 1024 };

export class WorkerPool {
  #worker?: Worker;
  readonly #leaving = new Set<Worker>();
  readonly #waiting: OpenCall[] = [];
  #next = 1;
  #bytes = 0;
  #open = 0;
  #failures = 0;
  #startAgain?: NodeJS.Timeout;
  #lastError = "";
  #ended = false;
  #script: string;
  #refusedStamp?: string;
  #refusals = 0;
  answered = 0;
  /** Calls whose caller went away before the answer. */
  abandoned = 0;
  restarts = 0;
  lastCall = performance.now();

  constructor(private readonly options: PoolOptions) {
    this.#script = options.script;
  }

  about(): JsonObject {
    const { hello, rss } = this.#worker ?? {};
    return {
      worker: hello ? { version: hello.version, protocol: hello.protocol, pid: hello.pid, rss } : null,
      script: this.#script,
      waiting: this.#waiting.length,
      open: this.#open,
      answered: this.answered,
      restarts: this.restarts,
      trouble: this.#failures ? this.#lastError : undefined,
    };
  }

  get open(): number {
    return this.#open;
  }

  /** `gone` resolves when the caller went away: its call is then recorded as refused. */
  ask(request: HookRequest, body: Buffer, gone?: Promise<unknown>): Promise<string> {
    this.lastCall = performance.now();
    if (this.#open >= bounds.calls || this.#bytes + body.length > bounds.bytes)
      return Promise.resolve(unjudged(request.event, `${this.#open} calls are waiting already`));
    this.#open++;
    this.#bytes += body.length;
    return new Promise((resolve) => {
      let done = false;
      const answer = (text: string) => {
        if (done) return;
        done = true;
        this.#open--;
        this.#bytes -= body.length;
        this.answered++;
        resolve(text);
      };
      const until = performance.now() + Math.min(request.ms ?? Number.POSITIVE_INFINITY, this.options.deadlineMs);
      const call: OpenCall = { id: this.#next++, request, body, answer, tries: 0, firstSeen: monotonic(), until };
      void gone?.then(() => {
        call.gone = true;
        this.abandoned++;
        for (const worker of [this.#worker, ...this.#leaving])
          if (worker?.calls.has(call.id)) sendFrame(worker.pipe, { gone: call.id });
      });
      this.#assign(call);
    });
  }

  start(): void {
    if (this.#worker || this.#ended || this.#startAgain) return;
    // The version that was switched to may have been removed since; then start the one we came from.
    this.#worker = this.#startWorker(existsSync(this.#script) ? this.#script : this.options.script);
  }

  /** Once a worker of this script is ready it gets all new calls, and the old one finishes its own. Resolves to its
   * version, or to why not. */
  async switchTo(script: string): Promise<{ version: string } | { why: string }> {
    const fresh = this.#startWorker(script);
    const ready = await new Promise<boolean>((resolve) => {
      fresh.child.once("exit", () => resolve(false));
      fresh.pipe.on("hello", () => resolve(true));
      setTimeout(() => resolve(false), 3 * this.options.stuckMs).unref();
    });
    if (!ready || fresh.hello?.protocol !== protocol) {
      fresh.child.kill("SIGKILL");
      return {
        why: ready
          ? `it speaks protocol ${fresh.hello?.protocol}, not ${protocol}`
          : this.#lastError || "it did not start",
      };
    }
    const old = this.#worker;
    this.#script = script;
    this.#worker = fresh;
    this.#failures = 0;
    if (old) this.#release(old);
    this.#ready(fresh);
    return { version: fresh.hello.version };
  }

  /** Called often: refuses late calls, kills stuck workers, replaces outdated ones. */
  tend(): void {
    const now = performance.now();
    for (const worker of [this.#worker, ...this.#leaving]) {
      if (!worker) continue;
      for (const call of worker.calls.values()) if (now >= call.until) this.#late(worker.calls, call);
      const due = worker.calls.size > 0 || !worker.hello || worker.leaving;
      const patience = worker.hello ? this.options.stuckMs : 3 * this.options.stuckMs;
      if (due && now - worker.lastSign > patience) {
        this.options.log(`worker ${worker.child.pid} sent nothing for ${patience} ms; killing it`);
        worker.child.kill("SIGKILL");
      }
    }
    const patience = this.#failures >= maxTries ? 2_000 : Number.POSITIVE_INFINITY;
    for (const call of this.#waiting.splice(0)) {
      if (now >= Math.min(call.until, call.until - this.options.deadlineMs + patience))
        giveUp(call, this.#lastError || "no worker could be started in time");
      else this.#waiting.push(call);
    }
    this.#renew(now);
  }

  /** Lets the workers finish their calls within the given time. */
  async end(withinMs: number): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#startAgain);
    const all = [this.#worker, ...this.#leaving].filter((w) => w !== undefined);
    for (const worker of all) sendFrame(worker.pipe, { drain: true });
    const gone = all.map(
      (w) => new Promise<void>((r) => (w.child.exitCode !== null ? r() : w.child.once("exit", () => r()))),
    );
    await Promise.race([Promise.all(gone), new Promise((resolve) => setTimeout(resolve, withinMs))]);
    for (const worker of all) worker.child.kill("SIGKILL");
    for (const call of this.#waiting.splice(0)) giveUp(call, "the server was told to stop");
  }

  #assign(call: OpenCall): void {
    const worker = this.#worker;
    if (!worker?.hello) {
      this.#waiting.push(call);
      this.start();
      return;
    }
    if (!worker.calls.size) worker.lastSign = performance.now();
    worker.lastCall = performance.now();
    worker.calls.set(call.id, call);
    const { event, env, caller } = call.request;
    const firstSeen = call.given && call.firstSeen;
    call.given = true;
    // On the machine's own clock: a worker that was suspended meanwhile must see that it is late.
    const until = monotonic() + call.until - performance.now();
    sendFrame(worker.pipe, { id: call.id, event, env, until, firstSeen, caller: caller && { ...caller } }, call.body);
    if (call.gone) sendFrame(worker.pipe, { gone: call.id });
  }

  #ready({ hello }: Worker): void {
    this.options.ready?.(hello?.variables ?? []);
    for (const call of this.#waiting.splice(0)) this.#assign(call);
  }

  #late(calls: Map<number, OpenCall>, call: OpenCall): void {
    calls.delete(call.id);
    giveUp(call, `no answer within ${Math.round(this.options.deadlineMs / 1000)} s`, "interlock/timeout");
  }

  #startWorker(script: string): Worker {
    const { home, log } = this.options;
    const child = spawn(process.execPath, [script, "serve", "--worker", "--home", home], {
      cwd: home,
      env: serverEnv(process.env),
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const now = performance.now();
    const worker: Worker = {
      child,
      pipe: child.stdio?.[3] as Duplex,
      calls: new Map(),
      started: now,
      lastSign: now,
      lastCall: now,
      script,
      stamp: stampOf(script),
    };
    // Out of descriptors there are no pipes either; the error below is all that follows.
    if (!worker.pipe) {
      child.once("error", (error) => this.#lost(worker, (this.#lastError = error.message)));
      return worker;
    }
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#lastError = text.trim().split("\n").at(-1)!.slice(0, 200);
      log(`worker ${child.pid}: ${text.trimEnd().slice(0, 2_000)}`);
    });
    child.on("error", (error) => (this.#lastError = error.message));
    worker.pipe.on("error", (error) => log(`pipe of worker ${child.pid}: ${error.message}`));
    onFrames(worker.pipe, (head, body) => this.#receive(worker, head, body));
    let over = false;
    const gone = (how: string) => {
      if (over) return;
      over = true;
      this.#lost(worker, how);
    };
    child.once("exit", (code, signal) => gone(signal ?? `exit ${code}`));
    child.once("error", (error) => gone(error.message));
    return worker;
  }

  #receive(worker: Worker, head: JsonObject, body: Buffer): void {
    worker.lastSign = performance.now();
    if (head["hello"]) {
      worker.hello = head["hello"] as unknown as Worker["hello"];
      worker.pipe.emit("hello");
      this.options.log(`worker ${worker.child.pid} ready, version ${worker.hello?.version}`);
      if (worker === this.#worker) this.#ready(worker);
    } else if (head["beat"]) {
      worker.rss = Number(head["rss"]);
    } else if (head["id"] !== undefined) {
      this.#failures = 0;
      const id = Number(head["id"]);
      const call = worker.calls.get(id);
      worker.calls.delete(id);
      call?.answer(body.toString("utf8"));
    }
  }

  #lost(worker: Worker, how: string): void {
    this.#leaving.delete(worker);
    const current = worker === this.#worker;
    if (current) this.#worker = undefined;
    const idle = worker.leaving && !worker.calls.size;
    if (!idle) this.options.log(`worker ${worker.child.pid} ended: ${how}, ${worker.calls.size} calls go to the next`);
    if (current && !idle) {
      this.restarts++;
      if (!worker.hello) this.#failures++;
      if (!this.#lastError) this.#lastError = `the worker ended: ${how}`;
    }
    // Only the oldest was certainly being judged; the others waited behind it.
    let oldest = true;
    for (const call of worker.calls.values()) {
      if (oldest) call.tries++;
      oldest = false;
      if (call.tries < maxTries) this.#waiting.push(call);
      else giveUp(call, `the worker ended ${maxTries} times on it: ${how}`);
    }
    if (this.#ended || !current || (idle && !this.#waiting.length)) return;
    const shortLived = performance.now() - worker.started < 5_000 && !this.#waiting.length;
    const pause = Math.max(shortLived ? 1_000 : 0, this.#failures <= 1 ? 0 : Math.min(5_000, 50 * 2 ** this.#failures));
    this.#startAgain = setTimeout(() => {
      this.#startAgain = undefined;
      this.start();
    }, pause);
  }

  #release(worker: Worker): void {
    worker.leaving = true;
    worker.lastSign = performance.now();
    this.#leaving.add(worker);
    sendFrame(worker.pipe, { drain: true });
  }

  /** Replaces a worker whose program was replaced or that grew too large; stops an idle one. */
  #renew(now: number): void {
    const worker = this.#worker;
    if (!worker?.hello || worker.leaving) return;
    const stamp = stampOf(worker.script);
    const replaced = stamp !== worker.stamp && stamp !== "" && stamp !== this.#refusedStamp;
    if (replaced || (worker.rss ?? 0) > this.options.maxRss) {
      worker.rss = 0;
      this.#refusedStamp = stamp;
      this.options.log(
        replaced ? "the program was replaced; starting the new one" : "the worker grew too large; starting another",
      );
      void this.switchTo(worker.script).then((done) => {
        if ("version" in done) {
          this.#refusedStamp = undefined;
          this.#refusals = 0;
          return;
        }
        this.options.log(`the old worker stays: ${done.why}`);
        // An installation takes its time: the program may be complete a little later.
        const again = () => (this.#refusedStamp = undefined);
        setTimeout(again, Math.min(600_000, 3_000 * 4 ** this.#refusals++)).unref();
      });
    } else if (!worker.calls.size && now - worker.lastCall > this.options.idleMs) {
      worker.leaving = true;
      sendFrame(worker.pipe, { drain: true });
    }
  }
}

/** A refusal that names the repair. A caller that can decide by itself is told to. */
function giveUp({ request, answer }: OpenCall, why: string, id?: BuiltInRefusalId): void {
  answer(request.caller ? "" : unjudged(request.event, why, id));
}

/** Changes when the program is replaced; empty while it is missing. */
function stampOf(script: string): string {
  const stat = statSync(script, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : "";
}
