// Runs the adopted hooks of an event in the order of the configuration, and returns what they said.
// Invariant: each hook gets the payload on stdin and a time limit within ours; at its end its whole process tree ends.
import { spawn } from "node:child_process";
import { basename } from "node:path";
import type { AdoptedHook } from "../../../model/config.js";
import type { Event } from "../../../model/event.js";
import type { JsonObject } from "../../../model/json.js";
import type { Judged } from "../../../model/verdict.js";
import { type Ended, readAnswer } from "./foreign-answer.js";
import { matches, matchSubject } from "./matcher.js";
import { eventDigest, openReentry, reentryVariable } from "./reentry.js";

export interface AdoptedRun {
  /** Interlock's own folder, for the token that marks calls from inside a hook. */
  home: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for all hooks together. */
  limitMs: number;
  /** Told of every entry and dispatch, when tracing is on. */
  trace?: (line: JsonObject) => void;
  /** Where MASTER_HOOK_DEBUG=1 writes; stderr unless told. */
  debug?: (line: string) => void;
}

const printError = (line: string): void => void process.stderr.write(`${line}\n`);

/** The markers that hooks of kits expect of the one that calls them, by the phase variables that are set. */
function masterMarkers(env: AdoptedRun["env"]): string[] {
  const kits = { tdd: "TDD_PHASE", research: "EXP_PHASE", math: "MATH_PHASE" };
  const dispatched = Object.entries(kits).filter(([, name]) => env[name]);
  return ["MASTER_HOOK: enter", ...dispatched.map(([kit]) => `MASTER_HOOK: dispatch ${kit}`)];
}

const defaultTimeoutSeconds = 60;
const outputLimit = 1024 * 1024;
/** Linux refuses a single variable above 128 KB. */
const variableLimit = 100_000;

export async function runAdopted(
  list: readonly AdoptedHook[],
  payload: string,
  event: Event,
  run: AdoptedRun,
): Promise<Judged[]> {
  const called = calledBy(list, event);
  run.trace?.({ at: "entry", event: event.hostEvent, tool: event.tool?.name, hooks: called.length });
  if (!called.length) return [];
  if (run.env["MASTER_HOOK_DEBUG"] === "1") for (const line of masterMarkers(run.env)) (run.debug ?? printError)(line);
  const end = Date.now() + run.limitMs;
  const reentry = openReentry(run.home, eventDigest(event), end);
  const judged: Judged[] = [];
  try {
    for (const { hook, gate, name } of called) {
      const limit = Math.min((hook.timeout ?? defaultTimeoutSeconds) * 1000, end - Date.now());
      const start = Date.now();
      run.trace?.({ at: "dispatch", gate, limitMs: limit });
      const ended = await runOne(hook, name, payload, event, { ...run, limitMs: limit }, reentry.id).catch(
        (fault: Error): Ended => ({ ...notRun(name, event), trouble: fault.message }),
      );
      const { code, timedOut, trouble } = ended;
      run.trace?.({ at: "end", gate, code, timedOut, trouble, ms: Date.now() - start });
      judged.push(...readAnswer(ended).map((opinion): Judged => ({ gate, mode: "enforce", opinion })));
    }
  } finally {
    reentry.close();
  }
  return judged;
}

/** The hooks this event calls. The same command is run once, as the client does. */
function calledBy(list: readonly AdoptedHook[], event: Event) {
  const subject = matchSubject(event);
  const seen = new Set<string>();
  return list.flatMap((hook, i) => {
    if (hook.event !== event.hostEvent) return [];
    if (subject !== undefined && !matches(hook.matcher, subject)) return [];
    const same = JSON.stringify([hook.command, hook.args]);
    if (seen.has(same)) return [];
    seen.add(same);
    const name = shortName(hook);
    return [{ hook, name, gate: `adopted/${i + 1}-${name}` }];
  });
}

/** The first word that looks like a script, else the program. */
function shortName({ command, args }: AdoptedHook): string {
  const words = [command, ...(args ?? [])].join(" ").match(/[^\s"'`;|&()<>]+/g) ?? [];
  const word = words.find((w) => /\.\w{1,4}$/.test(w)) ?? words[0] ?? "hook";
  return (basename(word).replace(/[^\w.-]/g, "") || "hook").slice(0, 40);
}

const notRun = (name: string, { hostEvent }: Event): Ended => ({ name, hostEvent, code: null, stdout: "", stderr: "" });

function runOne(
  hook: AdoptedHook,
  name: string,
  payload: string,
  event: Event,
  run: AdoptedRun,
  token: string,
): Promise<Ended> {
  if (run.limitMs <= 0) return Promise.resolve({ ...notRun(name, event), timedOut: true });
  const env = environment(run, event, token);
  const place = (text: string) => text.replaceAll("${CLAUDE_PROJECT_DIR}", env.CLAUDE_PROJECT_DIR ?? "");
  const [program, args] = hook.args
    ? [place(hook.command), hook.args.map(place)]
    : process.platform === "win32"
      ? [hook.command, []]
      : ["/bin/sh", ["-c", hook.command]];
  return new Promise((resolve) => {
    const out = new Output();
    const err = new Output();
    let timedOut = false;
    const child = spawn(program, args, {
      cwd: run.cwd,
      env,
      detached: process.platform !== "win32",
      shell: process.platform === "win32" && !hook.args,
      stdio: ["pipe", "pipe", "pipe"],
    });
    const limit = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid, "SIGTERM");
      setTimeout(() => endGroup(child.pid, "SIGKILL"), 200).unref();
      setTimeout(() => done(null, "SIGKILL"), 400).unref();
    }, run.limitMs);
    let settled = false;
    const done = (code: number | null, signal: string | null, trouble?: string) => {
      if (settled) return;
      settled = true;
      clearTimeout(limit);
      if (timedOut) endGroup(child.pid, "SIGKILL");
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      const text = { stdout: out.text(), stderr: err.text() };
      resolve({
        ...notRun(name, event),
        ...text,
        code,
        signal,
        ...(timedOut ? { timedOut } : {}),
        ...(trouble ? { trouble } : {}),
      });
    };
    child.stdout.on("data", (part: Buffer) => out.add(part));
    child.stderr.on("data", (part: Buffer) => err.add(part));
    child.stdin.on("error", () => undefined); // a hook may end without reading its input
    child.on("error", (fault) => done(null, null, (fault as NodeJS.ErrnoException).code ?? fault.message));
    child.on("close", done);
    // A process the hook left behind may hold the pipes open for ever.
    child.on("exit", (code, signal) => setTimeout(() => done(code, signal), 300).unref());
    child.stdin.end(payload);
  });
}

/** A hook that calls Interlock again must find the same folder, where its token's record is. */
function environment(run: AdoptedRun, event: Event, token: string): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...run.env, [reentryVariable]: token, INTERLOCK_HOME: run.home };
  if (event.projectDir) env.CLAUDE_PROJECT_DIR = event.projectDir;
  // Hooks of kits hand over to the one that is set here unless it is at work already: then they enforce by themselves.
  env.MASTER_HOOK_ACTIVE = "1";
  env.MASTER_KIT_ROOT ??= event.projectDir ?? run.cwd;
  if (!event.tool) return env;
  const plain = (text: string) => text.replaceAll("\0", "");
  env.CLAUDE_TOOL_NAME = plain(event.tool.name);
  const input = plain(JSON.stringify(event.tool.input));
  if (Buffer.byteLength(input) <= variableLimit) env.CLAUDE_TOOL_INPUT = input;
  return env;
}

function endGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // it ended by itself
  }
}

/** What a process wrote, up to a limit. */
class Output {
  #parts: Buffer[] = [];
  #size = 0;
  add(part: Buffer): void {
    if (this.#size < outputLimit) this.#parts.push(part.subarray(0, outputLimit - this.#size));
    this.#size += part.length;
  }
  text(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }
}
