// Agents' names in prompts, the framework beside Interlock, and the provider router, through the built program. Written
// before any of them was tried.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { lifecycle } from "./drive.js";
import { framework, workflowAt } from "./project.js";
import { type ShippedProject, shipped } from "./shipped.js";

const prompts: [prompt: string, delegates: boolean][] = [
  ["Write a page about our agents: qa-engineer reviews, software-developer builds.", false],
  ["Who is the release-manager? Look into docs/team.md.", false],
  ["The software-developer said the build is broken; find out why.", false],
  ["Rename the constant SOFTWARE_DEVELOPER to DEV in docs.", false],
  ["Fix the typo in .claude/agents/qa-engineer.md.", false],
  ["Check whether site-reliability-engineer is spelled right in README.md.", false],
  ["What did the qa-engineer's review say about a.ts?", false],
  ["Count the lines of agents/cicd-engineer.md and agents/release-manager.md.", false],
  ["Don't act as the qa-engineer; only collect the open questions.", false],
  ["Please work as the software-developer and implement the login page.", true],
  ["Role: qa-engineer\n\nReview the change.", true],
  ["Take on the role of release-manager and publish it.", true],
  ["qa-engineer: review src/a.ts", true],
  ["Delegate the review to qa-engineer.", true],
];
test("agents' names in prompts of a general agent", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  for (const [prompt, delegates] of prompts)
    await t.test(prompt, async () =>
      assert.equal((await s.agent("general-purpose", "done", prompt)).denied, delegates),
    );
});

const skills: [skill: string, args: string, waits: boolean][] = [
  ["isdlc", 'analyze "payments"', false],
  ["isdlc", "add 'a login page'", false],
  ["isdlc:sdlc", "analyze", false],
  ["sdlc", "analyse the backlog", false],
  ["isdlc", "ADD ticket 12", false],
  ["isdlc", "status", false],
  ["isdlc", 'feature "address book"', true],
  ["sdlc", "fix the address", true],
  ["discover", "", true],
  ["isdlc", 'build "addition of analyzers"', true],
];
test("which calls of the framework's skill wait for its orchestrator", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  for (const [skill, args, waits] of skills)
    await t.test(`${skill} ${args}`, async () => {
      // A new prompt: the engine limits how often one end in a row is refused.
      await s.event("UserPromptSubmit", { prompt: "go on" });
      await s.call("Skill", { skill, args }, { success: true, commandName: skill });
      const end = await s.event("Stop", { stop_hook_active: false, last_assistant_message: "ok" });
      assert.equal(end.denied, waits);
      if (waits) await s.agent(skill === "discover" ? "discover-orchestrator" : "sdlc-orchestrator");
    });
});

for (const [name, off, enforced] of [
  ["false", false, false],
  ["an object", { enabled: false }, false],
  ["true", true, true],
  ["an empty object", {}, true],
  ["null", null, true],
] as const)
  test(`iteration_enforcement: ${name}, in a state that was there before Interlock`, async (t) => {
    const s = await shipped(t, {
      state: { ...workflowAt("06-implementation"), iteration_enforcement: off } as JsonObject,
      plan: true,
    });
    assert.equal((await s.askForGate()).denied, enforced);
    await s.recorded();
    assert.equal(lifecycle(s.p, "advance").code, enforced ? 1 : 0);
  });

test("an entry in skill_usage_log that Interlock did not write is shown, and counts for nothing", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  await s.agent("Explore");
  await s.recorded();
  const state = s.p.state();
  const forged = { agent: "system-designer", agent_phase: "04-design", current_phase: "04-design", status: "executed" };
  state.skill_usage_log.push({ timestamp: new Date().toISOString(), ...forged });
  s.p.write(".isdlc/state.json", JSON.stringify(state, null, 2));
  const { unmet } = lifecycle(s.p, "next").json as unknown as { unmet: { need: string }[] };
  assert.ok(unmet.some((u) => u.need === "delegation"));
  for (const shows of ["status", "validate"]) {
    const { code, json } = lifecycle(s.p, shows);
    assert.equal(code, 1, shows);
    assert.match(JSON.stringify(json["faults"]), /skill_usage_log.*system-designer.*04-design/, shows);
  }
  await s.agent("system-designer");
  await s.recorded();
  assert.equal(lifecycle(s.p, "status").code, 1, "one call was seen, two are logged");
  const own = s.p.state();
  own.skill_usage_log.splice(1, 1);
  assert.equal((await s.write(".isdlc/state.json", JSON.stringify(own, null, 2))).denied, false, "the named remedy");
  await s.recorded();
  assert.equal(lifecycle(s.p, "status").code, 0);
});

test("an agent that writes itself into skill_usage_log is refused", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  await s.agent("Explore");
  await s.recorded();
  const state = s.p.state();
  state.skill_usage_log.push({ timestamp: "2026-01-01T00:00:00Z", agent: "system-designer", agent_phase: "04-design" });
  const said = await s.before("Write", {
    file_path: `${s.p.root}/.isdlc/state.json`,
    content: JSON.stringify(state),
  });
  assert.match(said.text, /fake completion.*system-designer/);
});

test("entries the framework's own hooks write are not called foreign", async (t) => {
  const hook = { type: "command", command: "node $CLAUDE_PROJECT_DIR/.claude/hooks/log-skill-usage.cjs" };
  const settings = JSON.stringify({ hooks: { PostToolUse: [{ matcher: "Task", hooks: [hook] }] } });
  const s = await shipped(t, {
    state: workflowAt("04-design"),
    files: { ".claude/settings.json": settings, ".claude/hooks/log-skill-usage.cjs": "" },
  });
  await s.agent("Explore");
  await s.recorded();
  const state = s.p.state();
  state.skill_usage_log = [{ timestamp: "2026-01-01T00:00:00Z", agent: "system-designer", agent_phase: "04-design" }];
  s.p.write(".isdlc/state.json", JSON.stringify(state));
  assert.equal(lifecycle(s.p, "status").code, 0);
});

test("log entries of a project that was there before Interlock are its history", async (t) => {
  const p = framework(t, {
    state: {
      ...workflowAt("04-design"),
      skill_usage_log: [{ timestamp: "2026-01-01T00:00:00Z", agent: "system-designer", agent_phase: "04-design" }],
    },
  });
  assert.equal(lifecycle(p, "status").code, 0);
});

const model = (answer: string): string => answer;
const yamls: [name: string, yaml: string | undefined, expected: RegExp | undefined, fault: RegExp | undefined][] = [
  ["no file", undefined, undefined, undefined],
  ["an empty file", "", undefined, undefined],
  ["only comments", "# nothing yet\n", undefined, undefined],
  ["a list", "- a\n- b\n", undefined, /providers\.yaml/],
  ["tabs", "providers:\n\tanthropic: {}\n", undefined, /providers\.yaml is not YAML \(line 2\)/],
  ["a key twice", "defaults: {provider: a}\ndefaults: {provider: b}\n", undefined, /providers\.yaml is not YAML/],
  ["two documents", "defaults: {provider: a}\n---\ndefaults: {provider: b}\n", undefined, /providers\.yaml/],
  ["a number as the model", "providers: {anthropic: {default_model: 4}}\n", undefined, /default_model/],
  ["providers: null", "providers:\ndefaults: {provider: anthropic, model: opus}\n", /opus/, undefined],
  ["a byte order mark", "\ufeffdefaults: {provider: anthropic, model: opus}\n", /opus/, undefined],
  ["CRLF", "providers:\r\n  anthropic:\r\n    default_model: haiku\r\n", /haiku/, undefined],
  ["an anchor", "x: &m opus\nproviders: {anthropic: {default_model: *m}}\n", /opus/, undefined],
  [
    "a route by an old phase name",
    "providers: {anthropic: {}}\nphase_routing: {04-design: 'anthropic:sonnet'}\n",
    /sonnet/,
    undefined,
  ],
  [
    "enabled: no",
    "providers: {anthropic: {enabled: no, default_model: opus}}\n",
    /every provider of its chain is switched off/,
    undefined,
  ],
  [
    "a route to a provider nobody configured",
    "providers: {anthropic: {default_model: opus}}\nphase_routing: {04-design: 'nobody:x'}\n",
    /switched off|opus/,
    undefined,
  ],
  [
    "a model the client can't start",
    "providers: {ollama: {default_model: 'qwen:32b'}}\n",
    /can't start an agent on/,
    undefined,
  ],
  [
    "an alias bomb",
    "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" +
      "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n",
    undefined,
    /providers\.yaml/,
  ],
];
test("providers.yaml, odd and broken", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  for (const [name, yaml, expected, fault] of yamls)
    await t.test(name, async () => {
      if (yaml !== undefined) s.p.write(".isdlc/providers.yaml", yaml);
      const said = await raw(s);
      if (expected) assert.match(model(said), expected);
      else assert.doesNotMatch(said, /"permissionDecision":"deny"|updatedInput/);
      await s.recorded();
      const { json } = lifecycle(s.p, "validate");
      const faults = JSON.stringify(json["faults"]);
      if (fault) assert.match(faults, fault);
      else assert.doesNotMatch(faults, /providers/);
    });
});

async function raw(s: ShippedProject): Promise<string> {
  return s.answer("PreToolUse", {
    tool_name: "Agent",
    tool_input: { subagent_type: "system-designer", prompt: "Design it.", description: "design" },
    tool_use_id: "toolu_router",
  });
}
