// Our answers, our entries and our judgement of settings files, each held against the real client.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { applyInstall, planInstall } from "../../src/hosts/claude-code/install/install.js";
import { type Answer, encode } from "../../src/hosts/claude-code/protocol/encode.js";
import { hostEvent, hostEvents } from "../../src/hosts/claude-code/protocol/events.js";
import { readSettings } from "../../src/hosts/claude-code/settings/settings.js";
import { runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep } from "../../src/live/model.js";
import { agent, bash, binary, call, needsClient, toldOf, type Workplace, workplace } from "./workplace.js";

const base: Answer = { outcome: "pass", context: [], messages: [] };
/** A hook replaces the client's making of work trees, so it is not for a bystander. */
const events = hostEvents.filter((event) => !event.startsWith("Worktree"));

/** Registers every event with a hook that answers from a file of its name. */
function answering(place: Workplace, answers: Record<string, Answer>) {
  for (const [event, answer] of Object.entries(answers)) place.put(`answers/${event}`, encode(answer, event));
  const command = (event: string) => `cat > /dev/null; cat '${place.path(`answers/${event}`)}' 2> /dev/null; exit 0`;
  return Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: "command", command: command(event), timeout: 10 }] }]]),
  );
}

const work: ModelStep[] = [
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

test("context and messages are accepted on every event that fires", needsClient, async (t) => {
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

  const fired = new Set(run.hooks.map((hook) => hook.event));
  for (const event of ["PostToolUseFailure", "PostToolBatch", "SubagentStart", "SubagentStop", "Stop"])
    assert.ok(fired.has(event), event);
  const told = run.requests.map((request) => JSON.stringify(request.messages)).join();
  for (const event of fired) {
    if (hostEvent(event).context) assert.ok(told.includes(`ctx-${event}.`), `the context of ${event} was not told`);
  }
});

test("a PermissionRequest is answered with the refusal", needsClient, async (t) => {
  const place = workplace(t);
  const refused = await runClaude({
    binary,
    ...place,
    mode: "default",
    scripts: [{ marker: "main", steps: [bash("touch ran"), { text: "done" }] }],
    settings: { hooks: answering(place, { PermissionRequest: { ...base, outcome: "deny", text: "why-request" } }) },
  });
  assert.match(toldOf(refused, callId("main", 0)).text, /why-request/);
  assert.equal(place.read("ran"), undefined);
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

test("the client ignores exactly the files we report as ignored", needsClient, async (t) => {
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
