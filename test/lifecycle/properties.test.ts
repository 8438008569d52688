// Two properties over random histories: no legitimate sequence of calls dead-ends a workflow, and no sequence of hand
// edits of the state file opens a closed gate.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { run } from "../../src/cli/commands/lifecycle.js";
import type { JsonObject } from "../../src/model/json.js";
import { Driver, menuText } from "./drive.js";
import { FrameworkProject, workflowAt } from "./project.js";

const runs = process.env["INTERLOCK_NIGHTLY"] ? 300 : 12;

/** The command in this process: its answer, and whether it moved. */
async function lifecycle(p: FrameworkProject, ...args: string[]): Promise<JsonObject> {
  const { log } = console;
  let out = "";
  console.log = (text: string) => void (out += text);
  try {
    await run([...args, "--json", "--cwd", p.cwd, "--home", p.home]);
  } finally {
    console.log = log;
  }
  return JSON.parse(out) as JsonObject;
}

class Agent extends Driver {
  readonly errors = ["alpha", "beta", "alpha"];

  async act(move: number, pick: number): Promise<void> {
    const { p } = this;
    const { constitution } = this.needs;
    const error = this.errors[pick % this.errors.length];
    switch (move) {
      case 0:
        return void (await this.delegate());
      case 1:
        await this.delegate(menuText);
        return void (await p.recorded("save typed", {
          prompt: ["adjust", "refine", "continue", "exit", "save"][pick % 5]!,
        }));
      case 2:
        return void (await this.tests(true));
      case 3:
        return void (await p.failed("Bash", { command: "npm test" }, `Exit code 1\nError: ${error}`));
      case 4:
        return void (await lifecycle(
          p,
          "validate",
          "--articles",
          constitution ? constitution.articles.slice(0, (pick % 4) + 1).join(",") : "I",
        ));
      case 5:
        return void (await lifecycle(p, "validate", "--articles", "I", "--violation", "no spec"));
      case 6:
        return void (await this.askForGate());
      case 7:
        return void (await lifecycle(p, "redo", "--reason", "again"));
      case 8:
        return void (await p.task("qa-engineer", "another phase's work"));
      case 9:
        return void (await p.after("TaskUpdate", { taskId: "1", status: "in_progress" }));
      default:
        return void (await lifecycle(p, "advance"));
    }
  }

  /** Follows nothing but the advice of `next` and of the refusals. */
  async heed(): Promise<void> {
    const { unmet } = await lifecycle(this.p, "next");
    const [need] = unmet as { need: string; next: string }[];
    if (!need) {
      const { moved, why } = await lifecycle(this.p, "advance");
      return assert.ok(moved, `next said the gate is open, advance says: ${why}`);
    }
    if (/lifecycle redo/.test(need.next)) return void (await lifecycle(this.p, "redo", "--reason", "escalated"));
    const articles = /--articles (\S+)/.exec(need.next)?.[1];
    if (articles) return void (await lifecycle(this.p, "validate", "--articles", articles));
    if (need.need === "plan") return this.plan();
    if (need.need === "tests") return void (await this.tests(true));
    const said = await this.delegate(need.need === "elicitation" ? menuText : "done");
    if (need.need === "elicitation") await this.p.recorded("Save chosen");
    assert.equal(said.denied, false, `following the advice "${need.next}" is refused: ${said.text}`);
  }
}

test("no legitimate sequence of calls dead-ends a workflow", async () => {
  const step = fc.tuple(fc.integer({ min: 0, max: 10 }), fc.nat(20));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("fix", "test-run", "upgrade"),
      fc.array(step, { maxLength: 14 }),
      async (type, steps) => {
        const p = new FrameworkProject({ plan: true });
        try {
          await lifecycle(p, "start", type);
          const agent = new Agent(p, type);
          for (const [move, pick] of steps) if (p.state().active_workflow) await agent.act(move, pick);
          for (let left = 60; p.state().active_workflow; left--) {
            assert.ok(left, `no way out of ${agent.phase} after ${JSON.stringify(steps)}`);
            await agent.heed();
          }
          assert.equal(p.state().workflow_history.at(-1).status, "completed");
        } finally {
          p.dispose();
        }
      },
    ),
    { numRuns: runs },
  );
});

// biome-ignore lint/suspicious/noExplicitAny: hand edits are of any shape
type State = any;
const keys = [
  "00-quick-scan",
  "01-requirements",
  "03-architecture",
  "06-implementation",
  "07-testing",
  "08-code-review",
  "99-magic",
];

interface Shape {
  key: string;
  n: number;
  flag: boolean;
  json: unknown;
}

/** What an agent, or anything else, may write over the state. */
function mutations({ key, n, flag, json }: Shape): [name: string, change: (s: State) => void][] {
  return [
    [
      "next phase",
      (s) => {
        Object.assign((s.active_workflow ??= {}), { current_phase: "11-local-testing", current_phase_index: 7 });
        (s.phases ??= {})["11-local-testing"] = { status: "in_progress" };
      },
    ],
    ["no workflow", (s) => (s.active_workflow = null)],
    ["workflow gone", (s) => delete s.active_workflow],
    [`phase ${key}`, (s) => Object.assign((s.active_workflow ??= {}), { current_phase: key, current_phase_index: n })],
    [`index ${n}`, (s) => Object.assign((s.active_workflow ??= {}), { current_phase_index: n })],
    [
      `status of ${key}`,
      (s) => ((s.phases ??= {})[key] = { ...s.phases[key], status: flag ? "completed" : "in_progress" }),
    ],
    [
      "tests done",
      (s) =>
        ((s.phases ??= {})["06-implementation"] = {
          ...s.phases["06-implementation"],
          iteration_requirements: {
            test_iteration: { completed: true, current_iteration: n, status: "success", last_test_result: "passed" },
          },
        }),
    ],
    [
      "menus done",
      (s) =>
        ((s.phases ??= {})[key] = {
          ...s.phases[key],
          iteration_requirements: {
            interactive_elicitation: { completed: true, menu_interactions: n, final_selection: "save" },
          },
        }),
    ],
    [
      "checked",
      (s) =>
        ((s.phases ??= {})["06-implementation"] = {
          ...s.phases["06-implementation"],
          constitutional_validation: {
            completed: true,
            status: "compliant",
            iterations_used: n,
            articles_checked: ["I", "II"],
          },
        }),
    ],
    [
      "approved",
      (s) =>
        ((s.phases ??= {})["06-implementation"] = {
          ...s.phases["06-implementation"],
          iteration_requirements: {
            test_iteration: { status: "escalated", escalation_approved: true, current_iteration: 3 },
          },
        }),
    ],
    [
      "logged",
      (s) =>
        (s.skill_usage_log = [
          { agent: "software-developer", agent_phase: "06-implementation", timestamp: "2026-01-01" },
        ]),
    ],
    [
      "branch merged",
      (s) =>
        Object.assign((s.active_workflow ??= {}), {
          git_branch: flag ? null : { name: "feature/x", status: "merged" },
        }),
    ],
    ["no marker", (s) => (s.pending_delegation = null)],
    ["not enforced", (s) => (s.iteration_enforcement = { enabled: false })],
    ["skills off", (s) => (s.skill_enforcement = { enabled: false })],
    ["other phases", (s) => Object.assign((s.active_workflow ??= {}), { phases: flag ? [key] : [] })],
    ["other type", (s) => Object.assign((s.active_workflow ??= {}), { type: flag ? "reverse-engineer" : "x" })],
    ["version", (s) => (s.state_version = n * 10)],
    [
      "anything",
      (s) =>
        (s[["phases", "active_workflow", "current_phase", "skill_usage_log", "pending_delegation"][n % 5]!] = json),
    ],
  ];
}
const kinds = mutations({ key: "", n: 0, flag: false, json: null }).length;

const mutation: fc.Arbitrary<{ name: string; change(s: State): void }> = fc
  .record({
    kind: fc.nat(kinds - 1),
    key: fc.constantFrom(...keys),
    n: fc.nat(12),
    flag: fc.boolean(),
    json: fc.jsonValue({ maxDepth: 2 }),
  })
  .map(({ kind, ...shape }) => {
    const [name, change] = mutations(shape)[kind]!;
    return { name, change };
  });

type Edit = { name: string; change(s: State): void; by: "disk" | "Write" | "garbage" | "delete" };
const edits = fc.array(
  fc
    .tuple(mutation, fc.constantFrom<Edit["by"]>("disk", "disk", "Write", "Write", "Write", "garbage", "delete"))
    .map(([m, by]): Edit => ({ ...m, by })),
  { minLength: 1, maxLength: 8 },
);

/** Every single edit, by every way, before the random ones. */
const singles: [Edit[]][] = (["disk", "Write"] as const).flatMap((by) =>
  mutations({ key: "08-code-review", n: 1, flag: true, json: {} }).map(([name, change]): [Edit[]] => [
    [{ name, change, by }],
  ]),
);

async function handEdit(p: FrameworkProject, file: string, { change, by }: Edit, before: string): Promise<string> {
  const path = join(p.root, file);
  if (by === "delete") {
    rmSync(path, { force: true });
    return before;
  }
  let state: State;
  try {
    state = JSON.parse(p.read(file));
  } catch {
    // Deleted or garbled by an earlier edit: the next one starts from what was there.
    state = JSON.parse(before);
  }
  if (typeof state !== "object" || state === null) state = JSON.parse(before);
  try {
    change(state);
  } catch {
    // The edit does not fit what an earlier one left; it is then no edit.
    return before;
  }
  const content = by === "garbage" ? "{ garbage" : JSON.stringify(state);
  if (by === "Write") {
    const said = await p.before("Write", { file_path: path, content });
    if (said.denied) return before;
  }
  writeFileSync(path, content);
  if (by === "Write") await p.after("Write", { file_path: path, content }, { type: "update", filePath: path });
  return before;
}

/** Calls that are refused where this starts, and the gate that must not open. */
const probes: [name: string, act: (p: FrameworkProject) => Promise<{ denied: boolean; text: string }>][] = [
  ["advance", (p) => p.task("sdlc-orchestrator", "advance to the next phase")],
  ["advance by skill", (p) => p.before("Skill", { skill: "sdlc", args: "advance" })],
  ["the next phase", (p) => p.task("environment-builder", "set it up")],
  ["another phase", (p) => p.task("qa-engineer", "review")],
  ["an earlier phase", (p) => p.task("solution-architect", "redesign")],
  ["declare complete", (p) => p.task("general-purpose", "phase complete")],
  ["commit on main", (p) => p.before("Bash", { command: "git commit -m x" })],
  ["end of the turn", (p) => p.stop()],
];

test("no sequence of hand edits opens a gate that was closed", async () => {
  const start = {
    ...workflowAt("06-implementation", { git_branch: { name: "feature/x", status: "active" } }),
    state_version: 3,
  };
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      const p = new FrameworkProject({ state: start, plan: true });
      try {
        await p.failed("Bash", { command: "npm test" }, "Exit code 1\nError: boom");
        await p.after("Skill", { skill: "sdlc", args: "feature" });
        const before = p.read(".isdlc/state.json");
        for (const [name, act] of probes) assert.equal((await act(p)).denied, true, `${name} is closed at the start`);
        for (const edit of list) {
          await handEdit(p, ".isdlc/state.json", edit, before);
          await p.hook("UserPromptSubmit", { prompt: "go on" });
          for (const [name, act] of probes)
            assert.equal(
              (await act(p)).denied,
              true,
              `${name} was opened by ${edit.by} "${edit.name}" in ` +
                `${JSON.stringify(list.map((e) => `${e.by} ${e.name}`))}`,
            );
        }
      } finally {
        p.dispose();
      }
    }),
    { numRuns: runs + singles.length, examples: singles },
  );
});

test("marking a phase begun on disk alone opens nothing; with Write, the remedy, it opens", async () => {
  const p = new FrameworkProject({ state: workflowAt("04-design", {}, { "04-design": { status: "pending" } }) });
  try {
    assert.equal((await p.task("system-designer")).gate, "lifecycle/phase-loop-controller");
    p.write(".isdlc/state.json", JSON.stringify(workflowAt("04-design")));
    const still = await p.task("system-designer");
    assert.equal(still.gate, "lifecycle/phase-loop-controller");
    assert.match(still.text, /did not see who changed|not begun|pending/);
    const input = { file_path: join(p.root, ".isdlc/state.json"), content: JSON.stringify(workflowAt("04-design")) };
    assert.equal((await p.before("Write", input)).denied, false);
    await p.after("Write", input, "ok");
    assert.equal((await p.task("system-designer")).denied, false);
  } finally {
    p.dispose();
  }
});
