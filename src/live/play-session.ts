// Plays a fixed list of calls through the real Claude Code and reports what became of each.
// Invariant: a call counts as refused only if a hook told the model so; a tool that failed is not a refusal.
import { type ClaudeOptions, runClaude } from "./claude.js";
import { callId, type ModelRequest } from "./model.js";

export interface SessionOptions extends Pick<ClaudeOptions, "binary" | "project" | "home" | "env"> {
  /** The user's words the session begins with. */
  task: string;
  session: (Call | { stop: string })[];
}

interface Call {
  say?: string;
  tool: string;
  input: Record<string, unknown>;
}

export interface CallOutcome {
  denied: boolean;
  /** What the model was told: our words for a refusal, the tool's for anything else. */
  reason: string;
}

export async function playSession({ task, session, ...client }: SessionOptions): Promise<CallOutcome[]> {
  const steps = session.map((step) =>
    "stop" in step
      ? { text: step.stop }
      : { text: step.say || undefined, calls: [{ tool: step.tool, input: step.input }] },
  );
  const run = await runClaude({
    ...client,
    mode: "bypassPermissions",
    prompt: task,
    scripts: [{ marker: "session", steps }],
    timeoutMs: 180_000,
  });
  if (run.exitCode !== 0 || run.result === undefined)
    throw new Error(`Claude Code did not play the session to its end: ${run.stderr.trim() || `exit ${run.exitCode}`}`);
  return session.map((step, n) => {
    if ("stop" in step) return endOf(run.requests, n);
    const told = run.told.find((each) => each.id === callId("session", n));
    const refusal = /^PreToolUse:\S+ hook error: ([^]*)$/.exec(told?.text ?? "");
    return { denied: told?.isError === true && refusal !== null, reason: refusal?.[1] ?? told?.text ?? "" };
  });
}

/** A refused end shows as feedback between the agent's last words and the next request. */
function endOf(requests: readonly ModelRequest[], n: number): CallOutcome {
  const messages = requests.find((each) => each.marker === "session" && each.step === n + 1)?.messages ?? [];
  const since = messages.slice(messages.findLastIndex((each) => each.role === "assistant") + 1);
  const texts = since.flatMap(({ content }) =>
    typeof content === "string" ? [content] : content.map((block) => block.text ?? ""),
  );
  const feedback = texts.find((text) => text.includes("Stop hook feedback:"));
  return { denied: feedback !== undefined, reason: feedback?.replace(/^[^]*Stop hook feedback:\s*/, "") ?? "" };
}
