// A project whose calls are judged by the built program, with payloads in the shapes that Claude Code 2.1.325 sends.
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { type Supervisor, supervise } from "../../src/server/supervisor.js";
import { program, send, until } from "../server/server.js";
import { FrameworkProject, type Setup } from "./project.js";

export interface ShippedAnswer {
  denied: boolean;
  /** The refusal, or what the agent is told. */
  text: string;
}

export class ShippedProject {
  #calls = 0;
  #sent = 0;

  constructor(
    readonly p: FrameworkProject,
    private readonly server: Supervisor,
  ) {}

  /** What the program answers, as text. */
  answer(name: string, more: JsonObject): Promise<string> {
    const payload = {
      session_id: this.p.session,
      transcript_path: join(this.p.home, "none.jsonl"),
      cwd: this.p.cwd,
      prompt_id: "749227e5-0949-4a40-ac13-c8c4f1fa4312",
      permission_mode: "default",
      ...(name === "UserPromptSubmit" ? {} : { effort: { level: "medium" } }),
      hook_event_name: name,
      ...more,
    };
    this.#sent++;
    return send(this.server.door, JSON.stringify(payload), name);
  }

  async event(name: string, more: JsonObject): Promise<ShippedAnswer> {
    const answer = JSON.parse(await this.answer(name, more)) as JsonObject;
    const specific = (answer["hookSpecificOutput"] ?? {}) as JsonObject;
    const denied = specific["permissionDecision"] === "deny" || answer["decision"] === "block";
    const said = denied
      ? (specific["permissionDecisionReason"] ?? answer["reason"])
      : [specific["additionalContext"], answer["systemMessage"]].filter(Boolean).join("\n");
    return { denied, text: String(said ?? "") };
  }

  /** A call that passes silently is answered before its record and the state are written: waits for both. */
  recorded(): Promise<void> {
    return until(() => {
      const records = [...this.p.store.records()];
      const events = records.filter((r) => r.type.endsWith("event")).length;
      return events >= this.#sent && this.p.store.read().seq >= (records.at(-1)?.seq ?? 0);
    });
  }

  before(tool: string, input: JsonObject): Promise<ShippedAnswer> {
    return this.event("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++this.#calls}` });
  }

  after(tool: string, input: JsonObject, response: JsonObject): Promise<ShippedAnswer> {
    const id = `toolu_${this.#calls}`;
    const call = { tool_name: tool, tool_input: input, tool_response: response, tool_use_id: id, duration_ms: 3 };
    return this.event("PostToolUse", call);
  }

  /** A whole call; the answer before it. */
  async call(tool: string, input: JsonObject, response: JsonObject): Promise<ShippedAnswer> {
    const said = await this.before(tool, input);
    if (!said.denied) await this.after(tool, input, response);
    return said;
  }

  agent(type: string, text = "done", prompt = "Do your phase."): Promise<ShippedAnswer> {
    const input = { subagent_type: type, prompt, description: "phase work", run_in_background: false };
    return this.call("Agent", input, {
      status: "completed",
      prompt,
      agentId: "a1b2c3",
      agentType: type,
      content: [{ type: "text", text }],
      totalToolUseCount: 1,
      totalDurationMs: 5,
      totalTokens: 10,
    });
  }

  /** Writes a file as the agent's Write tool does. */
  async write(path: string, content: string): Promise<ShippedAnswer> {
    const input = { file_path: join(this.p.root, path), content };
    const said = await this.before("Write", input);
    if (said.denied) return said;
    this.p.write(path, content);
    return this.after("Write", input, { type: "create", filePath: input.file_path, content, structuredPatch: [] });
  }

  async tests(command: string, stdout = "Tests:       5 passed, 5 total\n"): Promise<ShippedAnswer> {
    const input = { command, description: "Run tests" };
    await this.before("Bash", input);
    return this.after("Bash", input, {
      stdout,
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
    });
  }

  async fails(command = "npm test", n = 1): Promise<ShippedAnswer> {
    const input = { command, description: "Run tests" };
    await this.before("Bash", input);
    return this.event("PostToolUseFailure", {
      tool_name: "Bash",
      tool_input: input,
      tool_use_id: `toolu_${this.#calls}`,
      error:
        `Exit code 1\nFAIL src/a.test.ts\n  Error: expected ${n} to be 2\n` +
        "Tests:       1 failed, 4 passed, 5 total\n",
      is_interrupt: false,
      duration_ms: 5,
    });
  }

  askForGate(): Promise<ShippedAnswer> {
    return this.before("Agent", {
      subagent_type: "sdlc-orchestrator",
      prompt: "All is done. Advance to the next phase.",
      description: "advance",
    });
  }
}

/** Behind a resident server: a process per call would make these tests slow. */
export async function shipped(t: TestContext, setup: Setup = {}): Promise<ShippedProject> {
  const p = new FrameworkProject(setup);
  const server = await supervise(p.home, program, {});
  t.after(async () => {
    await server.end("the test is over");
    p.dispose();
  });
  return new ShippedProject(p, server);
}
