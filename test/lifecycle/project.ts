// A project of the framework in temporary folders, and the hook's own door to it: what the seed's tests set up by hand.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { manifestText } from "../../src/facts/agent-roles.js";
import { handleCall } from "../../src/hook/pipeline.js";
import type { JsonObject } from "../../src/model/json.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { newRepository } from "../../src/testing/new-repository.js";

export interface Setup {
  /** The branch HEAD is on; false: no repository. */
  branch?: string | false;
  state?: JsonObject | string;
  manifest?: boolean;
  plan?: boolean;
  files?: Record<string, string>;
  yaml?: string;
}

export interface Said {
  denied: boolean;
  gate?: string;
  text: string;
  context: string;
  messages: string;
  faults: string[];
  raw: JsonObject;
}

/** Payloads of Claude Code 2.1.325; `source` says which were recorded and which only have a recorded shape. Paths,
 * ids and the permission mode are replaced. */
const recordings = readFileSync(join(process.cwd(), "test/clients/fixtures/answers-2.1.325.jsonl"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { name: string; payload: JsonObject });

export class FrameworkProject {
  readonly root: string;
  readonly home: string;
  readonly env: Record<string, string>;
  session = "s1";
  agent: { id: string; type: string } | undefined;
  /** Rows are judged by one gate alone where it is named. */
  only: string | undefined;
  cwd: string;
  readonly #folder: string;

  constructor({ branch = "main", state, manifest = true, plan = false, files = {}, yaml }: Setup = {}) {
    this.#folder = mkdtempSync(join(tmpdir(), "interlock-lifecycle-"));
    this.root = join(this.#folder, "project");
    this.home = join(this.#folder, "interlock");
    this.cwd = this.root;
    mkdirSync(join(this.root, ".isdlc"), { recursive: true });
    mkdirSync(join(this.#folder, "home"));
    if (branch) newRepository(this.root, branch);
    if (state !== undefined)
      this.write(".isdlc/state.json", typeof state === "string" ? state : JSON.stringify(state, null, 2));
    if (manifest) this.write(".claude/hooks/config/skills-manifest.json", manifestText());
    if (plan) this.write("docs/isdlc/tasks.md", "# Plan\n");
    if (yaml) this.write("interlock.yaml", yaml);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.env = {
      HOME: join(this.#folder, "home"),
      CLAUDE_PROJECT_DIR: this.root,
      INTERLOCK_HOME: this.home,
      PATH: process.env["PATH"] ?? "",
    };
  }

  write(path: string, text: string): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into the framework's open-ended state
  state(path = ".isdlc/state.json"): any {
    return JSON.parse(this.read(path));
  }

  payload(event: string, more: JsonObject): JsonObject {
    return {
      session_id: this.session,
      cwd: this.cwd,
      hook_event_name: event,
      ...(this.agent ? { agent_id: this.agent.id, agent_type: this.agent.type } : {}),
      ...more,
    };
  }

  async send(bytes: string, event = "PreToolUse"): Promise<Said> {
    const answered = await handleCall({
      bytes: Buffer.from(bytes),
      env: this.env,
      home: this.home,
      only: this.only,
      registered: event,
    });
    const raw = JSON.parse(answered.text) as JsonObject;
    const { verdict } = answered;
    const specific = raw["hookSpecificOutput"] as JsonObject | undefined;
    return {
      denied: specific?.["permissionDecision"] === "deny" || raw["decision"] === "block",
      gate: verdict?.gate,
      text: String(specific?.["permissionDecisionReason"] ?? raw["reason"] ?? ""),
      context: String(specific?.["additionalContext"] ?? ""),
      messages: String(raw["systemMessage"] ?? ""),
      faults: verdict?.faults.map((f) => `${f.gate}: ${f.message}`) ?? this.recordedFaults(),
      raw,
    };
  }

  hook(event: string, more: JsonObject): Promise<Said> {
    return this.send(JSON.stringify(this.payload(event, more)), event);
  }

  before(tool: string, input: JsonObject): Promise<Said> {
    return this.hook("PreToolUse", { tool_name: tool, tool_input: input });
  }

  after(tool: string, input: JsonObject, response: JsonObject | string = "done"): Promise<Said> {
    const shaped =
      typeof response === "string" && tool === "Bash" ? { stdout: response, stderr: "", interrupted: false } : response;
    return this.hook("PostToolUse", { tool_name: tool, tool_input: input, tool_response: shaped });
  }

  failed(tool: string, input: JsonObject, error: string): Promise<Said> {
    return this.hook("PostToolUseFailure", { tool_name: tool, tool_input: input, error });
  }

  task(type: string, prompt = "go on", description = "work"): Promise<Said> {
    return this.before("Task", { subagent_type: type, prompt, description });
  }

  /** A payload as the real client sends it, in this project and session. */
  recorded(name: string, more: JsonObject = {}): Promise<Said> {
    const { payload } = recordings.find((r) => r.name === name)!;
    const { transcript_path: _, ...rest } = payload;
    const here = { ...rest, session_id: this.session, cwd: this.cwd, ...more };
    return this.send(JSON.stringify(here), String(payload["hook_event_name"]));
  }

  stop(): Promise<Said> {
    return this.hook("Stop", { stop_hook_active: false });
  }

  get store() {
    return openStore({ home: this.home, id: identify(this.root).id });
  }

  /** Every fault the record holds. */
  recordedFaults(): string[] {
    return [...this.store.records()].flatMap((r) =>
      ((r.body["faults"] as JsonObject[] | undefined) ?? []).map((f) => `${f["gate"]}: ${f["message"]}`),
    );
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

export function framework(t: { after(done: () => void): void }, setup: Setup = {}): FrameworkProject {
  const made = new FrameworkProject(setup);
  t.after(() => made.dispose());
  return made;
}

/** A feature workflow standing at a phase. */
export function workflowAt(
  phase: string,
  more: JsonObject = {},
  phases: JsonObject = { [phase]: { status: "in_progress" } },
): JsonObject {
  const list = [
    ...["00-quick-scan", "01-requirements", "02-impact-analysis", "03-architecture", "04-design", "05-test-strategy"],
    ...["06-implementation", "11-local-testing", "07-testing", "10-cicd", "08-code-review"],
  ];
  return {
    active_workflow: {
      type: "feature",
      current_phase: phase,
      current_phase_index: Math.max(0, list.indexOf(phase)),
      phases: list,
      ...more,
    },
    phases,
  };
}
