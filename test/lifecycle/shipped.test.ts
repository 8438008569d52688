// What was found wrong in the pack, one named row each, through the built program and payloads of the real client.
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { manifestText } from "../../src/facts/agent-roles.js";
import type { JsonObject } from "../../src/model/json.js";
import { lifecycleHere } from "./calls.js";
import { lifecycle } from "./drive.js";
import { framework, workflowAt } from "./project.js";
import { type ShippedProject, shipped } from "./shipped.js";

const articles06 = "I,II,III,V,VI,VII,VIII,IX,X";
const inCode = (more: JsonObject = {}) => ({ state: { ...workflowAt("06-implementation"), ...more }, plan: true });
const command = async (s: ShippedProject, ...args: string[]) => {
  await s.recorded();
  return lifecycleHere(s.p, ...args);
};
/** The same in the built program. */
const lifecycleAfter = async (s: ShippedProject, ...args: string[]) => {
  await s.recorded();
  return lifecycle(s.p, ...args);
};
const unmet = async (s: ShippedProject): Promise<string[]> =>
  ((await command(s, "next")) as { unmet: { need: string }[] }).unmet.map((u) => u.need);
const next = async (s: ShippedProject): Promise<string> => String((await command(s, "next"))["next"]);
const check = (s: ShippedProject) => command(s, "validate", "--articles", articles06);
const work = async (s: ShippedProject) => {
  await s.agent("software-developer");
  await s.write("src/a.ts", "export const a = 1;\n");
};

test("a phase done in order passes its gate", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.tests("npm test");
  assert.equal((await check(s))["moved"], true);
  assert.deepEqual(await unmet(s), []);
  assert.equal((await s.askForGate()).denied, false);
});

test("next steps come in the order of the work: plan, agent, questions, tests, constitution", async (t) => {
  const s = await shipped(t, { state: workflowAt("06-implementation") });
  assert.deepEqual(await unmet(s), ["plan", "delegation", "tests", "constitution"]);
  assert.match(
    (await s.askForGate()).text,
    /next: \(1\) write the task plan .* \(2\) delegate .* \(3\) run the tests \(4\) check/,
  );
  await s.write("docs/isdlc/tasks.md", "# Tasks\n");
  assert.match(await next(s), /delegate 06-implementation to software-developer/);
  await s.agent("software-developer");
  assert.match(await next(s), /run the tests/);
  await s.tests("npm test");
  assert.match(await next(s), /validate --articles/);
  const q = await shipped(t, { state: workflowAt("01-requirements") });
  assert.deepEqual(await unmet(q), ["delegation", "elicitation", "constitution"]);
});

test("tests run before the work do not pass the gate", async (t) => {
  const s = await shipped(t, inCode());
  await s.tests("npm test");
  await work(s);
  assert.deepEqual(await unmet(s), ["tests", "constitution"]);
  assert.match(await next(s), /run the tests again/);
});

test("tests run by the phase's agent while it works count", async (t) => {
  const s = await shipped(t, inCode());
  const input = { subagent_type: "software-developer", prompt: "go", description: "code", run_in_background: false };
  await s.before("Agent", input);
  await s.write("src/a.ts", "export const a = 1;\n");
  await s.tests("npm test");
  await s.event("PostToolUse", {
    tool_name: "Agent",
    tool_input: input,
    tool_response: { status: "completed", content: [{ type: "text", text: "done" }] },
    tool_use_id: "toolu_1",
  });
  assert.deepEqual(await unmet(s), ["constitution"]);
});

test("a check made before the work does not pass the gate, and a part of it is not enough afterwards", async (t) => {
  const s = await shipped(t, inCode());
  await check(s);
  await work(s);
  await s.tests("npm test");
  assert.deepEqual(await unmet(s), ["constitution"]);
  assert.equal((await command(s, "validate", "--articles", "I"))["moved"], true);
  assert.deepEqual(await unmet(s), ["constitution"], "the other articles were checked before the work");
  await check(s);
  assert.deepEqual(await unmet(s), []);
});

const edits: [name: string, edit: (s: ShippedProject) => Promise<unknown>][] = [
  ["Write", (s) => s.write("src/a.ts", "export const a = 2;\n")],
  [
    "Edit",
    async (s) => {
      const file_path = `${s.p.root}/src/a.ts`;
      await s.call(
        "Edit",
        { file_path, old_string: "1", new_string: "2" },
        { filePath: file_path, structuredPatch: [] },
      );
    },
  ],
  ["sed -i", (s) => s.tests("sed -i s/1/2/ src/a.ts", "")],
  ["a redirection", (s) => s.tests("echo 'export const a = 2;' > src/a.ts", "")],
  ["git stash pop", (s) => s.tests("git stash pop", "")],
  ["deleting it", (s) => s.tests("rm src/a.ts", "")],
  ["a workflow of the CI", (s) => s.write(".github/workflows/ci.yml", `on: push # ${Math.random()}\n`)],
  ["a hidden setting", (s) => s.write(".eslintrc.json", `{"n": ${Math.random()}}\n`)],
  ["source in a folder named build", (s) => s.write("src/build/plan.ts", "export const b = 2;\n")],
  [
    "a writing tool of an MCP server",
    async (s) => {
      const path = `${s.p.root}/src/a.ts`;
      await s.call("mcp__filesystem__write_file", { path, content: "x" }, { content: [{ type: "text", text: "ok" }] });
    },
  ],
];
test("code changed after tests and check does not pass the gate", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  for (const [name, edit] of edits) {
    s.p.write("src/a.ts", "export const a = 1;\n");
    await s.tests("npm test");
    await check(s);
    assert.equal((await s.askForGate()).denied, false, name);
    await edit(s);
    assert.match((await s.askForGate()).text, /GATE-06 is closed: .* was changed after the tests passed/, name);
  }
  assert.deepEqual(await unmet(s), ["tests", "constitution"]);
  assert.equal((await lifecycleAfter(s, "advance")).code, 1);
});

const harmless: [name: string, act: (s: ShippedProject) => Promise<unknown>][] = [
  ["a document", (s) => s.write("docs/notes.md", "# Notes\n")],
  ["the task plan", (s) => s.write("docs/isdlc/tasks.md", "- [x] T1\n")],
  ["a commit", (s) => s.tests("git add -A && git commit -qm done", "")],
  ["a report of the tests", (s) => s.tests("npm test > report.log", "Tests:       5 passed, 5 total\n")],
  ["looking", (s) => s.tests("git diff HEAD", "")],
  ["a cache", (s) => s.write(".pytest_cache/v", "x\n")],
  ["the output of a build", (s) => s.write("packages/a/dist/a.js", "x\n")],
  ["settings of one machine", (s) => s.write(".env.local", "A=1\n")],
];
test("what is no work leaves the gate open", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.tests("npm test");
  await check(s);
  for (const [name, act] of harmless) {
    await act(s);
    assert.equal((await s.askForGate()).denied, false, name);
  }
});

test("an edit and the tests in one command: what came last decides", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.tests("sed -i s/1/2/ src/a.ts && npm test");
  assert.deepEqual(await unmet(s), ["constitution"]);
  await s.tests("npm test && sed -i s/2/3/ src/a.ts");
  assert.deepEqual(await unmet(s), ["tests", "constitution"]);
});

test("in a phase of documents, what is written after the check is checked again", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  await s.agent("system-designer");
  await command(s, "validate", "--articles", "I,IV,V,VII,IX");
  assert.deepEqual(await unmet(s), []);
  await s.write("docs/design/login.md", "# Login\n");
  assert.deepEqual(await unmet(s), ["constitution"]);
});

const configured = (max: number, identical = 3) => ({
  iteration_config: {
    configured_at: "2026-02-08T20:00:00Z",
    testing_max: max,
    circuit_breaker_threshold: identical,
  },
});
const stateWith = (s: ShippedProject, more: JsonObject) => JSON.stringify({ ...s.p.state(), ...more }, null, 2);

test("limits in the state file: an agent may not raise or remove them; an unseen change does not count", async (t) => {
  const s = await shipped(t, inCode(configured(4, 3)));
  await s.before("Read", { file_path: `${s.p.root}/README.md` });
  await s.agent("software-developer");
  for (const more of [configured(50), configured(4, 9), { iteration_config: null }])
    assert.match((await s.write(".isdlc/state.json", stateWith(s, more as JsonObject))).text, /limits loosened/);
  assert.equal((await s.write(".isdlc/state.json", stateWith(s, configured(3, 2)))).denied, false, "lower is fine");
  s.p.write(".isdlc/state.json", stateWith(s, configured(99, 99)));
  await s.fails("npm test", 1);
  assert.match((await s.fails("npm test", 1)).text, /escalated \(circuit_breaker/);
});

test("limits an agent sets where the user set none only make it stricter", async (t) => {
  const s = await shipped(t, inCode());
  await s.agent("software-developer");
  assert.match((await s.write(".isdlc/state.json", stateWith(s, configured(50, 9)))).text, /limits loosened/);
  assert.equal((await s.write(".isdlc/state.json", stateWith(s, configured(9, 2)))).denied, false);
  await s.fails("npm test", 1);
  assert.match((await s.fails("npm test", 1)).text, /escalated/);
});

test("limits an agent writes do not raise those of a phase with fewer attempts", async (t) => {
  const s = await shipped(t, { state: workflowAt("10-cicd"), plan: true });
  await s.agent("cicd-engineer");
  assert.equal((await s.write(".isdlc/state.json", stateWith(s, configured(10)))).denied, false);
  let last = "";
  for (let i = 0; i < 5; i++) last = (await s.fails("npm test", 10 ** i)).text;
  assert.match(last, /escalated \(max_iterations; attempt 5/);
});

test("the state file of another project of the repository begins at the first phase, enforced", async (t) => {
  const monorepo = { projects: { web: { path: "apps/web" }, api: { path: "apps/api" } }, default_project: "api" };
  const s = await shipped(t, { files: { ".isdlc/monorepo.json": JSON.stringify(monorepo) } });
  const web = ".isdlc/projects/web/state.json";
  assert.match((await s.write(web, JSON.stringify(workflowAt("08-code-review")))).text, /halfway entry/);
  const off = { ...workflowAt("00-quick-scan"), iteration_enforcement: false };
  assert.match((await s.write(web, JSON.stringify(off))).text, /enforcement off/);
  assert.equal((await s.write(web, JSON.stringify(workflowAt("00-quick-scan")))).denied, false);
  const fixture = JSON.stringify(workflowAt("08-code-review"));
  assert.equal((await s.write("test/fixtures/.isdlc/state.json", fixture)).denied, false, "a fixture is no project");
});

const claims: [name: string, claim: JsonObject][] = [
  ["test_iteration", { test_iteration: { completed: true, status: "success", current_iteration: 2 } }],
  ["escalation_approved", { test_iteration: { status: "escalated", current_iteration: 2, escalation_approved: true } }],
];
test("tests and answers written into the state file are refused, and shown where they came in unseen", async (t) => {
  const s = await shipped(t, inCode());
  await s.agent("software-developer");
  await s.recorded();
  const good = s.p.read(".isdlc/state.json");
  for (const [name, claim] of claims) {
    const state = JSON.parse(good);
    state.phases["06-implementation"].iteration_requirements = claim;
    assert.match((await s.write(".isdlc/state.json", JSON.stringify(state))).text, new RegExp(`fake .*${name}`), name);
    s.p.write(".isdlc/state.json", JSON.stringify(state));
    for (const shows of ["status", "validate"])
      assert.match(JSON.stringify((await lifecycleAfter(s, shows)).json["faults"]), new RegExp(name), name);
    s.p.write(".isdlc/state.json", good);
    assert.equal((await lifecycleAfter(s, "status")).code, 0);
  }
  const q = await shipped(t, { state: workflowAt("01-requirements") });
  await q.agent("requirements-analyst");
  const state = q.p.state();
  const menus = { completed: true, menu_interactions: 3, selections: [{ selection: "save" }], final_selection: "save" };
  state.phases["01-requirements"].iteration_requirements = { interactive_elicitation: menus };
  assert.match((await q.write(".isdlc/state.json", JSON.stringify(state))).text, /user was not seen to finish it/);
});

test("a result written down after it was seen passes", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.tests("npm test");
  await s.recorded();
  const state = s.p.state();
  const at = state.phases["06-implementation"].iteration_requirements.test_iteration;
  Object.assign(at, { completed: true, status: "success", coverage: 91 });
  assert.equal((await s.write(".isdlc/state.json", JSON.stringify(state))).denied, false);
});

test("one refusal names every step of a call that is refused for several reasons", async (t) => {
  const s = await shipped(t, { state: workflowAt("06-implementation", {}, {}) });
  const start = (type: string) => s.before("Agent", { subagent_type: type, prompt: "do it", description: "work" });
  const begin = /next: \(1\) mark 06-implementation in progress .* \(2\) write the task plan to docs\/isdlc\/tasks.md/;
  assert.match((await start("software-developer")).text, begin);
  const early = (await start("qa-engineer")).text;
  assert.match(early, begin);
  assert.match(early, /\(3\) delegate 06.* \(4\) run the tests \(5\) check .* \(6\) .*lifecycle advance; before 08-/);
  await s.call("TaskUpdate", { taskId: "1", status: "in_progress" }, { success: true });
  await s.write("docs/isdlc/tasks.md", "# Tasks\n");
  assert.equal((await start("software-developer")).denied, false, "what was named is enough");
  const state = s.p.state();
  Object.assign(state.active_workflow, { current_phase: "08-code-review", current_phase_index: 10 });
  const jump = (await s.write(".isdlc/state.json", JSON.stringify({ ...state, iteration_enforcement: false }))).text;
  assert.match(jump, /enforcement off.*skipped phase/);
  assert.match(jump, /next: \(1\) leave iteration_enforcement.*\(2\) delegate.* \(5\) go on with 11-local-testing/);
});

test("a failing run is named with its command, at the gate and by the command line", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.fails("npm test -- login");
  const again = /\(1\) fix the failure and run the same tests again: npm test -- login \(2\) check/;
  assert.match((await s.askForGate()).text, again);
  assert.match(String((await lifecycleAfter(s, "advance")).json["next"]), again);
  assert.match(String((await lifecycleAfter(s, "next")).json["next"]), /again: npm test -- login$/);
});

test("start says three steps in every workflow", async (t) => {
  for (const type of ["feature", "fix", "upgrade", "test-run", "reverse-engineer"]) {
    const s = framework(t);
    assert.equal((lifecycle(s, "start", type).json["steps"] as string[]).length, 3, type);
  }
});

test("after an escalation of the tests, redo, cancel and further checks are a person's", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  for (let i = 0; i < 3; i++) await s.fails();
  const before = s.p.read(".isdlc/state.json");
  for (const args of [["redo"], ["redo", "--to", "04-design"], ["cancel"]]) {
    const { code, json } = await lifecycleAfter(s, ...args, "--reason", "fresh start");
    assert.equal(code, 1, args.join(" "));
    assert.match(String(json["why"]), /escalated \(circuit_breaker\).*a person's decision/);
    assert.match(String(json["next"]), /tell the user/);
  }
  assert.match(String((await check(s))["why"]), /a person's decision/);
  assert.equal(s.p.read(".isdlc/state.json"), before);
  assert.equal((await lifecycleAfter(s, "advance")).code, 1);
});

test("after an escalation of the check, a further check is a person's", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.tests("npm test");
  for (let i = 0; i < 5; i++) await command(s, "validate", "--articles", "I", "--violation", "still");
  assert.match(String((await check(s))["why"]), /constitutional check of 06-implementation is escalated/);
  assert.deepEqual(await unmet(s), ["constitution"]);
});

test("redo by an agent gives no attempts back", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  await s.fails("npm test", 1);
  await s.fails("npm test", 1);
  assert.equal((await lifecycleAfter(s, "redo", "--reason", "again")).code, 0);
  assert.match((await s.fails("npm test", 1)).text, /escalated \(circuit_breaker; attempt 3/);
});

test("an approval written in the state file approves nothing", async (t) => {
  const s = await shipped(t, {
    ...inCode(),
    files: { "../interlock/interlock.yaml": "packs: { lifecycle: { attest: written } }\n" },
  });
  await work(s);
  await s.tests("npm test");
  for (let i = 0; i < 5; i++) await command(s, "validate", "--articles", "I", "--violation", "still");
  const state = s.p.state();
  Object.assign(state.phases["06-implementation"].constitutional_validation, {
    completed: true,
    status: "compliant",
    escalation_approved: true,
  });
  await s.write(".isdlc/state.json", JSON.stringify(state));
  assert.deepEqual(await unmet(s), ["constitution"]);
});

test("the folder of the tables can't be removed while a workflow runs", async (t) => {
  const s = await shipped(t, { ...inCode(), manifest: false });
  s.p.write(".isdlc/config/skills-manifest.json", manifestText());
  await s.agent("software-developer");
  for (const command of ["mv .isdlc/config away", "git mv .isdlc/config away"])
    assert.match((await s.before("Bash", { command, description: "tidy" })).text, /a workflow is running/, command);
});

test("no test run is no pass, whatever the reporter", async (t) => {
  const s = await shipped(t, inCode());
  await work(s);
  const nothing: [string, string][] = [
    ["npx jest --passWithNoTests", "No tests found, exiting with code 0\n"],
    ["npx vitest run --passWithNoTests", "No test files found, exiting with code 0\n"],
    ["go test ./...", "?   \texample.com/a\t[no test files]\n"],
    ["go test -run Nothing ./...", "ok  \texample.com/a\t0.002s [no tests to run]\n"],
    ["cargo test nothing", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n"],
    ["node --test", "# tests 0\n# pass 0\n# fail 0\n"],
    ["npx mocha", "\n  0 passing (1ms)\n"],
    ["bundle exec rspec", "No examples found.\n\n0 examples, 0 failures\n"],
    ["npx jest -t nothing", "Tests:       12 skipped, 12 total\n"],
    ["dotnet test", "No test is available in /p/bin/a.dll.\n"],
    ["npx playwright test", "Error: No tests found\n"],
    ["deno test", "ok | 0 passed | 0 failed (0ms)\n"],
    ["bun test nothing", "No tests found!\n"],
    ["mvn test", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"],
    ["gradle test", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n"],
    ["swift test", "Executed 0 tests, with 0 failures (0 unexpected) in 0.000 (0.000) seconds\n"],
    ["phpunit", "No tests executed!\n"],
    ["python -m unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"],
  ];
  for (const [command, out] of nothing) assert.match((await s.tests(command, out)).text, /proves nothing/, command);
  assert.deepEqual(await unmet(s), ["tests", "constitution"]);
});

test("status and validate see a foreign change at once", async (t) => {
  const s = await shipped(t);
  lifecycle(s.p, "start", "feature");
  s.p.write(".isdlc/state.json", s.p.read(".isdlc/state.json").replaceAll("00-quick-scan", "06-implementation"));
  for (const command of ["status", "validate"]) {
    const { code, json } = lifecycle(s.p, command);
    assert.equal(code, 1);
    assert.match(JSON.stringify(json["faults"]), /nobody was seen to make/);
  }
});

test("a state file that is gone is a fault, and doing the repair it names mends it", async (t) => {
  const s = await shipped(t);
  lifecycle(s.p, "start", "feature");
  rmSync(`${s.p.root}/.isdlc/state.json`);
  for (const shows of ["status", "validate"]) {
    const { code, json } = lifecycle(s.p, shows);
    assert.equal(code, 1);
    assert.match(JSON.stringify(json["faults"]), /is missing while the feature workflow.*lifecycle redo/);
  }
  assert.equal(lifecycle(s.p, "redo", "--reason", "the file was lost").code, 0);
  assert.equal(lifecycle(s.p, "status").code, 0);
  assert.equal(s.p.state().active_workflow.current_phase, "00-quick-scan");
});

test("validate names a providers.yaml that can't be used, without quoting it", async (t) => {
  const s = await shipped(t, { files: { ".isdlc/providers.yaml": "providers: [\n  key: sk-SECRET: }" } });
  const { code, json } = lifecycle(s.p, "validate");
  assert.equal(code, 1);
  assert.match(JSON.stringify(json["faults"]), /providers.yaml is not YAML/);
  assert.doesNotMatch(JSON.stringify(json), /SECRET/);
});

test("iteration_enforcement: false means it, and switching it off later is refused", async (t) => {
  const s = await shipped(t, {
    state: { ...workflowAt("06-implementation"), iteration_enforcement: false },
    plan: true,
  });
  await s.agent("Explore", "looked");
  assert.deepEqual(await unmet(s), []);
  assert.equal((await s.askForGate()).denied, false);
  const other = await shipped(t, inCode());
  await other.agent("software-developer");
  const off = stateWith(other, { iteration_enforcement: false });
  assert.match((await other.write(".isdlc/state.json", off)).text, /enforcement off/);
});

test("analyze and add need no orchestrator; other verbs do", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  const skill = (args: string) => s.call("Skill", { skill: "isdlc", args }, { success: true, commandName: "isdlc" });
  const stop = () => s.event("Stop", { stop_hook_active: false, last_assistant_message: "ok", background_tasks: [] });
  for (const args of ['analyze "a login"', "--light analyze x", "add #12"]) {
    await skill(args);
    assert.equal((await stop()).denied, false, args);
  }
  await skill('build "a login"');
  assert.match((await stop()).text, /start sdlc-orchestrator with the Agent tool/);
});

test("an agent's name mentioned in a general prompt is no delegation", async (t) => {
  const s = await shipped(t, { state: workflowAt("04-design") });
  for (const prompt of [
    "Read the notes the qa-engineer left and list open points.",
    "Summarise what software-developer did yesterday.",
    "Compare our roles: solution-architect, system-designer and qa-engineer.",
  ])
    assert.equal((await s.agent("general-purpose", "done", prompt)).denied, false, prompt);
  for (const prompt of ["You are the qa-engineer. Review it.", "Act as software-developer and build it."])
    assert.equal((await s.agent("general-purpose", "done", prompt)).denied, true, prompt);
});

test("finished phases and history are written as finished", async (t) => {
  const s = await shipped(t);
  lifecycle(s.p, "start", "test-run");
  await s.write("docs/isdlc/tasks.md", "# Tasks\n");
  await s.agent("environment-builder");
  await command(s, "validate", "--articles", "VIII,IX");
  assert.equal((await lifecycleAfter(s, "advance")).code, 0);
  await s.agent("integration-tester");
  await s.tests("npm test");
  await command(s, "validate", "--articles", "II,VII,IX,XI");
  assert.equal((await lifecycleAfter(s, "advance")).code, 0);
  const state = s.p.state();
  assert.equal(state.active_workflow, null);
  for (const phase of ["11-local-testing", "07-testing"]) {
    assert.equal(state.phases[phase].status, "completed");
    assert.match(state.phases[phase].completed_at, /^\d{4}-/);
  }
  const [past] = state.workflow_history;
  assert.deepEqual(past.phase_status, { "11-local-testing": "completed", "07-testing": "completed" });
  assert.equal(past.status, "completed");
  assert.match(past.completed_at, /^\d{4}-/);
});
