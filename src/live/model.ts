// A scripted model: answers the Anthropic Messages API on loopback with fixed steps and keeps every request.
// Invariant: the step follows from the request alone (marker in the first user message, number of assistant
// messages).
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the model says in one step: some text, tool calls, or both. `afterMs` holds the answer back. */
export interface ModelStep {
  text?: string;
  calls?: { tool: string; input: Record<string, unknown> }[];
  afterMs?: number;
}

/** One conversation. The first script is the main one; a sub-agent gets the one whose `marker` is in its prompt. */
export interface Script {
  marker: string;
  steps: ModelStep[];
}

export interface ModelRequest {
  marker: string;
  step: number;
  messages: ModelMessage[];
  system: string;
  tools: string[];
}

export interface ModelMessage {
  role: string;
  content: string | ContentBlock[];
}

export interface ContentBlock {
  type: string;
  text?: string;
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
  tool_use_id?: string;
  content?: string | ContentBlock[];
  is_error?: boolean;
}

export interface ScriptedModel {
  port: number;
  requests: ModelRequest[];
  close(): Promise<void>;
}

/** Called before a step is answered; a test can change the world here. */
export type Between = (request: ModelRequest) => void | Promise<void>;

/** Starts the model on 127.0.0.1. */
export async function startModel(scripts: Script[], between: Between = () => {}): Promise<ScriptedModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    answer({ scripts, requests, between }, request, response).catch((error: unknown) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: String(error) } }));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Session {
  scripts: Script[];
  requests: ModelRequest[];
  between: Between;
}

async function answer(session: Session, request: IncomingMessage, response: ServerResponse) {
  const route = (request.url ?? "").split("?")[0];
  if (request.method === "POST" && route === "/v1/messages/count_tokens") {
    await bodyOf(request);
    return json(response, 200, { input_tokens: 1000 });
  }
  if (request.method !== "POST" || route !== "/v1/messages") {
    request.resume();
    return json(response, 404, { type: "error", error: { type: "not_found_error", message: "not scripted" } });
  }
  const body = (await bodyOf(request)) as {
    messages: ModelMessage[];
    system?: unknown;
    tools?: { name: string }[];
    model?: string;
    stream?: boolean;
  };
  const seen = read(session.scripts, body);
  let step: ModelStep = { text: "ok" }; // requests without tools are the client's own housekeeping (titles, summaries)
  if (body.tools?.length) {
    session.requests.push(seen);
    await session.between(seen);
    step = stepOf(session.scripts, seen);
  }
  if (step.afterMs) await new Promise((resolve) => setTimeout(resolve, step.afterMs).unref());
  const message = compose(step, seen, body.model ?? "scripted");
  if (!body.stream) return json(response, 200, message);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of eventsOf(message)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function read(
  scripts: Script[],
  body: { messages: ModelMessage[]; system?: unknown; tools?: { name: string }[] },
): ModelRequest {
  const first = textOf(body.messages.find((message) => message.role === "user")?.content ?? "");
  const script = scripts.slice(1).find((candidate) => first.includes(candidate.marker)) ?? scripts[0];
  return {
    marker: script?.marker ?? "",
    step: body.messages.filter((message) => message.role === "assistant").length,
    messages: body.messages,
    system: textOf(body.system as string | ContentBlock[] | undefined),
    tools: (body.tools ?? []).map((tool) => tool.name),
  };
}

function stepOf(scripts: Script[], seen: ModelRequest): ModelStep {
  return scripts.find((script) => script.marker === seen.marker)?.steps[seen.step] ?? { text: "done" };
}

/** The text of a message or a tool result, whatever its shape. */
export function textOf(content: string | ContentBlock[] | undefined): string {
  if (!content) return "";
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? "").join("\n");
}

function compose(step: ModelStep, seen: ModelRequest, model: string) {
  const content: ContentBlock[] = step.text ? [{ type: "text", text: step.text }] : [];
  for (const [n, call] of (step.calls ?? []).entries())
    content.push({ type: "tool_use", id: callId(seen.marker, seen.step, n), name: call.tool, input: call.input });
  return {
    id: `msg_${safe(seen.marker)}_${seen.step}`,
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: step.calls?.length ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  };
}

/** The id of the n-th call in a step; unique over the scripts of one run. */
export function callId(marker: string, step: number, n = 0) {
  return `toolu_${safe(marker)}_${step}_${n}`;
}

const safe = (marker: string) => marker.replace(/[^A-Za-z0-9]/g, "") || "main";

function* eventsOf(message: ReturnType<typeof compose>) {
  yield { type: "message_start", message: { ...message, content: [], stop_reason: null } };
  for (const [index, block] of message.content.entries()) {
    const call = block.type === "tool_use";
    yield {
      type: "content_block_start",
      index,
      content_block: call ? { ...block, input: {} } : { type: "text", text: "" },
    };
    const delta = call
      ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
      : { type: "text_delta", text: block.text };
    yield { type: "content_block_delta", index, delta };
    yield { type: "content_block_stop", index };
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens: 10 },
  };
  yield { type: "message_stop" };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString("utf8"));
}

function json(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
