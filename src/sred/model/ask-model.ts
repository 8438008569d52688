// Asks a model which project a commit belongs to, in a process of its own that is killed when its time is over.
// Invariant: within the deadline there is an answer that passed the schema, or a named failure; nothing runs on.
import { spawn } from "node:child_process";
import * as v from "valibot";
import { claimPattern, longestClaim } from "../message.js";
import type { ModelAnswer } from "../suggestion.js";
import { isReachable, modelEndpoint } from "./endpoint.js";
import { modelInstructions } from "./model-input.js";

export const modelDeadline = 8_000;
/** The session is told to stop this long before its process is killed. */
const grace = 500;
/** Set for the session, so that other people's hooks know it; Interlock's own gates never look at it. */
export const spawnedMark = "CLAUDE_HOOK_SPAWNED";

export interface ModelQuestion {
  /** What the model is shown: see `modelInput`. */
  input: string;
  /** The module of the Agent SDK, as a URL; undefined where it is not installed. */
  sdk: string | undefined;
  /** The installed Claude Code. */
  executable: string | undefined;
  /** The script that runs the session. */
  child: string;
  /** A folder without a project in it. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  ms?: number;
}

export interface AskedModel {
  answer: ModelAnswer;
  /** For people: why there is no answer. */
  detail?: string;
}

const project = v.pipe(v.string(), v.regex(claimPattern), v.maxLength(longestClaim));
const answerSchema = v.object({
  suggestedProject: project,
  alternatives: v.pipe(v.array(project), v.maxLength(5)),
  reasoning: v.pipe(v.string(), v.minLength(1), v.maxLength(500)),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});

/** The same as JSON Schema, for the model. */
const wireSchema = {
  type: "object",
  properties: {
    suggestedProject: { type: "string" },
    alternatives: { type: "array", items: { type: "string" } },
    reasoning: { type: "string" },
    confidence: { type: "number" },
  },
  required: ["suggestedProject", "alternatives", "reasoning", "confidence"],
  additionalProperties: false,
};

export async function askModel(request: ModelQuestion): Promise<AskedModel> {
  const { env, sdk, executable } = request;
  const failed = (
    failure: "SDK_ERROR" | "OFFLINE" | "NETWORK_TIMEOUT" | "PARSE_ERROR",
    detail: string,
  ): AskedModel => ({
    answer: { failure },
    detail,
  });
  if (env[spawnedMark]) return failed("SDK_ERROR", `${spawnedMark} is set: no session starts another one`);
  if (!sdk) return failed("SDK_ERROR", "@anthropic-ai/claude-agent-sdk is not installed beside agent-interlock");
  if (!executable) return failed("SDK_ERROR", "Claude Code (claude) is not in PATH");
  const endpoint = modelEndpoint(env);
  if (!(await isReachable(endpoint))) return failed("OFFLINE", `no connection to ${endpoint.host}:${endpoint.port}`);
  const said = await runChild({ ...request, sdk, executable });
  if (said === undefined)
    return failed("NETWORK_TIMEOUT", `no answer within ${(request.ms ?? modelDeadline) / 1000} s`);
  return readModelAnswer(said);
}

/** What the session printed; undefined when it had to be killed. */
function runChild(request: ModelQuestion): Promise<string | undefined> {
  const ms = request.ms ?? modelDeadline;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [request.child], {
      cwd: request.cwd,
      env: sessionEnvironment(request.env),
      stdio: ["pipe", "pipe", "ignore"],
      detached: process.platform !== "win32", // a group of its own: the client it starts is killed with it
      windowsHide: true,
    });
    const parts: Buffer[] = [];
    let over = false;
    const end = (said: string | undefined) => {
      if (over) return;
      over = true;
      clearTimeout(limit);
      killGroup(child.pid);
      resolve(said);
    };
    const limit = setTimeout(() => end(undefined), ms);
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    child.on("error", (error) => end(JSON.stringify({ failure: "SDK_ERROR", detail: error.message })));
    child.on("close", () => end(Buffer.concat(parts).toString("utf8")));
    child.stdin.on("error", () => {}); // it ended before it read its request: `close` tells
    const { sdk, executable, cwd, input } = request;
    const question = { sdk, executable, cwd, prompt: input, instructions: modelInstructions, schema: wireSchema };
    child.stdin.end(JSON.stringify({ ...question, ms: Math.max(ms - grace, ms / 2) }));
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // the whole group ended by itself
  }
}

/** The user's environment, since it holds their login, without what belongs to the session that asks. */
function sessionEnvironment(env: ModelQuestion["env"]): Record<string, string> {
  const own = /^(?:INTERLOCK_|CLAUDECODE$|CLAUDE_CODE_ENTRYPOINT$|CLAUDE_CODE_SSE_PORT$|NODE_OPTIONS$)/;
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !own.test(name));
  return { ...(Object.fromEntries(kept) as Record<string, string>), [spawnedMark]: "1" };
}

export function readModelAnswer(said: string): AskedModel {
  const message = parseJson(said);
  if (typeof message !== "object" || message === null)
    return { answer: { failure: "SDK_ERROR" }, detail: "the session's process ended without an answer" };
  const { failure, detail, output, text } = message as Record<string, unknown>;
  if (failure === "NETWORK_TIMEOUT" || failure === "SDK_ERROR" || failure === "PARSE_ERROR")
    return { answer: { failure }, detail: String(detail ?? "") };
  const value = output ?? parseJson(/\{[\s\S]*\}/.exec(String(text ?? ""))?.[0] ?? "");
  const checked = v.safeParse(answerSchema, value);
  if (!checked.success) return { answer: { failure: "PARSE_ERROR" }, detail: checked.issues[0].message };
  const { suggestedProject, alternatives, reasoning, confidence } = checked.output;
  return { answer: { project: suggestedProject, alternatives, reasoning, confidence } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema refuses it
  }
}
