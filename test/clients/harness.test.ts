// The harness itself: what a real Claude Code does with the answers of small `sh` hooks, and that we see it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep, type Script } from "../../src/live/model.js";
import { until } from "../server/server.js";
import { agent, bash, binary, call, needsClient, notesServer, toldOf, type Workplace, workplace } from "./workplace.js";

const hook = (event: string, command: string, more = {}) => ({
  [event]: [{ hooks: [{ type: "command", command, timeout: 10, ...more }] }],
});

const REASON = "test/forbidden: that word is not allowed here";
const deny = JSON.stringify({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: REASON },
});
const denyForbidden = `case "$(cat)" in *FORBIDDEN*) printf '%s' '${deny}' ;; esac`;

/** Every kind of call twice, once with the word the hook refuses; the same again inside a sub-agent. */
function everyCall(place: Workplace): Script[] {
  const kinds = (who: string): ModelStep[] => [
    bash(`touch ${who}-bash-ok`),
    bash(`touch ${who}-bash-FORBIDDEN`),
    call("Write", { file_path: place.path(`${who}-write-ok`), content: "one\n" }),
    call("Write", { file_path: place.path(`${who}-write-FORBIDDEN`), content: "one\n" }),
    call("Edit", { file_path: place.path(`${who}-write-ok`), old_string: "one", new_string: "two" }),
    call("Edit", { file_path: place.path(`${who}-write-ok`), old_string: "two", new_string: "FORBIDDEN" }),
    call("mcp__notes__write_note", { text: `${who} ok` }),
    call("mcp__notes__write_note", { text: `${who} FORBIDDEN` }),
    call("mcp__notes__read_notes", {}),
  ];
  return [
    {
      marker: "main",
      steps: [...kinds("main"), agent("[FORBIDDEN sub] work"), agent("[sub] work"), { text: "all done" }],
    },
    { marker: "[sub]", steps: [...kinds("sub"), { text: "part done" }] },
    { marker: "[FORBIDDEN sub]", steps: [bash("touch refused-agent-ran"), { text: "part done" }] },
  ];
}

for (const mode of ["default", "bypassPermissions"] as const) {
  test(`${mode} mode: refused calls have no effect and the model is told why, others run`, needsClient, async (t) => {
    const place = workplace(t);
    const run = await runClaude({
      binary,
      ...place,
      mode,
      scripts: everyCall(place),
      settings: { hooks: hook("PreToolUse", denyForbidden) },
      mcpServers: notesServer(place),
      allow: ["Bash", "Write", "Edit", "Agent", "mcp__notes__write_note", "mcp__notes__read_notes"],
    });
    assert.equal(run.exitCode, 0, run.stderr);
    assert.equal(run.result, "all done");
    for (const who of ["main", "sub"]) {
      for (const step of [1, 3, 5, 7]) {
        const told = toldOf(run, callId(who, step));
        assert.equal(told.text, `PreToolUse:${told.tool} hook error: ${REASON}`);
        assert.ok(told.isError);
        assert.ok(run.denials.some((denial) => denial.id === told.id && denial.tool === told.tool));
      }
      for (const step of [0, 2, 4, 6, 8]) assert.ok(!toldOf(run, callId(who, step)).isError);
      assert.equal(place.read(`${who}-bash-ok`), "");
      assert.equal(place.read(`${who}-bash-FORBIDDEN`), undefined);
      assert.equal(place.read(`${who}-write-FORBIDDEN`), undefined);
      assert.equal(place.read(`${who}-write-ok`), "two\n");
    }
    assert.equal(place.read("notes.txt"), "main ok\nsub ok\n");
    assert.match(toldOf(run, callId("sub", 8)).text, /main ok\nsub ok/);
    assert.equal(toldOf(run, callId("main", 9)).text, `PreToolUse:Agent hook error: ${REASON}`);
    assert.equal(place.read("refused-agent-ran"), undefined);
    assert.match(toldOf(run, callId("main", 10)).text, /part done/);
    assert.equal(run.hooks.filter((each) => each.event === "PreToolUse").length, 20);
    assert.deepEqual(run.notices, []);
  });
}

// What the hook does, and whether 2.1.325 lets the call through: with no care, and with `onFailure: "block"`.
const faults = {
  "exits 127": { does: "exit 127", seen: true, blocked: true },
  "is killed": { does: "kill -9 $$", seen: true, blocked: true },
  "is too slow": { does: "exec sleep 30", seen: true, blocked: true },
  "answers bad JSON": { does: "echo '{bad}'", seen: true, blocked: true },
  "answers a wrong decision": { does: `echo '${deny.replace("deny", "block")}'`, seen: true, blocked: true },
  "answers text before the JSON": { does: `echo 'note: ${deny}'`, seen: false, blocked: false },
  "answers half a JSON object": { does: `echo '${deny.slice(0, 60)}'`, seen: false, blocked: false },
};

for (const onFailure of ["open", "block"] as const) {
  test(`a failing hook is reported (${onFailure})`, needsClient, async (t) => {
    const place = workplace(t);
    const cases = Object.entries(faults).map(([name, fault], n) => ({ name, ...fault, n }));
    const arms = cases.map(({ does, n }) => `*"fault-${n}."*) ${does} ;;`).join(" ");
    const more = onFailure === "block" ? { onFailure: "block", timeout: 1 } : { timeout: 1 };
    const run = await runClaude({
      binary,
      ...place,
      mode: "bypassPermissions",
      scripts: [{ marker: "main", steps: cases.map(({ n }) => bash(`touch fault-${n}.`)) }],
      settings: { hooks: hook("PreToolUse", `case "$(cat)" in ${arms} esac`, more) },
    });
    assert.equal(run.exitCode, 0, run.stderr);
    for (const { name, n, blocked } of cases) {
      const refused = onFailure === "block" && blocked;
      assert.equal(place.read(`fault-${n}.`), refused ? undefined : "", name);
      if (refused) assert.match(toldOf(run, callId("main", n)).text, /blocking because onFailure is "block"/, name);
    }
    const failed = run.hooks.filter((each) => each.outcome !== "success").length;
    assert.equal(failed, cases.filter((each) => each.seen).length);
    // The notice comes once per hook and session, however often the hook fails: count failures by the hook's outcome.
    const notices = run.notices.filter((notice) => notice.tag === "hook_no_verdict");
    assert.equal(notices.length, onFailure === "open" ? 1 : 0);
  });
}

test("context from hooks reaches the model, also without a namespace", needsClient, async (t) => {
  const place = workplace(t);
  const context = JSON.stringify({
    hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "remember the milk" },
  });
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    isolate: false,
    scripts: [{ marker: "main", steps: [bash("echo hi")] }],
    settings: { hooks: hook("PostToolUse", `cat >/dev/null; printf '%s' '${context}'`) },
  });
  assert.equal(run.isolation.kind, "none");
  assert.ok(run.context.some((text) => text.includes("PostToolUse:Bash hook additional context: remember the milk")));
});

// Why Interlock answers ConfigChange: settings are read again about a second after they changed, in mid-session.
for (const guarded of [false, true]) {
  test(
    `disableAllHooks in mid-session ${guarded ? "is kept out by a ConfigChange refusal" : "switches hooks off"}`,
    needsClient,
    async (t) => {
      const place = workplace(t);
      const refuse = JSON.stringify({ decision: "block", reason: "hooks stay on" });
      const hooks = {
        ...hook("PreToolUse", denyForbidden),
        ...(guarded ? hook("ConfigChange", `cat > config-change.json; printf '%s' '${refuse}'`) : {}),
      };
      place.put(".claude/settings.json", JSON.stringify({ hooks }));
      const run = await runClaude({
        binary,
        ...place,
        mode: "bypassPermissions",
        scripts: [
          {
            marker: "main",
            steps: [bash("touch before-FORBIDDEN"), { afterMs: 3000, ...bash("touch after-FORBIDDEN") }],
          },
        ],
        between({ step }) {
          if (step === 1) place.put(".claude/settings.local.json", '{"disableAllHooks":true}');
        },
      });
      assert.equal(run.exitCode, 0, run.stderr);
      assert.equal(place.read("before-FORBIDDEN"), undefined);
      assert.equal(place.read("after-FORBIDDEN"), guarded ? undefined : "");
      if (guarded) assert.equal(JSON.parse(place.read("config-change.json")!).source, "local_settings");
    },
  );
}

test("the client sees none of this environment, and only loopback if namespaces exist", needsClient, async (t) => {
  const place = workplace(t);
  process.env.SECRET_OF_THE_USER = "do-not-pass";
  t.after(() => delete process.env.SECRET_OF_THE_USER);
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [{ marker: "main", steps: [bash("env > seen-env; cat /proc/net/dev > seen-net")] }],
    settings: { hooks: hook("PreToolUse", "cat >/dev/null; env > hook-env") },
  });
  assert.equal(run.exitCode, 0, run.stderr);
  for (const file of ["seen-env", "hook-env"]) {
    assert.doesNotMatch(place.read(file)!, /do-not-pass/);
    assert.match(place.read(file)!, new RegExp(`^HOME=${place.home}$`, "m"));
  }
  if (run.isolation.kind === "none") return t.diagnostic(run.isolation.why);
  const devices = place
    .read("seen-net")!
    .split("\n")
    .slice(2)
    .filter(Boolean)
    .map((line) => line.split(":")[0]!.trim());
  assert.ok(devices.includes("lo"));
  assert.doesNotMatch(devices.join(" "), /\b(eth|en|wl)/);
});

test("a run that takes too long is ended with all its processes", needsClient, async (t) => {
  const place = workplace(t);
  const steps = [bash("setsid sleep 300 >/dev/null 2>&1 & echo $! > left"), { text: "late", afterMs: 600_000 }];
  const runFor = (timeoutMs: number) =>
    runClaude({ binary, ...place, mode: "bypassPermissions", timeoutMs, scripts: [{ marker: "main", steps }] });
  let run = await runFor(3_000);
  // A busy machine: the time was over before the command ran.
  for (let ms = 6_000; !place.read("left") && ms < 400_000; ms *= 2) run = await runFor(ms);
  assert.ok(run.timedOut);
  assert.equal(run.result, undefined);
  assert.ok(run.leftovers.length >= 1);
  if (process.platform !== "linux") return;
  const left = Number(place.read("left"));
  assert.ok(run.leftovers.includes(left));
  await until(() => !running(left));
});

function running(pid: number) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false; // no such process any more
  }
}

test("a client that cannot start is reported, not thrown", async (t) => {
  const place = workplace(t);
  const run = await runClaude({
    binary: place.path("no-such-client"),
    ...place,
    scripts: [{ marker: "main", steps: [] }],
  });
  assert.notEqual(run.exitCode, 0);
  assert.match(run.stderr, /no-such-client/);
});
