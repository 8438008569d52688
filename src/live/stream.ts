// Reads both sides of a client run: what the client reported (stream-json) and the requests to the model.
// Unknown lines and shapes are kept or skipped, never an error: the client changes weekly.
import { type ModelRequest, textOf } from "./model.js";

export type StreamEvent = { type: string; subtype?: string } & Record<string, unknown>;

export interface HookEvent {
  event: string;
  outcome: string;
  exitCode?: number;
  stdout: string;
  stderr: string;
}

export interface Stream {
  events: StreamEvent[];
  /** Finished hook runs; any `outcome` but success is a hook that did not do its work, call by call. */
  hooks: HookEvent[];
  /** Calls the client counted as refused. */
  denials: { tool: string; id: string; input: Record<string, unknown> }[];
  /** Notices shown to the person. `hook_no_verdict`: a hook gave no usable answer (once per hook and session). */
  notices: { tag: string; text: string }[];
  /** The final answer, or undefined when the run did not reach one. */
  result?: string;
}

export interface Told {
  marker: string;
  tool: string;
  id: string;
  input: Record<string, unknown>;
  text: string;
  isError: boolean;
}

export function readStream(stdout: string): Stream {
  const events = stdout.split("\n").flatMap((line) => parsed(line));
  const result = events.find((event) => event.type === "result");
  const denials = (result?.permission_denials ?? []) as {
    tool_name: string;
    tool_use_id: string;
    tool_input: Record<string, unknown>;
  }[];
  return {
    events,
    hooks: events.filter((event) => event.subtype === "hook_response").map(hookOf),
    denials: denials.map((denial) => ({ tool: denial.tool_name, id: denial.tool_use_id, input: denial.tool_input })),
    notices: events
      .filter((event) => event.subtype === "informational")
      .map((event) => ({ tag: String(event.tag ?? ""), text: String(event.content ?? event.message ?? "") })),
    result: result && String(result.result ?? ""),
  };
}

function parsed(line: string): StreamEvent[] {
  if (!line.startsWith("{")) return [];
  try {
    return [JSON.parse(line) as StreamEvent];
  } catch {
    return []; // the last line of a client that was ended half way
  }
}

function hookOf(event: StreamEvent): HookEvent {
  return {
    event: String(event.hook_event ?? event.hook_name ?? ""),
    outcome: String(event.outcome ?? ""),
    exitCode: typeof event.exit_code === "number" ? event.exit_code : undefined,
    stdout: String(event.stdout ?? ""),
    stderr: String(event.stderr ?? ""),
  };
}

/** What the model was told, each thing once: every request repeats the whole conversation. */
export function toldIn(requests: ModelRequest[]): { told: Told[]; context: string[] } {
  const told = new Map<string, Told>();
  const context = new Set<string>();
  for (const { marker, messages } of requests) {
    const calls = new Map<string, { name: string; input: Record<string, unknown> }>();
    for (const message of messages) {
      if (message.role === "system") context.add(textOf(message.content));
      if (typeof message.content === "string") continue;
      for (const block of message.content) {
        if (block.type === "tool_use" && block.id)
          calls.set(block.id, { name: block.name ?? "", input: block.input ?? {} });
        const id = block.tool_use_id;
        if (block.type !== "tool_result" || !id || told.has(id)) continue;
        const call = calls.get(id);
        told.set(id, {
          marker,
          tool: call?.name ?? "",
          id,
          input: call?.input ?? {},
          text: textOf(block.content),
          isError: block.is_error === true,
        });
      }
    }
  }
  return { told: [...told.values()], context: [...context] };
}
