// Runs the real Claude Code once, headless, against the scripted model; reports what it did and what it was told.
// Nothing of the user's own environment, home or credentials reaches the client.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Confined, confine, type Isolation, isolation } from "./isolate.js";
import { type Between, type ModelRequest, type Script, startModel } from "./model.js";
import { readStream, type Stream, type Told, toldIn } from "./stream.js";

export interface ClaudeOptions {
  binary: string;
  /** What the model will say; the first script answers the main conversation. */
  scripts: Script[];
  project: string;
  /** A throw-away folder: the client's HOME. */
  home: string;
  mode?: "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
  prompt?: string;
  /** Rules of the client's own permission system, e.g. `Bash(touch *)`. */
  allow?: string[];
  settings?: Record<string, unknown>;
  mcpServers?: Record<string, unknown>;
  /** Added to the documented minimum; PATH, HOME and the model's address are set already. */
  env?: Record<string, string>;
  /** Further ports of this machine's loopback the client may reach (an http hook's server). */
  ports?: number[];
  between?: Between;
  args?: string[];
  timeoutMs?: number;
  isolate?: boolean;
}

export interface ClaudeRun extends Stream {
  exitCode: number | null;
  timedOut: boolean;
  stderr: string;
  /** Every tool result the model was given, in the order the model saw them. */
  told: Told[];
  /** System messages put into the conversation (hook context, blocking errors). */
  context: string[];
  requests: ModelRequest[];
  isolation: Isolation;
  /** Processes of the run that had to be ended. */
  leftovers: number[];
}

export async function runClaude(options: ClaudeOptions): Promise<ClaudeRun> {
  const way = options.isolate === false ? unconfined : isolation();
  const model = await startModel(options.scripts, options.between);
  let confined: Confined | undefined;
  try {
    mkdirSync(join(options.home, "tmp"), { recursive: true });
    confined = await confine([options.binary, ...argumentsOf(options)], {
      cwd: options.project,
      env: environmentOf(options, model.port),
      ports: [model.port, ...(options.ports ?? [])],
      way,
    });
    const ended = await outcome(confined, options.timeoutMs ?? 180_000);
    const leftovers = await confined.end();
    return {
      ...readStream(ended.stdout),
      ...toldIn(model.requests),
      exitCode: ended.exitCode,
      timedOut: ended.timedOut,
      stderr: ended.stderr,
      requests: model.requests,
      isolation: way,
      leftovers,
    };
  } finally {
    await confined?.end();
    await model.close();
  }
}

const unconfined: Isolation = { kind: "none", why: "no isolation was asked for", enter: [] };

function argumentsOf(options: ClaudeOptions): string[] {
  const args = [
    "-p",
    options.prompt ?? options.scripts[0]?.marker ?? "go",
    "--output-format",
    "stream-json",
    "--verbose",
  ];
  args.push("--include-hook-events", "--permission-mode", options.mode ?? "default");
  if (options.settings) args.push("--settings", JSON.stringify(options.settings));
  if (options.mcpServers)
    args.push("--strict-mcp-config", "--mcp-config", JSON.stringify({ mcpServers: options.mcpServers }));
  if (options.allow?.length) args.push("--allowedTools", options.allow.join(","));
  return [...args, ...(options.args ?? [])];
}

/** Makes the client talk to the scripted model on loopback and to nobody else, with a made-up key. */
export function loopbackClientEnv(port: number): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: "made-up-key",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    IS_SANDBOX: "1", // without it the client refuses bypassPermissions to root, also to the root of a user namespace
  };
}

function environmentOf(options: ClaudeOptions, port: number): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: options.home,
    TMPDIR: join(options.home, "tmp"),
    ...loopbackClientEnv(port),
    ...options.env,
  };
}

function outcome({ child }: Confined, timeoutMs: number) {
  return new Promise<{ exitCode: number | null; timedOut: boolean; stdout: string; stderr: string }>((resolve) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let exitCode: number | null = null;
    const finish = (timedOut: boolean, trouble = "") => {
      clearTimeout(limit);
      clearTimeout(drain);
      resolve({ exitCode, timedOut, stdout: text(out), stderr: text(err) + trouble });
    };
    const limit = setTimeout(() => finish(true), timeoutMs);
    let drain: NodeJS.Timeout | undefined;
    child.stdout!.on("data", (part: Buffer) => out.push(part));
    child.stderr!.on("data", (part: Buffer) => err.push(part));
    child.on("error", (error) => finish(false, error.message));
    child.on("exit", (code) => {
      exitCode = code;
      drain = setTimeout(() => finish(false), 1000); // a process it left behind may hold the pipes open for ever
    });
    child.on("close", () => finish(false));
  });
}

const text = (parts: Buffer[]) => Buffer.concat(parts).toString("utf8");
