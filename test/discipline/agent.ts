// A test agent that talks to the real hook: a git repository, a home, payloads as the client sends them, parsed
// answers.
// Invariant: nothing is mocked; calls that pass are carried out on disk and reported back, refused calls are not.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { handleCall } from "../../src/hook/pipeline.js";
import type { JsonObject } from "../../src/model/json.js";
import { newRepository } from "../../src/testing/new-repository.js";

export interface Heard {
  outcome: "pass" | "deny" | "ask";
  /** The gate that refused, without its pack. */
  gate: string;
  text: string;
  /** What the agent is told besides. */
  context: string;
  /** What the person is shown. */
  shown: string;
}

export interface AgentOptions {
  /** Options of the pack in the user's own interlock.yaml, as JSON (which is YAML). */
  options?: JsonObject;
  /** Only these gates enforce; the rest are off. */
  gates?: readonly string[];
  files?: Record<string, string>;
  mcp?: JsonObject;
  /** Modes of guard gates that would speak first. */
  guard?: JsonObject;
  /** Another way to the answer than the door in this process. */
  ask?: (agent: Agent, payload: JsonObject) => Promise<string>;
}

const standing = () => ({ kind: "genuine" as const, why: "the test plays the agent" });

export class Agent {
  readonly root: string;
  readonly home: string;
  session = "session-1";
  agent: { id: string; type: string } | undefined;
  calls = 0;
  readonly #folder: string;
  readonly #ask: ((agent: Agent, payload: JsonObject) => Promise<string>) | undefined;

  constructor({ options = {}, gates, files = {}, mcp, guard, ask }: AgentOptions = {}) {
    this.#ask = ask;
    this.#folder = mkdtempSync(join(tmpdir(), "interlock-discipline-"));
    // A folder below the temporary one would be scratch space to the gates if it were not the project.
    this.root = join(this.#folder, "project");
    this.home = join(this.#folder, "home");
    mkdirSync(this.root);
    mkdirSync(join(this.home, "interlock"), { recursive: true });
    newRepository(this.root);
    for (const [path, text] of Object.entries(files)) this.put(path, text);
    const modes = gates && Object.fromEntries([...gates].map((g) => [g, "enforce"]));
    const discipline = { mode: gates ? "observe" : "enforce", ...options, ...(modes && { gates: modes }) };
    writeFileSync(
      join(this.home, "interlock", "interlock.yaml"),
      JSON.stringify({ packs: { discipline, ...(guard && { guard: { gates: guard } }) }, ...(mcp && { mcp }) }),
    );
  }

  get transcript(): string {
    return join(this.home, ".claude/projects/p", `${this.session}.jsonl`);
  }

  get env(): Record<string, string> {
    return { HOME: this.home, INTERLOCK_HOME: join(this.home, "interlock"), PATH: process.env["PATH"] ?? "" };
  }

  put(path: string, text: string): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  async send(name: string, payload: JsonObject): Promise<Heard> {
    const whole: JsonObject = {
      session_id: this.session,
      cwd: this.root,
      transcript_path: this.transcript,
      hook_event_name: name,
      ...(this.agent && { agent_id: this.agent.id, agent_type: this.agent.type }),
      ...payload,
    };
    const text = this.#ask
      ? await this.#ask(this, whole)
      : (await handleCall({ bytes: Buffer.from(JSON.stringify(whole)), env: this.env, origin: standing })).text;
    return heard(text);
  }

  /** The client asks the hook, then writes down what was typed; what a machine says it writes down otherwise. */
  async prompt(text: string, more: JsonObject = {}): Promise<Heard> {
    const said = await this.send("UserPromptSubmit", { prompt: text, ...more });
    const line = {
      type: "user",
      message: { role: "user", content: text },
      sessionId: this.session,
      timestamp: new Date().toISOString(),
      ...(more["source"] && { isMeta: true }),
    };
    mkdirSync(dirname(this.transcript), { recursive: true });
    appendFileSync(this.transcript, `${JSON.stringify(line)}\n`);
    return said;
  }

  start(source = "startup"): Promise<Heard> {
    return this.send("SessionStart", { source });
  }

  stop(lastMessage = "Done.", again = false): Promise<Heard> {
    return this.send("Stop", { stop_hook_active: again, last_assistant_message: lastMessage });
  }

  before(tool: string, input: JsonObject): Promise<Heard> {
    return this.send("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++this.calls}` });
  }

  after(tool: string, input: JsonObject, response: JsonObject | string, call = this.calls): Promise<Heard> {
    return this.send("PostToolUse", {
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_${call}`,
      tool_response: response,
    });
  }

  failed(tool: string, input: JsonObject, error: string): Promise<Heard> {
    return this.send("PostToolUseFailure", {
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_${this.calls}`,
      error,
    });
  }

  /** A call with its end; `deed` is what the tool does when it may. */
  async call(tool: string, input: JsonObject, response: JsonObject | string, deed?: () => void): Promise<Heard> {
    const asked = this.before(tool, input);
    const id = this.calls; // calls may run side by side
    const said = await asked;
    if (said.outcome === "deny") return said;
    deed?.();
    const told = await this.after(tool, input, response, id);
    return {
      ...said,
      context: [said.context, told.context].join("\n").trim(),
      shown: [said.shown, told.shown].join("\n").trim(),
    };
  }

  read(path: string, range: JsonObject = {}): Promise<Heard> {
    const content = existsSync(join(this.root, path)) ? this.text(path) : "";
    return this.call(
      "Read",
      { file_path: join(this.root, path), ...range },
      { type: "text", file: { filePath: path, content } },
    );
  }

  grep(pattern: string, output: string, path?: string): Promise<Heard> {
    return this.call(
      "Grep",
      { pattern, ...(path && { path: join(this.root, path) }), output_mode: "content" },
      { mode: "content", content: output },
    );
  }

  edit(path: string, old: string, next: string, all = false): Promise<Heard> {
    const input = { file_path: join(this.root, path), old_string: old, new_string: next, replace_all: all };
    return this.call("Edit", input, { filePath: path }, () => {
      const text = this.text(path);
      this.put(path, all ? text.split(old).join(next) : text.replace(old, () => next));
    });
  }

  write(path: string, content: string): Promise<Heard> {
    return this.call("Write", { file_path: join(this.root, path), content }, { type: "create", filePath: path }, () =>
      this.put(path, content),
    );
  }

  /** A command and what it would print; a non-zero exit comes back as the client's failure event. */
  async bash(command: string, output = "", exit = 0, deed?: () => void): Promise<Heard> {
    const input = { command };
    const said = await this.before("Bash", input);
    if (said.outcome === "deny") return said;
    deed?.();
    const told = exit
      ? await this.failed("Bash", input, `Exit code ${exit}\n${output}`)
      : await this.after("Bash", input, { stdout: output, stderr: "", interrupted: false });
    return {
      ...said,
      context: [said.context, told.context].join("\n").trim(),
      shown: [said.shown, told.shown].join("\n").trim(),
    };
  }

  search(query = "how to do it"): Promise<Heard> {
    return this.call("WebSearch", { query }, { results: [`A page about ${query} with enough words to be a result`] });
  }

  docs(url = "https://docs.example.org/guide"): Promise<Heard> {
    return this.call(
      "WebFetch",
      { url, prompt: "how" },
      { result: "The guide says: call it with two arguments and check the result." },
    );
  }

  github(url = "https://github.com/o/r/issues/1"): Promise<Heard> {
    return this.call(
      "WebFetch",
      { url, prompt: "how" },
      { result: "Others solve it by retrying twice with a delay between tries." },
    );
  }

  /** All four categories, as an honest agent does them. */
  async research(path = "src/a.ts"): Promise<void> {
    await this.read(path);
    await this.docs();
    await this.search();
    await this.github();
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export function play(t: TestContext, options: AgentOptions = {}): Agent {
  const agent = new Agent({
    files: {
      "src/a.ts": "export const a = 1;\n",
      "package.json": '{"scripts":{"test":"node --test"}}\n',
      ...options.files,
    },
    ...without(options),
  });
  t.after(() => agent.close());
  return agent;
}

const without = ({ files: _, ...rest }: AgentOptions): AgentOptions => rest;

/** An answer as the client reads it. */
function heard(text: string): Heard {
  const answered = JSON.parse(text) as JsonObject;
  const specific = (answered["hookSpecificOutput"] ?? {}) as JsonObject;
  const decision = specific["permissionDecision"] ?? (answered["decision"] === "block" ? "deny" : undefined);
  const reason = String(specific["permissionDecisionReason"] ?? answered["reason"] ?? "");
  return {
    outcome: decision === "deny" || decision === "ask" ? decision : "pass",
    gate: /BLOCKED (?:discipline\/)?(\S+)/.exec(reason)?.[1] ?? "",
    text: reason,
    context: String(specific["additionalContext"] ?? ""),
    shown: String(answered["systemMessage"] ?? ""),
  };
}

export const passing = (n = 5, skipped = 0): string =>
  `ℹ tests ${n}\nℹ suites 0\nℹ pass ${n - skipped}\nℹ fail 0\nℹ cancelled 0\nℹ skipped ${skipped}\nℹ todo 0\n`;
export const failing = (n = 5, bad = 1): string =>
  `not ok 1 - adds\nAssertionError: 1 !== 2\nℹ tests ${n}\nℹ pass ${n - bad}\nℹ fail ${bad}\nℹ cancelled ` +
  "0\nℹ skipped 0\nℹ todo 0\n";
