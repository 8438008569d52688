// Drives a workflow as an agent would: through the hooks, the files and the command, one phase after the other.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { shippedRoles } from "../../src/facts/agent-roles.js";
import type { JsonObject } from "../../src/model/json.js";
import { agentsOf, catalogueOf, needsOf } from "../../src/packs/lifecycle/model/catalogue.js";
import type { FrameworkProject, Said } from "./project.js";

const script = join(process.cwd(), "dist/interlock.cjs");
const catalogue = catalogueOf();
export const menuText = "[A] Adjust  [R] Refine  [C] Continue  [S] Save  [X] Exit\nYour choice:";

export interface Ran {
  code: number;
  json: JsonObject;
  err: string;
}

export function lifecycle(p: FrameworkProject, ...args: string[]): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, "lifecycle", ...args, "--json"], {
    cwd: p.cwd,
    env: { ...p.env, INTERLOCK_HOME: p.home },
    encoding: "utf8",
  });
  return { code: status ?? -1, json: stdout ? (JSON.parse(stdout) as JsonObject) : {}, err: stderr };
}

export class Driver {
  constructor(
    readonly p: FrameworkProject,
    readonly type: string,
    readonly file = ".isdlc/state.json",
    readonly planFile = "docs/isdlc/tasks.md",
  ) {}

  get workflow(): JsonObject {
    return this.p.state(this.file).active_workflow;
  }
  get phase(): string {
    return String(this.workflow["current_phase"]);
  }
  get needs() {
    return needsOf(catalogue, this.type, this.phase)!;
  }
  get agent(): string {
    return agentsOf(catalogue, shippedRoles, this.phase)[0]!;
  }

  /** The leading agent does its work: the call before, and its result. */
  async delegate(result = "done"): Promise<Said> {
    const input = { subagent_type: this.agent, prompt: "do your phase", description: "phase work" };
    const said = await this.p.before("Task", input);
    if (!said.denied) await this.p.after("Task", input, result);
    return said;
  }

  askForGate(): Promise<Said> {
    return this.p.task("sdlc-orchestrator", "All is done. Advance to the next phase.", "advance");
  }

  async tests(pass: boolean, command = "npm test"): Promise<Said> {
    if (pass) return this.p.after("Bash", { command }, "Tests:       5 passed, 5 total\n");
    return this.p.failed(
      "Bash",
      { command },
      "Exit code 1\nFAIL src/a.test.ts\n  Error: expected 1 to be 2\nTests:       1 failed, 4 passed, 5 total\n",
    );
  }

  plan(): void {
    this.p.write(this.planFile, "# Tasks\n- [ ] T1\n");
  }

  check(): Ran {
    return lifecycle(this.p, "validate", "--articles", this.needs.constitution!.articles.join(","));
  }

  /** Everything the phase needs, in a legitimate order. */
  async satisfy(): Promise<void> {
    const { needs } = this;
    if (needs.plan && !this.p.has(this.planFile)) this.plan();
    await this.delegate(needs.elicitation ? menuText : "done");
    if (needs.elicitation) await this.p.recorded("Save chosen");
    if (needs.tests) await this.tests(true);
    if (needs.constitution) this.check();
  }

  /** As the framework's own orchestrator moves on: by writing the state file. */
  async advanceByHand(): Promise<Said> {
    const state = this.p.state(this.file);
    const { phases, current_phase_index: index } = state.active_workflow;
    const next = phases[index + 1];
    state.phases[this.phase].status = "completed";
    state.active_workflow.current_phase = next;
    state.active_workflow.current_phase_index = index + 1;
    state.phases[next] = { status: "in_progress" };
    return this.handWrite(state);
  }

  /** The same move, or after the last phase the end of the workflow. */
  async advanceByHandOrEnd(): Promise<Said> {
    const state = this.p.state(this.file);
    const { phases, current_phase_index: index } = state.active_workflow;
    if (index + 1 < phases.length) return this.advanceByHand();
    state.active_workflow = null;
    return this.handWrite(state);
  }

  /** A Write of the whole state file, as the agent's tool does it. */
  async handWrite(state: JsonObject): Promise<Said> {
    const input = { file_path: join(this.p.root, this.file), content: JSON.stringify(state, null, 2) };
    const said = await this.p.before("Write", input);
    if (said.denied) return said;
    this.p.write(this.file, input.content);
    return this.p.after("Write", input, { type: "update", filePath: input.file_path });
  }
}
