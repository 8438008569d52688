// The older checks that judge a call before it happens: at least ten rows each, some of which must pass.
import assert from "node:assert/strict";
import type { JsonObject } from "../../src/model/json.js";
import { inDesign, inTests, phases, tested } from "./calls.js";
import { type FrameworkProject, workflowAt } from "./project.js";
import { enough, type Row, runRows, several } from "./rows.js";

const failing = tested({
  completed: false,
  current_iteration: 2,
  last_test_result: "failed",
  last_test_command: "npm test",
});
const passing = { completed: true, current_iteration: 2, status: "success", last_test_result: "passed" };
const compliant = { completed: true, status: "compliant", iterations_used: 1, articles_checked: ["I"] };
const orchestrate = (prompt: string) => (p: FrameworkProject) => p.task("sdlc-orchestrator", prompt, "orchestrate");
const skill =
  (name: string, args = "") =>
  (p: FrameworkProject) =>
    p.before("Skill", { skill: name, args });
const worker = (prompt: string) => (p: FrameworkProject) => p.task("general-purpose", prompt);

const corridor: Row[] = [
  {
    name: "tests fail: no advance",
    setup: { state: failing },
    act: orchestrate("advance to the next phase"),
    denied: ["TEST corridor", "npm test"],
  },
  {
    name: "tests fail: no hand-off",
    setup: { state: failing },
    act: worker("hand off to QA"),
    denied: ["TEST corridor"],
  },
  {
    name: "tests fail: no delegation to another phase",
    setup: { state: failing },
    act: (p) => p.task("qa-engineer", "review"),
    denied: ["TEST corridor"],
  },
  {
    name: "tests fail: no advance by skill",
    setup: { state: failing },
    act: skill("sdlc", "advance"),
    denied: ["TEST corridor"],
  },
  {
    name: "tests fail: the phase's own agent goes on",
    setup: { state: failing },
    act: (p) => p.task("software-developer", "fix the test, then proceed"),
  },
  {
    name: "tests fail: other work passes",
    setup: { state: failing },
    act: worker("investigate and navigate the code"),
  },
  { name: "tests fail: setup passes", setup: { state: failing }, act: orchestrate("/sdlc status") },
  {
    name: "tests pass, constitution not started: no advance",
    setup: { state: tested(passing) },
    act: orchestrate("proceed"),
    denied: ["CONST corridor", "--articles"],
  },
  {
    name: "constitution open in a phase without tests",
    setup: {
      state: workflowAt(
        "03-architecture",
        {},
        phases("03-architecture", {
          constitutional_validation: { completed: false, status: "iterating", iterations_used: 1 },
        }),
      ),
    },
    act: orchestrate("next phase please"),
    denied: ["CONST corridor"],
  },
  {
    name: "constitution not started in a phase without tests is no corridor",
    setup: { state: workflowAt("03-architecture") },
    act: orchestrate("next phase please"),
  },
  {
    name: "tests and constitution done",
    setup: { state: tested(passing, { constitutional_validation: compliant }) },
    act: orchestrate("advance"),
  },
  {
    name: "escalated is no corridor",
    setup: {
      state: tested({ completed: false, current_iteration: 10, status: "escalated", last_test_result: "failed" }),
    },
    act: orchestrate("advance"),
  },
  {
    name: "enforcement switched off before Interlock came",
    setup: { state: { ...failing, iteration_enforcement: { enabled: false } } },
    act: orchestrate("advance"),
  },
  {
    name: "a refusal is an escalation in the file",
    setup: { state: failing },
    act: orchestrate("advance"),
    denied: ["corridor"],
    file: (p) => assert.equal(p.state().pending_escalations[0].hook, "iteration-corridor"),
  },
];

const enforcement = (mode: string, more: JsonObject = {}) => ({
  ...workflowAt("03-architecture"),
  skill_enforcement: { enabled: true, mode, ...more },
});
const skillValidator: Row[] = [
  { name: "observe says nothing", setup: { state: enforcement("observe") }, act: (p) => p.task("software-developer") },
  {
    name: "warn tells of a crossing",
    setup: { state: enforcement("warn") },
    act: (p) => p.task("software-developer"),
    warned: ["06-implementation", "03-architecture"],
  },
  {
    name: "audit tells of a crossing",
    setup: { state: enforcement("audit") },
    act: (p) => p.task("qa-engineer"),
    warned: ["qa-engineer"],
  },
  {
    name: "strict allows too",
    setup: { state: enforcement("strict") },
    act: (p) => p.task("qa-engineer"),
    warned: ["08-code-review"],
  },
  { name: "the phase's own agent", setup: { state: enforcement("strict") }, act: (p) => p.task("solution-architect") },
  { name: "the orchestrator", setup: { state: enforcement("strict") }, act: (p) => p.task("sdlc-orchestrator") },
  { name: "an agent nobody knows", setup: { state: enforcement("strict") }, act: (p) => p.task("helper") },
  {
    name: "no manifest and fail_behavior block",
    setup: { state: enforcement("strict", { fail_behavior: "block" }), manifest: false },
    act: (p) => p.task("software-developer"),
    denied: ["skills manifest"],
  },
  {
    name: "no manifest and fail_behavior allow",
    setup: { state: enforcement("strict", { fail_behavior: "allow" }), manifest: false },
    act: (p) => p.task("software-developer"),
  },
  {
    name: "a manifest and fail_behavior block",
    setup: { state: enforcement("observe", { fail_behavior: "block" }) },
    act: (p) => p.task("software-developer"),
  },
  {
    name: "switched off",
    setup: { state: enforcement("strict", { enabled: false }) },
    act: (p) => p.task("software-developer"),
  },
  { name: "no state", act: (p) => p.task("software-developer") },
  {
    name: "a manifest that is none is a fault",
    setup: { state: enforcement("strict"), manifest: false, files: { ".isdlc/config/skills-manifest.json": "{}" } },
    act: (p) => p.task("software-developer"),
    fault: /ownership/,
  },
];

const designed = (
  record: JsonObject,
  log: JsonObject[] = [{ agent: "system-designer", agent_phase: "04-design" }],
) => ({
  ...workflowAt("04-design", {}, phases("04-design", record)),
  skill_usage_log: log,
});
const checked = (c: JsonObject) => ({ state: designed({ constitutional_validation: c }) });
const single = (phase: string) => ({
  state: {
    active_workflow: { type: "x", current_phase: phase, phases: [phase], current_phase_index: 0 },
    phases: { [phase]: { status: "in_progress" } },
  },
});
const gateBlocker: Row[] = [
  { name: "everything done", setup: checked(compliant), act: orchestrate("advance to the next phase") },
  {
    name: "constitution not started",
    setup: { state: designed({}) },
    act: orchestrate("advance"),
    denied: ["GATE-04", "was not checked"],
  },
  {
    name: "constitution incomplete",
    setup: checked({ completed: false, status: "iterating", iterations_used: 1, articles_checked: ["I"] }),
    act: orchestrate("proceed"),
    denied: ["IV, V, VII, IX are not checked"],
  },
  {
    name: "constitution not compliant",
    setup: checked({
      completed: true,
      status: "iterating",
      iterations_used: 1,
      articles_checked: ["I", "IV", "V", "VII", "IX"],
    }),
    act: orchestrate("gate"),
    denied: ["not compliant"],
  },
  {
    name: "constitution escalated, not approved",
    setup: checked({ completed: false, status: "escalated", iterations_used: 5 }),
    act: orchestrate("gate"),
    denied: ["nobody approved"],
  },
  {
    name: "constitution escalated and approved",
    setup: checked({ completed: false, status: "escalated", iterations_used: 5, escalation_approved: true }),
    act: orchestrate("gate"),
  },
  {
    name: "a fake completion is none",
    setup: checked({ completed: true, status: "compliant", iterations_used: 0 }),
    act: orchestrate("advance"),
    denied: ["was not checked"],
  },
  {
    name: "the agent never worked",
    setup: { state: designed({ constitutional_validation: compliant }, []) },
    act: orchestrate("advance"),
    denied: ["system-designer has not worked in 04-design"],
  },
  {
    name: "no manifest, and no other roles than ready-made ones",
    setup: { state: designed({ constitutional_validation: compliant }, []), manifest: false },
    act: orchestrate("advance"),
  },
  {
    name: "tests not started",
    setup: { state: tested({}), plan: true },
    act: orchestrate("advance"),
    denied: ["no test run was seen"],
  },
  {
    name: "elicitation not started",
    setup: { state: workflowAt("01-requirements") },
    act: orchestrate("advance"),
    denied: ["GATE-01"],
  },
  {
    name: "elicitation ended by exit",
    setup: {
      state: {
        ...workflowAt(
          "01-requirements",
          {},
          phases("01-requirements", {
            constitutional_validation: compliant,
            iteration_requirements: {
              interactive_elicitation: { completed: true, menu_interactions: 3, final_selection: "exit" },
            },
          }),
        ),
        skill_usage_log: [{ agent: "requirements-analyst", agent_phase: "01-requirements" }],
      },
    },
    act: orchestrate("advance"),
    denied: ['"exit"'],
  },
  {
    name: "index and phase contradict",
    setup: { state: workflowAt("04-design", { current_phase_index: 1 }) },
    act: orchestrate("advance"),
    denied: ["contradicts itself"],
  },
  {
    name: "an unknown phase is a fault of configuration",
    setup: single("99-magic"),
    act: orchestrate("advance"),
    denied: ["99-magic", "configuration"],
  },
  {
    name: "an old phase key is the same phase",
    setup: single("05-implementation"),
    act: orchestrate("advance"),
    denied: ["GATE-06"],
  },
  { name: "by skill", setup: { state: designed({}) }, act: skill("isdlc:sdlc", "advance"), denied: ["GATE-04"] },
  {
    name: "by slash command",
    setup: { state: designed({}) },
    act: (p) => p.before("SlashCommand", { command: "/sdlc gate-check" }),
    denied: ["GATE-04"],
  },
  { name: "another skill", setup: { state: designed({}) }, act: skill("pdf", "advance") },
  {
    name: "a worker that speaks of gates",
    setup: { state: designed({}) },
    act: worker("advance the cursor through the gate list"),
  },
  {
    name: "an orchestrator that does something else",
    setup: { state: designed({}) },
    act: orchestrate("summarise the delegates' findings and navigate"),
  },
  { name: "no workflow", setup: { state: { active_workflow: null } }, act: orchestrate("advance") },
  {
    name: "a refusal is written in the file",
    setup: { state: designed({}) },
    act: orchestrate("advance"),
    denied: ["GATE-04"],
    file: (p) =>
      assert.deepEqual(p.state().phases["04-design"].gate_validation.blocking_requirements, ["constitution"]),
  },
  {
    name: "after architecture the cloud is asked for",
    setup: {
      state: {
        ...workflowAt("03-architecture", {}, phases("03-architecture", { constitutional_validation: compliant })),
        skill_usage_log: [{ agent: "solution-architect", agent_phase: "03-architecture" }],
      },
    },
    act: orchestrate("advance"),
    file: (p) => assert.equal(p.state().pending_triggers[0].type, "cloud_configuration"),
  },
];

const constitution: Row[] = [
  {
    name: "phase complete",
    setup: inDesign,
    act: worker("Phase complete, write the summary"),
    denied: ["04-design", "articles I, IV, V, VII, IX"],
  },
  { name: "ready for gate", setup: inDesign, act: worker("we are ready for gate review"), denied: ["declaring"] },
  { name: "mark as complete", setup: inDesign, act: worker("mark as complete"), denied: ["declaring"] },
  { name: "submit for review", setup: inDesign, act: worker("Submit for review now"), denied: ["declaring"] },
  { name: "finalise artifacts", setup: inDesign, act: worker("finalise artifacts"), denied: ["declaring"] },
  { name: "requirements complete", setup: inDesign, act: worker("Requirements complete."), denied: ["declaring"] },
  { name: "a word inside another", setup: inDesign, act: worker("the phased completion of the list") },
  { name: "plain work", setup: inDesign, act: worker("draw the sequence diagram") },
  {
    name: "the phase's own agent",
    setup: inDesign,
    act: (p) => p.task("system-designer", "work until the phase is complete"),
  },
  {
    name: "already compliant",
    setup: { state: workflowAt("04-design", {}, phases("04-design", { constitutional_validation: compliant })) },
    act: worker("phase complete"),
  },
  { name: "a phase without articles", setup: { state: workflowAt("00-quick-scan") }, act: worker("phase complete") },
  { name: "no workflow", setup: { state: { active_workflow: null } }, act: worker("phase complete") },
  {
    name: "tracking is started in the file",
    setup: inDesign,
    act: worker("phase complete"),
    denied: ["declaring"],
    file: (p) => assert.equal(p.state().phases["04-design"].constitutional_validation.status, "pending"),
  },
];

const yaml = `
active_mode: hybrid
defaults: { provider: anthropic, model: sonnet }
providers:
  anthropic: { enabled: true, api_key: sk-very-secret-1234567890, default_model: sonnet, best_model: opus }
  ollama: { enabled: true, local: true, default_model: qwen }
phase_routing:
  06-implementation: { provider: ollama, model: qwen-coder }
  08-code-review: { provider: ollama, model: qwen, local_override: false }
agent_overrides:
  system-designer: { model: opus }
`;
const providers = (text: string, phase = "06-implementation") => ({
  state: workflowAt(phase),
  files: { ".isdlc/providers.yaml": text },
});
const rewrites =
  (type: string, model: string | undefined, env: Record<string, string> = {}) =>
  async (p: FrameworkProject) => {
    Object.assign(p.env, env);
    const said = await p.task(type, "go");
    const input = (said.raw["hookSpecificOutput"] as JsonObject | undefined)?.["updatedInput"] as
      | JsonObject
      | undefined;
    assert.equal(input?.["model"], model, JSON.stringify(said.raw));
    if (input) assert.equal(input["subagent_type"], type, "the rest of the call is kept");
    assert.ok(!JSON.stringify([said.raw, p.state()]).includes("secret"), "no key leaves the file");
    return said;
  };
const router: Row[] = [
  {
    name: "the phase's route",
    setup: providers(yaml),
    act: rewrites("software-developer", undefined),
    warned: ["ollama (qwen-coder)"],
    file: (p) => assert.equal(p.state().last_provider_selection.model, "qwen-coder"),
  },
  {
    name: "a phase that forbids local models",
    setup: providers(yaml, "08-code-review"),
    act: rewrites("qa-engineer", "sonnet"),
  },
  { name: "the agent's own route", setup: providers(yaml), act: rewrites("system-designer", "opus") },
  { name: "a phase without a route", setup: providers(yaml, "04-design"), act: rewrites("helper", "sonnet") },
  {
    name: "the environment's model",
    setup: providers(yaml),
    act: rewrites("software-developer", "haiku", { ISDLC_MODEL_OVERRIDE: "haiku" }),
  },
  { name: "mode quality", setup: providers(yaml.replace("hybrid", "quality")), act: rewrites("helper", "opus") },
  {
    name: "mode local",
    setup: providers(yaml.replace("hybrid", "local")),
    act: rewrites("helper", undefined),
    warned: ["ollama (qwen)"],
  },
  {
    name: "mode budget",
    setup: providers(yaml.replace("hybrid", "budget")),
    act: rewrites("helper", undefined),
    warned: ["ollama (qwen)"],
  },
  {
    name: "mode budget in a phase that forbids local models",
    setup: providers(yaml.replace("hybrid", "budget"), "08-code-review"),
    act: rewrites("helper", "sonnet"),
  },
  {
    name: "a provider that is off falls back",
    setup: providers(
      `${yaml.replace("ollama: { enabled: true", "ollama: { enabled: false")}\nfallback_chain: [anthropic]`,
    ),
    act: rewrites("software-developer", "sonnet"),
  },
  {
    name: "every provider off",
    setup: providers(yaml.replaceAll("enabled: true", "enabled: false")),
    act: (p) => p.task("software-developer"),
    denied: ["switched off"],
  },
  { name: "no providers.yaml", setup: inTests, act: rewrites("software-developer", undefined) },
  {
    name: "a file that is none is a fault",
    setup: providers("providers: 3"),
    act: (p) => p.task("software-developer"),
    fault: /providers\.yaml/,
  },
];

const session = (p: FrameworkProject) => p.hook("SessionStart", { source: "startup" });
const designer = (p: FrameworkProject) => p.task("system-designer");
const brief: Row[] = [
  {
    name: "told with the first delegation",
    setup: inDesign,
    act: designer,
    told: ["phase 04-design (5 of 11)", "GATE-04 needs", "--articles I,IV,V,VII,IX"],
  },
  { name: "told once per phase and session", setup: inDesign, act: several(designer, designer) },
  {
    name: "told again in another session",
    setup: inDesign,
    act: several(designer, (p) => Object.assign(p, { session: "s2" }), designer),
    told: ["GATE-04 needs"],
  },
  { name: "told at the start of a session", setup: inDesign, act: session, told: ["Workflow feature"] },
  {
    name: "tests are announced",
    setup: { ...inTests, plan: true },
    act: (p) => p.task("software-developer"),
    told: ["no test run was seen", "software-developer has not worked"],
  },
  {
    name: "the branch is announced",
    setup: { state: workflowAt("04-design", { git_branch: { name: "feature/x", status: "active" } }) },
    act: designer,
    told: ["Commits belong on feature/x"],
  },
  { name: "another phase's agent is told nothing", setup: inDesign, act: (p) => p.task("qa-engineer") },
  { name: "plain work is told nothing", setup: inDesign, act: worker("look around") },
  { name: "no workflow", setup: { state: { active_workflow: null } }, act: session },
  { name: "no state", act: session },
];

const suites: Record<string, Row[]> = {
  "iteration-corridor": corridor,
  "skill-validator": skillValidator,
  "gate-blocker": gateBlocker,
  "constitution-validator": constitution,
  "model-provider-router": router,
  "phase-brief": brief,
};

enough(suites);
runRows(suites);
