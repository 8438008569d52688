// Every answer our encoder can give, judged by the only authority: the real client that reads it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, encode } from "../../src/hosts/claude-code/protocol/encode.js";
import { registeredEvents } from "../../src/hosts/claude-code/protocol/events.js";
import { type ClaudeRun, runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep } from "../../src/live/model.js";
import { agent, bash, binary, needsClient, toldOf, type Workplace, workplace } from "./workplace.js";

const REASON = 'test/gate: "quoted" reason, ümlaut\nwhy: it must be told word for word\nnext: do the other thing';
const pass: Answer = { outcome: "pass", context: [], messages: [] };
const deny: Answer = { ...pass, outcome: "deny", text: REASON };

/** The answer to the first hook run of its event; later runs of the same event pass. */
function hooksAnswering(place: Workplace, answers: Record<string, Answer>) {
  return Object.fromEntries(
    Object.entries(answers).map(([event, answer]) => {
      const file = place.put(`.answers/${event}.json`, encode(answer, event));
      const command = `cat >/dev/null; cat '${file}' 2>/dev/null || printf '{}'; rm -f '${file}'`;
      return [event, [{ hooks: [{ type: "command", command, timeout: 10, onFailure: "block" }] }]];
    }),
  );
}

interface Row {
  event: string;
  answer: Answer;
  steps?: ModelStep[];
  sees(run: ClaudeRun, place: Workplace): void;
}

const contextOf = (run: ClaudeRun) => run.context.join("\n");

const rows: Record<string, Row> = {
  "a refused call": {
    event: "PreToolUse",
    answer: deny,
    steps: [bash("touch made")],
    sees(run, place) {
      assert.equal(toldOf(run, callId("main", 0)).text, `PreToolUse:Bash hook error: ${REASON}`);
      assert.equal(place.read("made"), undefined);
    },
  },
  "a question, with nobody to ask": {
    event: "PreToolUse",
    answer: { ...deny, outcome: "ask" },
    steps: [bash("touch made")],
    sees(run, place) {
      assert.equal(toldOf(run, callId("main", 0)).text, REASON);
      assert.equal(place.read("made"), undefined);
    },
  },
  "a call that passes with context for the agent and a message for the person": {
    event: "PreToolUse",
    answer: { ...pass, context: ["look at the plan first"], messages: ["the plan is old"] },
    steps: [bash("touch made")],
    sees(run, place) {
      assert.equal(place.read("made"), "");
      assert.match(contextOf(run), /PreToolUse:Bash hook additional context: look at the plan first/);
      assert.ok(run.notices.some((notice) => notice.text.includes("the plan is old")));
      assert.doesNotMatch(contextOf(run), /the plan is old/);
    },
  },
  "a rewritten call": {
    event: "PreToolUse",
    answer: { ...pass, rewrite: { gate: "test/gate", why: "", input: { command: "touch other", description: "x" } } },
    steps: [bash("touch made")],
    sees(_run, place) {
      assert.equal(place.read("made"), undefined);
      assert.equal(place.read("other"), "");
    },
  },
  "feedback on a call that ran": {
    event: "PostToolUse",
    answer: deny,
    steps: [bash("touch made")],
    sees(run, place) {
      assert.equal(place.read("made"), "");
      assert.ok(contextOf(run).includes(REASON));
    },
  },
  "feedback on a call that failed": {
    event: "PostToolUseFailure",
    answer: deny,
    steps: [bash("exit 3")],
    sees: (run) => assert.ok(contextOf(run).includes(REASON)),
  },
  "a refused prompt": {
    event: "UserPromptSubmit",
    answer: deny,
    steps: [bash("touch made")],
    sees(run) {
      assert.equal(run.requests.length, 0);
      assert.ok(run.result?.includes(REASON));
    },
  },
  "context with the prompt": {
    event: "UserPromptSubmit",
    answer: { ...pass, context: ["phase: red"] },
    sees: (run) => assert.match(contextOf(run), /phase: red/),
  },
  "context at the start of the session": {
    event: "SessionStart",
    answer: { ...pass, context: ["two runs are open"] },
    sees: (run) => assert.match(contextOf(run), /two runs are open/),
  },
  "a refused end of the turn": {
    event: "Stop",
    answer: deny,
    steps: [{ text: "I stop" }, { text: "I went on" }],
    sees(run) {
      assert.equal(run.requests.length, 2);
      assert.ok(JSON.stringify(run.requests[1]!.messages).includes(JSON.stringify(REASON).slice(1, -1)));
      assert.equal(run.result, "I went on");
    },
  },
  "context for a sub-agent": {
    event: "SubagentStart",
    answer: { ...pass, context: ["stay in src/"] },
    steps: [agent("[sub] work")],
    sees(run) {
      const sub = run.requests.find((request) => request.marker === "[sub]");
      assert.match(JSON.stringify(sub!.messages), /stay in src/);
    },
  },
  "a refused end of a sub-agent": {
    event: "SubagentStop",
    answer: deny,
    steps: [agent("[sub] work")],
    sees(run) {
      const sub = run.requests.filter((request) => request.marker === "[sub]");
      assert.equal(sub.length, 2);
      assert.ok(JSON.stringify(sub[1]!.messages).includes(JSON.stringify(REASON).slice(1, -1)));
    },
  },
};

for (const [name, row] of Object.entries(rows)) {
  test(`the client understands ${name} (${row.event})`, needsClient, async (t) => {
    const place = workplace(t);
    const run = await play(place, { [row.event]: row.answer }, row.steps ?? []);
    row.sees(run, place);
  });
}

test("an empty answer on every registered event changes nothing", needsClient, async (t) => {
  const place = workplace(t);
  const answers = Object.fromEntries(registeredEvents.map((event) => [event, pass]));
  const run = await play(place, answers, [
    bash("touch made"),
    bash("exit 3"),
    agent("[sub] work"),
    { text: "all done" },
  ]);
  assert.equal(run.result, "all done");
  assert.equal(place.read("made"), "");
  assert.match(toldOf(run, callId("main", 1)).text, /Exit code 3/);
  const fired = new Set(run.hooks.map((hook) => hook.event));
  for (const event of [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SubagentStart",
    "SubagentStop",
  ])
    assert.ok(fired.has(event), `${event} did not fire`);
});

async function play(place: Workplace, answers: Record<string, Answer>, steps: ModelStep[]) {
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    settings: { hooks: hooksAnswering(place, answers) },
    scripts: [
      { marker: "main", steps },
      { marker: "[sub]", steps: [{ text: "part done" }, { text: "part done again" }] },
    ],
  });
  assert.equal(run.exitCode, 0, run.stderr);
  assert.deepEqual(
    run.hooks.filter((hook) => hook.outcome !== "success"),
    [],
  );
  assert.deepEqual(
    run.notices.filter((notice) => notice.tag === "hook_no_verdict"),
    [],
  );
  return run;
}
