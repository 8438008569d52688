// Test set-up: a real git repository and store in temporary folders, an engine with the given packs, a scripted agent.
// Invariant: events go through the host's decoder and the engine's own `handle`; nothing is mocked.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Engine, type Handled } from "../engine/engine.js";
import type { EngineWorld } from "../engine/engine-world.js";
import { projectOf } from "../engine/project-reader.js";
import { decode } from "../hosts/claude-code/protocol/decode.js";
import type { Config, PackConfig } from "../model/config.js";
import type { Event } from "../model/event.js";
import type { Pack } from "../model/gate.js";
import type { JsonObject } from "../model/json.js";
import type { Verdict } from "../model/verdict.js";
import { identify } from "../project/identify.js";
import { openStore } from "../store/index.js";
import { newRepository } from "./new-repository.js";

export interface StageOptions {
  packs: readonly Pack[];
  /** Settings per pack; by default a pack is enabled in mode `enforce`. */
  settings?: Record<string, Partial<PackConfig>>;
  config?: Partial<Config>;
  files?: Record<string, string>;
  world?: Partial<EngineWorld>;
  git?: boolean;
  now?: () => number;
}

export class Stage {
  readonly root: string;
  readonly home: string;
  readonly userHome: string;
  session = "session-1";
  agent: { id: string; type: string } | undefined;
  env: Record<string, string> = {};
  #calls = 0;
  #folder: string;

  constructor(private readonly options: StageOptions) {
    this.#folder = mkdtempSync(join(tmpdir(), "interlock-stage-"));
    this.root = join(this.#folder, "project");
    this.home = join(this.#folder, "interlock");
    this.userHome = join(this.#folder, "home");
    for (const folder of [this.root, this.userHome]) mkdirSync(folder, { recursive: true });
    if (options.git !== false) newRepository(this.root);
    for (const [path, text] of Object.entries(options.files ?? {})) this.write(path, text);
  }

  write(path: string, text: string): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    return full;
  }

  get store() {
    return openStore({ home: this.home, id: identify(this.root).id });
  }

  engine(): Engine {
    const { packs, settings = {}, config, world, now } = this.options;
    const of = (id: string): PackConfig => ({
      enabled: true,
      mode: "enforce",
      gates: {},
      options: {},
      ...settings[id],
    });
    return new Engine({
      packs,
      project: projectOf(identify(this.root)),
      store: this.store,
      userHome: this.userHome,
      home: this.home,
      places: { home: this.userHome, projectRoot: this.root, interlockHome: this.home },
      wallClock: now,
      origin: () => ({ kind: "genuine", why: "the stage plays the agent" }),
      config: {
        version: 1,
        packs: Object.fromEntries(packs.map((p) => [p.id, of(p.id)])),
        mcp: {},
        shell: { wrappers: [] },
        adopt: [],
        trace: false,
        deadlineMs: 5000,
        maxStopBlocks: 3,
        ...config,
      },
      ...world,
    });
  }

  event(name: string, payload: JsonObject): Event {
    const wanted = this.options.packs.flatMap((p) => p.gates.flatMap((g) => g.env ?? []));
    return decode(
      {
        session_id: this.session,
        transcript_path: join(this.userHome, ".claude/projects/p", `${this.session}.jsonl`),
        cwd: this.root,
        hook_event_name: name,
        ...(this.agent ? { agent_id: this.agent.id, agent_type: this.agent.type } : {}),
        ...payload,
      },
      this.env,
      wanted,
    );
  }

  handle(name: string, payload: JsonObject): Promise<Handled> {
    return this.engine().handle(this.event(name, payload));
  }

  async verdict(name: string, payload: JsonObject): Promise<Verdict> {
    return (await this.handle(name, payload)).verdict;
  }

  /** The agent is about to call a tool. */
  call(tool: string, input: JsonObject): Promise<Verdict> {
    return this.verdict("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: `toolu_${++this.#calls}` });
  }

  /** A call came back; a string becomes the tool's plain output. */
  done(tool: string, input: JsonObject, response: JsonObject | string = ""): Promise<Verdict> {
    const shaped =
      typeof response === "string" && tool === "Bash" ? { stdout: response, stderr: "", interrupted: false } : response;
    return this.verdict("PostToolUse", {
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_${this.#calls}`,
      tool_response: shaped,
    });
  }

  failed(tool: string, input: JsonObject, error: string): Promise<Verdict> {
    return this.verdict("PostToolUseFailure", {
      tool_name: tool,
      tool_input: input,
      tool_use_id: `toolu_${this.#calls}`,
      error,
      is_interrupt: false,
    });
  }

  /** A call that, unless refused, succeeds; returns the verdict before it. */
  async run(tool: string, input: JsonObject, response: JsonObject | string = ""): Promise<Verdict> {
    const verdict = await this.call(tool, input);
    if (verdict.outcome === "pass") await this.done(tool, input, response);
    return verdict;
  }

  prompt(text: string, more: JsonObject = {}): Promise<Verdict> {
    return this.verdict("UserPromptSubmit", { prompt: text, prompt_id: `prompt-${++this.#calls}`, ...more });
  }

  stop(lastMessage = "done", again = false): Promise<Verdict> {
    return this.verdict("Stop", { stop_hook_active: again, last_assistant_message: lastMessage });
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Makes a stage that is removed after the test. */
export function stage(t: { after(done: () => void): void }, options: StageOptions): Stage {
  const made = new Stage(options);
  t.after(() => made.dispose());
  return made;
}
