// The command hook's side of the spool: asks a running server before the rest of the program is loaded, using only
// `fs`.
// Invariant: either the server's whole answer was written, or the hook decides as if there were no server, with the
// input it has read.
import { closeSync, constants, existsSync, openSync, readSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { sleep } from "../model/clock.js";
import { limits } from "../model/limits.js";
import { readBoundedText } from "../project/bounded-read.js";
import { bearings, bellIn, type Notice, noticeIn, protocol, spoolFolder } from "./spool-protocol.js";
import { maxInput, readAll, writeWhole } from "./stdio.js";

type Env = Readonly<Record<string, string | undefined>>;

export interface AskResult {
  /** The server's answer is on stdout. */
  answered: boolean;
  /** What was read from stdin, if it was read. */
  input?: Buffer;
}

export function askServer(argv: readonly string[], env: Env, home: string): AskResult {
  const event = eventOf(argv);
  const folder = spoolFolder(home);
  const server = event === undefined ? undefined : serverIn(folder, env);
  if (!server) return { answered: false };
  let bell: number;
  try {
    bell = openSync(bellIn(folder), constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return { answered: false }; // nobody reads it
  }
  const input = readAll();
  const answer = input.length < maxInput && ask({ ...server, folder, bell, event: event! }, input);
  if (!answer || !/^\{.*\}$/s.test(answer)) return { answered: false, input };
  if (answer.includes('"systemMessage"')) tell(answer);
  writeWhole(answer);
  return { answered: true };
}

/** A call as `init` registers it. With other options, at the start of a session, and where nobody can see who started
 * it, the hook decides by itself. */
function eventOf(argv: readonly string[]): string | undefined {
  const [command, host, option, event = "", home] = argv;
  const plain = command === "hook" && host === "claude-code" && option === "--event" && /^[A-Za-z]{1,40}$/.test(event);
  const rest = argv.length === 4 || (argv.length === 6 && home === "--home");
  return plain && rest && event !== "SessionStart" && process.platform === "linux" ? event : undefined;
}

interface Server {
  pid: number;
  /** Lines of the request. */
  variables: string;
}

/** Undefined: none lives, or it would not see what this process sees. */
function serverIn(folder: string, env: Env): Server | undefined {
  // Asked beforehand: an error that is made and caught costs a call without a server more.
  if (env["INTERLOCK_REENTRY"] !== undefined || !existsSync(noticeIn(folder))) return undefined;
  try {
    const [pid, text = ""] = readBoundedText(noticeIn(folder), 1 << 20).split("\n");
    const { travel, same } = JSON.parse(text) as Notice;
    if (bearings.some((name) => env[name] !== same[name])) return undefined;
    let variables = "";
    for (const name of travel) {
      const value = env[name];
      if (value?.includes("\n")) return undefined;
      if (value !== undefined) variables += `${name}=${value}\n`;
    }
    process.kill(Number(pid), 0);
    return { pid: Number(pid), variables };
  } catch {
    return undefined; // no notice, or the process it names is gone
  }
}

interface Question extends Server {
  folder: string;
  bell: number;
  event: string;
}

function ask({ folder, bell, event, variables, pid }: Question, input: Buffer): string | undefined {
  const at = (kind: string) => `${folder}/${process.pid}.${kind}`;
  try {
    const reply = openSync(at("w"), constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
    const request = openSync(at("q"), constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    writeAll(request, Buffer.from(`interlock ${protocol} ${event} ${reply}\n${variables}\n`));
    writeAll(request, input);
    closeSync(request);
    renameSync(at("w"), at("a"));
    writeSync(bell, `${process.pid}\n`);
    const answer = waitFor(reply, pid, at("q"), folder);
    if (answer !== undefined) return answer;
  } catch {
    // a folder that can't be written, a full bell: the request is taken back below
  }
  for (const kind of ["q", "w", "a"]) gone(at(kind));
  return undefined;
}

/** The line the server writes where this process waits. */
function waitFor(reply: number, pid: number, request: string, folder: string): string | undefined {
  const start = process.hrtime();
  let buffer = Buffer.allocUnsafe(65536);
  let taken = false;
  for (;;) {
    const n = readSync(reply, buffer, 0, buffer.length, 0);
    if (n > 0 && buffer[n - 1] === 10) return buffer.toString("utf8", 0, n - 1);
    if (n === buffer.length) {
      buffer = Buffer.allocUnsafe(2 * n);
      continue;
    }
    const [s, ns] = process.hrtime(start);
    const ms = s * 1e3 + ns / 1e6;
    if (ms > limits.spoolAnswer) return undefined;
    if (ms > limits.spoolTaken) {
      if (!taken && gone(request)) {
        gone(bellIn(folder)); // the next caller does not wait, and a running server makes a new bell
        return undefined;
      }
      taken = true;
      if (!lives(pid) && !lives(announced(folder))) return undefined;
    }
    sleep(ms < 8 ? 0.2 : ms < 50 ? 1 : 10);
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

/** The server that reads the bell now: the one we knew may have died, and the next one has taken the request. */
function announced(folder: string): number {
  try {
    return Number.parseInt(readBoundedText(noticeIn(folder), 1 << 20), 10);
  } catch {
    return Number.NaN; // none
  }
}

function lives(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false; // ended
  }
}

/** True: it was there, and this call removed it. */
function gone(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false; // not there, or not ours to remove
  }
}

/** What is meant for the person also goes where the host keeps a hook's talk. */
function tell(answer: string): void {
  const { systemMessage } = JSON.parse(answer) as { systemMessage?: unknown };
  if (typeof systemMessage === "string") writeSync(2, `${systemMessage}\n`);
}
