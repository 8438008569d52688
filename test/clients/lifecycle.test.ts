// A feature, a fix and an upgrade played to their end by the real Claude Code, with nothing installed but what
// `interlock lifecycle init` lays down. The model also tries to cheat, and is refused.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { shippedRoles } from "../../src/facts/agent-roles.js";
import { readAddress } from "../../src/hook/server-address.js";
import { callId, type ModelStep, type Script } from "../../src/live/model.js";
import { isObject, type JsonObject } from "../../src/model/json.js";
import { agentsOf, catalogueOf, needsOf } from "../../src/packs/lifecycle/model/catalogue.js";
import { conversation } from "./conversation.js";
import { type Installed, installed } from "./installed.js";
import { bash, call, needsClient, root, workplace } from "./workplace.js";

const slow = { ...needsClient, timeout: 300_000 };
const catalogue = catalogueOf();
const menu = "[A] Adjust  [R] Refine  [C] Continue  [S] Save  [X] Exit\nYour choice:";

interface Row {
  step: ModelStep;
  /** Words of the refusal; without them the call must succeed. */
  refused?: RegExp;
}

function project(t: TestContext): Installed {
  const place = installed(t, "", { door: "http" });
  const bin = place.path("../bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "interlock"), `#!/bin/sh\nexec "${process.execPath}" "${place.script}" "$@"\n`);
  chmodSync(join(bin, "interlock"), 0o755);
  place.put("package.json", '{ "private": true, "type": "module", "scripts": { "test": "node --test" } }\n');
  place.put("src/sum.js", "export const sum = (a, b) => a + b;\n");
  place.put(
    "test/sum.test.js",
    'import assert from "node:assert/strict";\nimport { test } from "node:test";\n' +
      'import { sum } from "../src/sum.js";\ntest("adds", () => assert.equal(sum(1, 2), 3));\n',
  );
  const laid = place.interlock("lifecycle", "init");
  assert.equal(laid.status, 0, laid.stdout + laid.stderr);
  return place;
}

const delegate = (type: string, prompt = "[part] Do your phase."): ModelStep =>
  call("Agent", { subagent_type: type, description: "phase work", prompt, run_in_background: false });
const advance = bash("interlock lifecycle advance");

/** Everything a phase needs, in the order in which the gates ask for it. */
function phaseRows(place: Installed, workflow: string, phase: string, ask: ModelStep): Row[] {
  const needs = needsOf(catalogue, workflow, phase)!;
  const [agent] = agentsOf(catalogue, shippedRoles, phase);
  const rows: Row[] = [];
  if (needs.plan && ["06-implementation", "16-upgrade-plan"].includes(phase)) {
    rows.push({ step: delegate(agent!), refused: /plan-surfacer[^]*docs\/isdlc\/tasks\.md/ });
    rows.push({
      step: call("Write", { file_path: place.path("docs/isdlc/tasks.md"), content: "# Tasks\n- [ ] T1 product\n" }),
    });
  }
  const codes = phase === "06-implementation" || phase === "16-upgrade-execute";
  if (agent) rows.push({ step: delegate(agent, codes ? "[code] Build it." : undefined) });
  if (needs.elicitation) rows.push({ step: ask });
  if (needs.tests)
    rows.push({ step: advance, refused: /no test run|the tests ran before/ }, { step: bash("npm test") });
  const articles = needs.constitution?.articles.join(",");
  const check = articles && `interlock lifecycle validate --articles ${articles}`;
  rows.push({ step: check ? bash(`${check} && interlock lifecycle advance`) : advance });
  return rows;
}

async function play(t: TestContext, workflow: string, how: { ask: ModelStep; typed?: string; cheats?: Row[] }) {
  const place = project(t);
  const start = `interlock lifecycle start ${workflow} --branch "Multiply two numbers"`;
  const phases = catalogue.workflows.get(workflow)!.phases;
  const rows: Row[] = [
    { step: bash(start) },
    ...(how.cheats ?? []),
    ...phases.flatMap((phase) => phaseRows(place, workflow, phase, how.ask)),
    { step: { text: "The work is done." } },
  ];
  const scripts: Script[] = [
    { marker: "main", steps: rows.map((row) => row.step) },
    { marker: "[part]", steps: [{ text: "The phase is done; articles checked." }] },
    {
      marker: "[code]",
      steps: [
        call("Write", {
          file_path: place.path("src/product.js"),
          content: "export const product = (a, b) => a * b;\n",
        }),
        { text: "Built." },
      ],
    },
  ];
  const prompts = ["main: follow the lifecycle", ...(how.typed ? [how.typed] : [])];
  const ports = [readAddress(join(place.home, ".local/state/interlock"))!.port];
  const told = await conversation(place, { scripts, prompts, ports, bin: place.path("../bin"), answer: () => "Save" });
  for (const [n, { step, refused }] of rows.entries()) {
    if (!step.calls) continue;
    const answer = told.find((each) => each.id === callId("main", n));
    const what = JSON.stringify(step.calls[0]!.input).slice(0, 150);
    assert.ok(answer, `${n} ${what}: the model was told nothing`);
    assert.equal(answer.isError, refused !== undefined, `${n} ${what}: ${answer.text}`);
    if (refused) assert.match(answer.text, refused);
  }
  const state = JSON.parse(place.read(".isdlc/state.json")!);
  assert.equal(state.active_workflow, null);
  const [past] = state.workflow_history;
  assert.deepEqual(
    [past.type, past.status, past.git_branch.name],
    [workflow, "completed", `${workflow}/multiply-two-numbers`],
  );
  assert.deepEqual([...new Set(Object.values(past.phase_status))], ["completed"]);
  assert.equal(place.read("src/product.js"), "export const product = (a, b) => a * b;\n");
  const { stdout } = place.interlock("lifecycle", "status");
  assert.match(stdout, /no workflow is active/);
}

const question = call("AskUserQuestion", {
  questions: [
    {
      question: "Are the requirements complete?",
      header: "Menu",
      multiSelect: false,
      options: [
        { label: "Save", description: "keep them and go on" },
        { label: "Refine", description: "ask me more" },
      ],
    },
  ],
});

test("a feature from start to end; its questions are answered in the client's dialog", slow, (t) =>
  play(t, "feature", {
    ask: question,
    cheats: [
      { step: delegate("software-developer"), refused: /phase-sequence-guard/ },
      { step: advance, refused: /quick-scan-agent has not worked/ },
      { step: bash("echo '{}' > .isdlc/state.json"), refused: /state-write-validator/ },
    ],
  }),
);

test("a fix from start to end; the person types save", slow, (t) =>
  play(t, "fix", { ask: { text: `Here are the requirements.\n${menu}` }, typed: "save" }),
);

test("an upgrade from start to end", slow, (t) =>
  play(t, "upgrade", {
    ask: question,
    cheats: [{ step: delegate("qa-engineer", "[part] Review it."), refused: /phase-sequence-guard|plan-surfacer/ }],
  }),
);

test("answers and prompts have the shapes that were recorded", slow, async (t) => {
  const place = workplace(t);
  const log = place.path("log.jsonl");
  const keep = { hooks: [{ type: "command", command: `cat >> '${log}'; echo >> '${log}'`, timeout: 10 }] };
  const events = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"];
  await conversation(place, {
    scripts: [{ marker: "main", steps: [question, { text: "done" }, { text: "saved" }] }],
    prompts: ["main", "save"],
    answer: () => "Save",
    settings: { hooks: Object.fromEntries(events.map((event) => [event, [keep]])) },
  });
  const read = (text: string) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  const sent = read(place.read("log.jsonl") ?? "") as JsonObject[];
  const kept = read(readFileSync(join(root, "test/clients/fixtures/answers-2.1.325.jsonl"), "utf8"));
  const shape = (value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, shape(v)])) : typeof value;
  for (const [name, found] of [
    ["asked", sent.find((p) => p["hook_event_name"] === "PreToolUse")],
    ["save typed", sent.findLast((p) => p["hook_event_name"] === "UserPromptSubmit")],
    ["menu in the last message", sent.find((p) => p["hook_event_name"] === "Stop")],
  ] as const) {
    const { payload } = kept.find((k: { name: string }) => k.name === name);
    assert.deepEqual(Object.keys(found ?? {}).sort(), Object.keys(payload).sort(), name);
  }
  const answered = sent.find((p) => p["hook_event_name"] === "PostToolUse")!;
  const { payload } = kept.find((k: { name: string }) => k.name === "Refine chosen");
  assert.deepEqual(Object.keys(answered).sort(), Object.keys(payload).sort());
  assert.deepEqual(shape(answered["tool_response"]), {
    questions: "object",
    answers: { "Are the requirements complete?": "string" },
  });
});
