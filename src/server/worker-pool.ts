// The workers of a supervisor: one that answers, sometimes one that finishes what it began; calls are kept until they are answered.
// Invariant: a call handed in is answered exactly once, in time: by a worker, by the next one when that dies, or with a refusal that names the repair.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import type { Duplex } from "node:stream";
import { unjudged } from "../hook/answer.js";
import { protocol, serverEnv } from "../hook/server-address.js";
import { monotonic } from "../model/clock.js";
import type { JsonObject } from "../model/json.js";
import { descriptorOf } from "./direct-write.js";
import { onFrames, sendFrame } from "./frames.js";
import type { Asked } from "./request-auth.js";

export interface CrewOptions {
  home: string;
  script: string;
  /** How long a call may take in all. */
  deadlineMs: number;
  /** A worker with calls that gives no sign of life this long is ended. */
  stuckMs: number;
  /** A worker without calls this long is let go; the next call starts another. */
  restMs: number;
  maxRss: number;
  say(line: string): void;
  /** A worker is ready; these variables of the agent's environment its gates ask for. */
  ready?(variables: string[]): void;
}

export const standardTimes = { deadlineMs: 20_000, stuckMs: 8_000, restMs: 15 * 60_000, maxRss: 400 << 20 };

interface Call {
  id: number;
  asked: Asked;
  body: Buffer;
  answer(text: string): void;
  tries: number;
  /** When it came, in monotonic milliseconds. */
  since: number;
  until: number;
  /** A worker has had it. */
  given?: true;
}

interface Worker {
  child: ChildProcess;
  pipe: Duplex;
  fd: number | undefined;
  calls: Map<number, Call>;
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

export class Crew {
  #worker?: Worker;
  readonly #leaving = new Set<Worker>();
  readonly #waiting: Call[] = [];
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
  restarts = 0;
  lastCall = performance.now();

  constructor(private readonly options: CrewOptions) {
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

  ask(asked: Asked, body: Buffer): Promise<string> {
    this.lastCall = performance.now();
    if (this.#open >= bounds.calls || this.#bytes + body.length > bounds.bytes)
      return Promise.resolve(unjudged(asked.event, `${this.#open} calls are waiting already`));
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
      const until = performance.now() + Math.min(asked.ms ?? Number.POSITIVE_INFINITY, this.options.deadlineMs);
      this.#give({ id: this.#next++, asked, body, answer, tries: 0, since: monotonic(), until });
    });
  }

  start(): void {
    if (this.#worker || this.#ended || this.#startAgain) return;
    // The version that was switched to may have been removed since; the one we were started from is then better than none.
    this.#worker = this.#hire(existsSync(this.#script) ? this.#script : this.options.script);
  }

  /** Calls go to a worker of this script from the moment it is ready; the old one finishes what it has. Resolves to its version, or to why not. */
  async switchTo(script: string): Promise<{ version: string } | { why: string }> {
    const fresh = this.#hire(script);
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

  /** Looks after everything that time can do. */
  tend(): void {
    const now = performance.now();
    for (const worker of [this.#worker, ...this.#leaving]) {
      if (!worker) continue;
      for (const call of worker.calls.values()) if (now >= call.until) this.#late(worker.calls, call);
      const due = worker.calls.size > 0 || !worker.hello || worker.leaving;
      const patience = worker.hello ? this.options.stuckMs : 3 * this.options.stuckMs;
      if (due && now - worker.lastSign > patience) {
        this.options.say(`worker ${worker.child.pid} gave no sign for ${patience} ms; ending it`);
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

  /** Lets everyone finish, in bounds. */
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

  #give(call: Call): void {
    const worker = this.#worker;
    if (!worker?.hello) {
      this.#waiting.push(call);
      this.start();
      return;
    }
    if (!worker.calls.size) worker.lastSign = performance.now();
    worker.lastCall = performance.now();
    worker.calls.set(call.id, call);
    const { event, env, caller } = call.asked;
    const again = call.given && call.since;
    call.given = true;
    // On the machine's own clock: a worker that was stopped meanwhile must know that it is late.
    const until = monotonic() + call.until - performance.now();
    sendFrame(
      worker.pipe,
      { id: call.id, event, env, until, again, caller: caller && { ...caller } },
      call.body,
      worker.fd,
    );
  }

  #ready({ hello }: Worker): void {
    this.options.ready?.(hello?.variables ?? []);
    for (const call of this.#waiting.splice(0)) this.#give(call);
  }

  #late(calls: Map<number, Call>, call: Call): void {
    calls.delete(call.id);
    giveUp(call, `no answer within ${Math.round(this.options.deadlineMs / 1000)} s`);
  }

  #hire(script: string): Worker {
    const { home, say } = this.options;
    const child = spawn(process.execPath, [script, "serve", "--worker", "--home", home], {
      cwd: home,
      env: serverEnv(process.env),
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    const now = performance.now();
    const worker: Worker = {
      child,
      pipe: child.stdio[3] as Duplex,
      fd: descriptorOf(child.stdio[3] as Duplex),
      calls: new Map(),
      started: now,
      lastSign: now,
      lastCall: now,
      script,
      stamp: stampOf(script),
    };
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#lastError = text.trim().split("\n").at(-1)!.slice(0, 200);
      say(`worker ${child.pid}: ${text.trimEnd().slice(0, 2_000)}`);
    });
    child.on("error", (error) => (this.#lastError = error.message));
    worker.pipe.on("error", (error) => say(`pipe of worker ${child.pid}: ${error.message}`));
    onFrames(worker.pipe, (head, body) => this.#hear(worker, head, body));
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

  #hear(worker: Worker, head: JsonObject, body: Buffer): void {
    worker.lastSign = performance.now();
    if (Array.isArray(head["done"])) for (const id of head["done"]) worker.calls.delete(Number(id));
    if (head["hello"]) {
      worker.hello = head["hello"] as unknown as Worker["hello"];
      worker.pipe.emit("hello");
      this.options.say(`worker ${worker.child.pid} ready, version ${worker.hello?.version}`);
      if (worker === this.#worker) this.#ready(worker);
    } else if (head["beat"]) {
      worker.rss = Number(head["rss"]);
    } else if (head["id"] !== undefined) {
      this.#failures = 0;
      const id = Number(head["id"]);
      const call = worker.calls.get(id);
      // With `more` to come it has its answer, not yet its record: should the worker die now, the next one writes that.
      if (!head["more"]) worker.calls.delete(id);
      call?.answer(body.toString("utf8"));
    }
  }

  #lost(worker: Worker, how: string): void {
    this.#leaving.delete(worker);
    const current = worker === this.#worker;
    if (current) this.#worker = undefined;
    const resting = worker.leaving && !worker.calls.size;
    if (!resting)
      this.options.say(`worker ${worker.child.pid} ended: ${how}, ${worker.calls.size} calls go to the next`);
    if (current && !resting) {
      this.restarts++;
      if (!worker.hello) this.#failures++;
      if (!this.#lastError) this.#lastError = `the worker ended: ${how}`;
    }
    // Only the oldest was surely being worked on; the others merely waited behind it.
    let oldest = true;
    for (const call of worker.calls.values()) {
      if (oldest) call.tries++;
      oldest = false;
      if (call.tries < maxTries) this.#waiting.push(call);
      else giveUp(call, `the worker ended ${maxTries} times on it: ${how}`);
    }
    if (this.#ended || !current || (resting && !this.#waiting.length)) return;
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

  /** A worker whose program was replaced, that grew too large, or that has nothing to do. */
  #renew(now: number): void {
    const worker = this.#worker;
    if (!worker?.hello || worker.leaving) return;
    const stamp = stampOf(worker.script);
    const replaced = stamp !== worker.stamp && stamp !== "" && stamp !== this.#refusedStamp;
    if (replaced || (worker.rss ?? 0) > this.options.maxRss) {
      worker.rss = 0;
      this.#refusedStamp = stamp;
      this.options.say(
        replaced ? "the program was replaced; starting it anew" : "the worker grew too large; starting another",
      );
      void this.switchTo(worker.script).then((done) => {
        if ("version" in done) {
          this.#refusedStamp = undefined;
          this.#refusals = 0;
          return;
        }
        this.options.say(`the old worker stays: ${done.why}`);
        // An installation takes its time: what was half there may be whole a little later.
        const again = () => (this.#refusedStamp = undefined);
        setTimeout(again, Math.min(600_000, 3_000 * 4 ** this.#refusals++)).unref();
      });
    } else if (!worker.calls.size && now - worker.lastCall > this.options.restMs) {
      worker.leaving = true;
      sendFrame(worker.pipe, { drain: true });
    }
  }
}

/** A refusal that names the repair; who can decide by itself is told to. */
function giveUp({ asked, answer }: Call, why: string): void {
  answer(asked.caller ? "" : unjudged(asked.event, why));
}

/** Changes when the program is replaced; empty while it is missing. */
function stampOf(script: string): string {
  const stat = statSync(script, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : "";
}
