// Ways to ask a server through its spool in a test: a caller inside the test's process, and the two real ones.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { bearings, bellIn, noticeIn, protocol, spoolFolder } from "../../src/hook/spool-protocol.js";
import { shimPath, writeShim } from "../../src/server/shim.js";
import { type Place, program, until } from "./server.js";

/** From then on hooks find the spool. */
export const spooling = (at: Pick<Place, "home">): Promise<void> =>
  until(() => existsSync(noticeIn(spoolFolder(at.home))));

export function ring(at: Place, text: string): void {
  const bell = openSync(bellIn(spoolFolder(at.home)), constants.O_WRONLY | constants.O_NONBLOCK);
  writeSync(bell, text);
  closeSync(bell);
}

/** What callers and strangers left behind. */
export const leftIn = (at: Place): string[] =>
  readdirSync(spoolFolder(at.home)).filter((name) => !["bell", "server"].includes(name));

export interface Asking {
  event?: string;
  env?: Record<string, string>;
  protocol?: number;
  ms?: number;
}

let names = 5_000_000;

/** Undefined: nobody answered in time. */
export async function askSpool(at: Place, body: string | Buffer, asking: Asking = {}): Promise<string | undefined> {
  const path = `${spoolFolder(at.home)}/${++names}`;
  const env = { CLAUDE_PROJECT_DIR: at.project, ...asking.env };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  const head = `interlock ${asking.protocol ?? protocol} ${asking.event ?? "PreToolUse"} 0\n${variables.join("")}\n`;
  writeFileSync(`${path}.q`, Buffer.concat([Buffer.from(head), Buffer.from(body)]));
  writeFileSync(`${path}.w`, "");
  const reply = openSync(`${path}.w`, "r");
  renameSync(`${path}.w`, `${path}.a`);
  try {
    ring(at, `${names}\n`);
    let text = "";
    await until(() => (text = readFileSync(reply, "utf8")).endsWith("\n"), asking.ms ?? 20_000);
    return text.slice(0, -1);
  } catch {
    return undefined;
  } finally {
    closeSync(reply);
    for (const kind of ["q", "a"]) rmSync(`${path}.${kind}`, { force: true });
  }
}

/** A supervisor in the test's process lives in the test's environment. */
export const serversBearings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(bearings.map((name) => [name, process.env[name]]));

export type Manner = "hook" | "shim";
export const manners: readonly Manner[] = process.platform === "linux" ? ["hook", "shim"] : ["shim"];

/** The command hook or the shim as `init` registers them, asynchronously, so that a supervisor in this process can
 * answer. */
export async function call(
  manner: Manner,
  at: Place,
  input: string | Buffer,
  more: { event?: string; env?: Record<string, string>; args?: string[]; script?: string } = {},
): Promise<{ text: string; stderr: string; ms: number }> {
  const { event = "PreToolUse", script = program } = more;
  const words = ["hook", "claude-code", "--event", event];
  const [command, ...args] =
    manner === "hook"
      ? [process.execPath, script, ...words, "--home", at.home, ...(more.args ?? [])]
      : ["/bin/sh", shimPath(at.home), ...words];
  if (manner === "shim") {
    const env = ["CLAUDE_PROJECT_DIR", "TDD_PHASE"];
    writeShim({ home: at.home, node: process.execPath, script, env });
  }
  const start = performance.now();
  const child = spawn(command!, args, {
    cwd: at.project,
    env: { ...at.env, ...serversBearings(), CLAUDE_PROJECT_DIR: at.project, ...more.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let text = "";
  let stderr = "";
  child.stdout.on("data", (part) => (text += part));
  child.stderr.on("data", (part) => (stderr += part));
  child.stdin.on("error", () => {}); // one that answers before it has read everything is seen by its answer
  child.stdin.end(input);
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${manner} ended with ${code}: ${stderr}`);
  return { text, stderr, ms: performance.now() - start };
}
