// Our answers, our reading of payloads, our entries and our judgement of settings files, each held against the real client.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/engine/json.js";
import { decode } from "../../src/hosts/claude-code/decode.js";
import { type Answer, encode } from "../../src/hosts/claude-code/encode.js";
import { hostEvent, hostEvents } from "../../src/hosts/claude-code/events.js";
import { applyInstall, planInstall } from "../../src/hosts/claude-code/install.js";
import { parsePayload } from "../../src/hosts/claude-code/payload.js";
import { readSettings } from "../../src/hosts/claude-code/settings.js";
import { runClaude } from "../../src/live/claude.js";
import { callId, type Step } from "../../src/live/model.js";
import { agent, bash, binary, call, needsClient, toldOf, type Workplace, workplace } from "./workplace.js";

const base: Answer = { outcome: "pass", context: [], messages: [] };
/** A hook replaces the client's making of work trees, so it is not for a bystander. */
const events = hostEvents.filter((event) => !event.startsWith("Worktree"));

/** Registers every event with a hook that keeps the payload and answers from a file of its name; `once` answers are used up. */
function answering(place: Workplace, answers: Record<string, Answer>, once: string[] = []) {
  for (const [event, answer] of Object.entries(answers)) place.put(`answers/${event}`, encode(answer, event));
  place.put("seen/.keep", "");
  const hook = (event: string) => {
    const file = place.path(`answers/${event}`);
    const use = once.includes(event) ? `mv '${file}' '${file}.used' && cat '${file}.used'` : `cat '${file}'`;
    const seen = place.path(`seen/${event}`);
    return `cat > '${seen}'.$$; [ -f '${file}' ] && ${use}; exit 0`;
  };
  return Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: "command", command: hook(event), timeout: 10 }] }]]),
  );
}

function seen(place: Workplace): { event: string; payload: JsonObject }[] {
  return readdirSync(place.path("seen"))
    .filter((name) => name !== ".keep")
    .map((name) => {
      const parsed = parsePayload(readFileSync(place.path(`seen/${name}`)));
      assert.ok(parsed.ok, name);
      return { event: name.split(".")[0]!, payload: parsed.payload };
    });
}

const work: Step[] = [
  bash("echo hi"),
  bash("exit 3"),
  call("Write", { file_path: "w.txt", content: "one\n" }),
  agent("[sub] work"),
  { text: "all done" },
];
const scripts = [
  { marker: "main", steps: work },
  { marker: "[sub]", steps: [bash("echo sub"), { text: "part done" }] },
];

test(
  "context and messages are accepted on every event that fires, and every payload is understood",
  needsClient,
  async (t) => {
    const place = workplace(t);
    const answers = Object.fromEntries(
      events.map((event): [string, Answer] => [
        event,
        { ...base, context: [`ctx-${event}.`], messages: [`msg-${event}.`] },
      ]),
    );
    // Context at the end of a turn makes another turn; that is shown below.
    delete answers.Stop;
    delete answers.SubagentStop;
    place.put("CLAUDE.md", "be brief\n");
    const run = await runClaude({
      binary,
      ...place,
      mode: "bypassPermissions",
      scripts,
      settings: { hooks: answering(place, answers) },
    });
    assert.equal(run.result, "all done", run.stderr);
    assert.deepEqual(
      run.hooks.filter((hook) => hook.outcome !== "success"),
      [],
    );
    assert.deepEqual(
      run.notices.filter((notice) => notice.tag === "hook_no_verdict"),
      [],
    );

    const payloads = seen(place);
    const fired = new Set(payloads.map(({ event }) => event));
    for (const event of [
      "PreToolUse",
      "PostToolUse",
      "PostToolUseFailure",
      "PostToolBatch",
      "UserPromptSubmit",
      "SessionStart",
    ])
      assert.ok(fired.has(event), event);
    for (const event of ["SubagentStart", "SubagentStop", "Stop", "SessionEnd", "InstructionsLoaded"])
      assert.ok(fired.has(event), event);
    const told = run.requests.map((request) => JSON.stringify(request.messages)).join();
    for (const event of fired) {
      if (!answers[event] || !hostEvent(event).context || event === "Notification") continue;
      assert.ok(told.includes(`ctx-${event}.`), `the model was not told the context of ${event}`);
    }

    for (const { event, payload } of payloads) {
      const decoded = decode(payload, {}, []);
      assert.equal(decoded.hostEvent, event);
      assert.ok(decoded.session && decoded.cwd && decoded.transcript, event);
      if (event.startsWith("PreTool") || event.startsWith("PostToolUse"))
        assert.ok(decoded.tool && decoded.tool.kind !== "unknown");
    }
    const failure = payloads.find(({ event }) => event === "PostToolUseFailure")!;
    assert.equal(decode(failure.payload, {}, []).outcome?.exitCode, 3);
    const inSub = payloads.filter(({ event, payload }) => event === "PreToolUse" && payload.agent_id !== undefined);
    assert.equal(inSub.length, 1);
  },
);

test("refusals on the events beside tool calls do what the table says", needsClient, async (t) => {
  const place = workplace(t);
  const deny = (text: string): Answer => ({ ...base, outcome: "deny", text });
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [
      { marker: "main", steps: [bash("echo hi"), agent("[sub] work"), { text: "too early" }, { text: "all done" }] },
      { marker: "[sub]", steps: [{ text: "sub too early" }, { text: "part done" }] },
    ],
    settings: {
      hooks: answering(
        place,
        {
          PostToolUse: deny("why-post"),
          Stop: deny("why-stop"),
          SubagentStop: deny("why-sub"),
          SessionStart: deny("why-start"),
          SubagentStart: deny("why-substart"),
        },
        ["PostToolUse", "Stop", "SubagentStop"],
      ),
    },
  });
  assert.equal(run.result, "all done", run.stderr);
  assert.deepEqual(
    run.hooks.filter((hook) => hook.outcome !== "success" && hook.outcome !== ""),
    [],
  );
  const told = run.requests.map((request) => JSON.stringify(request.messages)).join();
  for (const reason of ["why-post", "why-stop", "why-sub", "why-start", "why-substart"])
    assert.ok(told.includes(reason), reason);
  assert.equal(toldOf(run, callId("main", 0)).text, "hi");
});

test("a refused prompt never reaches the model", needsClient, async (t) => {
  const place = workplace(t);
  const run = await runClaude({
    binary,
    ...place,
    scripts: [{ marker: "main", steps: [{ text: "should not be said" }] }],
    settings: { hooks: answering(place, { UserPromptSubmit: { ...base, outcome: "deny", text: "why-prompt" } }) },
  });
  assert.match(run.result ?? "", /why-prompt/);
  assert.equal(run.requests.length, 0);
});

test("a question is put as one, a rewrite is taken, a permission request is refused", needsClient, async (t) => {
  const ask = workplace(t);
  const asked = await runClaude({
    binary,
    ...ask,
    mode: "bypassPermissions",
    scripts: [{ marker: "main", steps: [bash("touch ran"), { text: "done" }] }],
    settings: { hooks: answering(ask, { PreToolUse: { ...base, outcome: "ask", text: "why-ask" } }) },
  });
  assert.match(toldOf(asked, callId("main", 0)).text, /why-ask/);
  assert.equal(ask.read("ran"), undefined);

  const change = workplace(t);
  const input = { command: "touch rewritten", description: "x" };
  const changed = await runClaude({
    binary,
    ...change,
    mode: "bypassPermissions",
    scripts: [{ marker: "main", steps: [bash("touch ran"), { text: "done" }] }],
    settings: { hooks: answering(change, { PreToolUse: { ...base, rewrite: { gate: "g", input, why: "w" } } }) },
  });
  assert.equal(changed.result, "done");
  assert.deepEqual([change.read("ran"), change.read("rewritten")], [undefined, ""]);

  const request = workplace(t);
  const refused = await runClaude({
    binary,
    ...request,
    mode: "default",
    scripts: [{ marker: "main", steps: [bash("touch ran"), { text: "done" }] }],
    settings: { hooks: answering(request, { PermissionRequest: { ...base, outcome: "deny", text: "why-request" } }) },
  });
  assert.match(toldOf(refused, callId("main", 0)).text, /why-request/);
  assert.equal(request.read("ran"), undefined);
});

for (const clientVersion of ["2.1.325", undefined]) {
  test(
    `what init writes is run by the client (${clientVersion ?? "unknown version"}), from a path with spaces`,
    needsClient,
    async (t) => {
      const place = workplace(t);
      const refusal = encode({ ...base, outcome: "deny", text: "why-installed" }, "PreToolUse");
      const script = place.put(
        "my tools/it's/interlock.cjs",
        `require("fs").appendFileSync(${JSON.stringify(place.path("argv"))}, process.argv.slice(2).join(" ") + "\\n");
       if (process.argv.includes("PreToolUse")) process.stdout.write(${JSON.stringify(refusal)});`,
      );
      chmodSync(script, 0o755);
      const plan = planInstall({
        scope: "project",
        projectRoot: place.project,
        userHome: place.home,
        command: { node: process.execPath, script },
        events: ["PreToolUse", "Stop"],
        timeoutSeconds: 10,
        clientVersion,
        home: join(place.home, "state dir"),
      });
      applyInstall(plan, join(place.home, "state dir"));
      const run = await runClaude({
        binary,
        ...place,
        mode: "bypassPermissions",
        scripts: [{ marker: "main", steps: [bash("touch ran"), { text: "done" }] }],
      });
      assert.match(toldOf(run, callId("main", 0)).text, /why-installed/);
      assert.equal(existsSync(place.path("ran")), false);
      const state = join(place.home, "state dir");
      assert.equal(
        place.read("argv"),
        `hook claude-code --event PreToolUse --home ${state}\nhook claude-code --event Stop --home ${state}\n`,
      );
    },
  );
}

// Whether a `permissions.deny` rule in the same file still holds tells whether the client read the file at all.
const files: Record<string, (deny: object) => string> = {
  "nothing wrong": (deny) => JSON.stringify(deny),
  "a byte order mark": (deny) => `\ufeff${JSON.stringify(deny)}`,
  "a comment": (deny) => `// mine\n${JSON.stringify(deny)}`,
  "a trailing comma": (deny) => `${JSON.stringify(deny).slice(0, -1)},}`,
  "an unknown type under PreToolUse": (deny) =>
    JSON.stringify({ ...deny, hooks: { PreToolUse: [{ hooks: [{ type: "bogus" }] }] } }),
  "an unknown type under Stop": (deny) =>
    JSON.stringify({ ...deny, hooks: { Stop: [{ hooks: [{ type: "bogus" }] }] } }),
  "timeout 0 under PermissionRequest": (deny) =>
    JSON.stringify({
      ...deny,
      hooks: { PermissionRequest: [{ hooks: [{ type: "command", command: "x", timeout: 0 }] }] },
    }),
  "disableAllHooks as text": (deny) => JSON.stringify({ ...deny, disableAllHooks: "true" }),
  "an unknown key and event": (deny) => JSON.stringify({ ...deny, bogus: 1, hooks: { Bogus: [{}] } }),
};

test("the files we say the client ignores are the files it ignores", needsClient, async (t) => {
  for (const [name, write] of Object.entries(files))
    await t.test(name, async (t) => {
      const place = workplace(t);
      const text = write({ permissions: { deny: ["Bash"] } });
      place.put(".claude/settings.json", text);
      await runClaude({
        binary,
        ...place,
        mode: "bypassPermissions",
        scripts: [{ marker: "main", steps: [bash("touch ran"), { text: "done" }] }],
      });
      const ignored = readSettings(text).problems.some((problem) => problem.effect === "file");
      assert.equal(place.read("ran") !== undefined, ignored);
    });
});
