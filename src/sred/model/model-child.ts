// The process that talks to the Claude Agent SDK. Reads one request from stdin, prints one answer, and ends.
// Invariant: the session it starts loads no settings and so no hooks, has no tools, and ends with its time limit.

interface ChildRequest {
  sdk: string;
  executable: string;
  cwd: string;
  prompt: string;
  instructions: string;
  schema: object;
  ms: number;
}

interface ResultMessage {
  type: string;
  subtype?: string;
  is_error?: boolean;
  result?: string;
  structured_output?: unknown;
}

type Query = (request: { prompt: string; options: object }) => AsyncIterable<ResultMessage>;

async function ask(request: ChildRequest): Promise<object> {
  const { query } = (await import(request.sdk)) as { query: Query };
  const abortController = new AbortController();
  const limit = setTimeout(() => abortController.abort(), request.ms);
  const messages = query({
    prompt: request.prompt,
    options: {
      abortController,
      settingSources: [],
      model: "haiku",
      maxTurns: 2,
      tools: [],
      allowedTools: [],
      strictMcpConfig: true,
      persistSession: false,
      systemPrompt: request.instructions,
      outputFormat: { type: "json_schema", schema: request.schema },
      pathToClaudeCodeExecutable: request.executable,
      cwd: request.cwd,
      env: process.env,
    },
  });
  try {
    for await (const message of messages) {
      if (message.type !== "result") continue;
      if (message.structured_output !== undefined) return { output: message.structured_output };
      if (message.subtype === "success" && !message.is_error) return { text: message.result ?? "" };
      const unparsed =
        message.subtype === "error_max_structured_output_retries" || message.subtype === "error_max_turns";
      return { failure: unparsed ? "PARSE_ERROR" : "SDK_ERROR", detail: message.result ?? message.subtype };
    }
    return { failure: "PARSE_ERROR", detail: "the session ended without a result" };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { failure: abortController.signal.aborted ? "NETWORK_TIMEOUT" : "SDK_ERROR", detail };
  } finally {
    clearTimeout(limit);
  }
}

const parts: Buffer[] = [];
for await (const part of process.stdin) parts.push(part as Buffer);
const answer = await ask(JSON.parse(Buffer.concat(parts).toString("utf8")) as ChildRequest).catch((error: unknown) => ({
  failure: "SDK_ERROR",
  detail: error instanceof Error ? error.message : String(error),
}));
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0));
