// Interlock over http on the real Claude Code: refusals hold while the server is killed, suspended, slow, garbled or
// replaced by another program.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { readAddress, serverPid } from "../../src/hook/server-address.js";
import { type ClaudeOptions, type ClaudeRun, runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep } from "../../src/live/model.js";
import { residenceOf } from "../../src/project/protected/own-server.js";
import { aboutServer } from "../../src/server/client.js";
import { portFree } from "../server/port.js";
import { type Installed, installed } from "./installed.js";
import { agent, bash, binary, call, needsClient, notesServer, root, toldOf } from "./workplace.js";

const RULES = `
rules:
  - { id: no-deploy, on: shell, match: deploy, message: deploys are for people, next: ask the user to deploy }
  - { id: no-secrets, on: mcp, match: secret, message: notes are public, next: leave the secret out }
`;

const homeOf = (place: Installed) => join(place.home, ".local/state/interlock");

function play(place: Installed, steps: ModelStep[], more: Partial<ClaudeOptions> = {}): Promise<ClaudeRun> {
  return runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    ports: [readAddress(homeOf(place))!.port],
    scripts: [{ marker: "main", steps }],
    ...more,
  });
}

test("every kind of call over http is refused, recorded and explained", needsClient, async (t) => {
  const place = installed(t, RULES, { door: "http" });
  const main = [
    bash("touch made"),
    bash("touch gone # deploy"),
    call("Write", { file_path: place.path(".claude/settings.json"), content: '{"disableAllHooks":true}' }),
    call("mcp__notes__write_note", { text: "a secret" }),
    bash("mkdir -p inner/.git && cd inner && true"),
    bash("touch ../elsewhere # deploy"),
    agent("work [sub]"),
  ];
  const sub = [bash("touch sub-made"), bash("touch sub-gone # deploy")];
  const run = await play(place, [], {
    mcpServers: notesServer(place),
    scripts: [
      { marker: "main", steps: main },
      { marker: "[sub]", steps: sub },
    ],
  });
  assert.equal(run.exitCode, 0, run.stderr);
  for (const name of ["made", "sub-made"]) assert.equal(place.read(name), "", name);
  for (const name of ["gone", "elsewhere", "sub-gone", ".claude/settings.json", "notes.txt"])
    assert.equal(place.read(name), undefined, name);
  assert.match(toldOf(run, callId("main", 1)).text, /BLOCKED rules\/user \[v-\d+\][^]*deploys are for people/);
  assert.match(toldOf(run, callId("main", 2)).text, /BLOCKED guard\/self-protect/);
  assert.match(toldOf(run, callId("main", 5)).text, /BLOCKED rules\/user/);
  assert.match(toldOf(run, callId("sub", 1)).text, /BLOCKED rules\/user/);
  const seen = JSON.parse(place.interlock("status", "--json").stdout) as { fired: Record<string, unknown> };
  for (const event of ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStop", "Stop"])
    assert.ok(seen.fired[event], event);
});

test(
  "coverage by transcripts: every call has a record; calls made with hooks off are listed",
  needsClient,
  async (t) => {
    const place = installed(t, RULES, { door: "http" });
    const steps = [
      bash("touch one"),
      call("Read", { file_path: place.path("nowhere.txt") }),
      bash("touch two # deploy"),
      call("NoSuchTool", {}),
    ];
    const sub = [bash("touch sub"), call("mcp__notes__write_note", { text: "hello" })];
    const scripts = [
      { marker: "main", steps: [...steps, agent("work [sub]")] },
      { marker: "[sub]", steps: sub },
    ];
    const governed = await play(place, [], { scripts, mcpServers: notesServer(place) });
    assert.equal(governed.exitCode, 0, governed.stderr);
    const verified = place.interlock("verify");
    assert.match(verified.stdout, /(\d+) of \1 calls governed, by 2 of/);
    assert.equal(verified.status, 0, verified.stdout);

    const off = { ...scripts[0]!, marker: "free", steps: [bash("touch three"), agent("work [free-sub]")] };
    await play(place, [], {
      scripts: [off, { marker: "[free-sub]", steps: sub }],
      settings: { disableAllHooks: true },
      mcpServers: notesServer(place),
    });
    const { coverage } = JSON.parse(place.interlock("status", "--json").stdout) as {
      coverage: { missing: { tool: string; agent?: string }[] };
    };
    assert.deepEqual(
      coverage.missing.map((each) => each.tool).sort(),
      ["Agent", "Bash", "Bash", "mcp__notes__write_note"].sort(),
    );
    assert.equal(coverage.missing.filter((each) => each.agent).length, 2);
  },
);

async function stranger(manner: string, port: number): Promise<ChildProcess> {
  const file = join(root, "test/clients/fixtures/http-hook.mjs");
  const child = spawn(process.execPath, [file, String(port), manner], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout!, "data");
  child.stdout!.destroy();
  return child;
}

/** Everything of ours: the server, its worker, and the keeper that would start it again. */
async function killAll(place: Installed): Promise<void> {
  for (const { pid } of residenceOf(homeOf(place)).processes.reverse()) process.kill(pid, "SIGKILL");
  while (serverPid(homeOf(place)) !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  await portFree(readAddress(homeOf(place))!.port);
}

const workerOf = async (place: Installed): Promise<number> => {
  const about = await aboutServer(readAddress(homeOf(place))!.socket);
  return (about!["worker"] as { pid: number }).pid;
};

// While the supervisor lives nobody has to do anything, and the refusal in between is our own.
const workerFaults: Record<string, NodeJS.Signals> = { killed: "SIGKILL", stopped: "SIGSTOP" };
for (const [fault, signal] of Object.entries(workerFaults))
  test(
    `the worker is ${fault} in mid-session: every call is judged as if nothing had happened`,
    needsClient,
    async (t) => {
      const place = installed(t, RULES, { door: "http" });
      const run = await play(
        place,
        ["one", "two # deploy", "three", "four # deploy"].map((words) => bash(`touch ${words}`)),
        {
          async between({ step }) {
            if (step === 1 || (step === 2 && fault === "killed")) process.kill(await workerOf(place), signal);
          },
        },
      );
      assert.equal(run.exitCode, 0, run.stderr);
      assert.deepEqual(
        ["one", "two", "three", "four"].map((name) => place.read(name)),
        ["", undefined, "", undefined],
      );
      for (const step of [1, 3]) assert.match(toldOf(run, callId("main", step)).text, /BLOCKED rules\/user/);
    },
  );

test(
  "the supervisor is killed in mid-session: the socket holder starts the next, no call passes in between",
  needsClient,
  async (t) => {
    const place = installed(t, RULES, { door: "http" });
    const run = await play(
      place,
      ["one", "two # deploy", "three", "four # deploy"].map((words) => bash(`touch ${words}`)),
      {
        async between({ step }) {
          if (step === 1 || step === 3) process.kill(serverPid(homeOf(place))!, "SIGKILL");
        },
      },
    );
    assert.equal(run.exitCode, 0, run.stderr);
    for (const name of ["two", "four"]) assert.equal(place.read(name), undefined, name);
    assert.equal(place.read("one"), "");
    assert.equal(place.read("three"), "", "it works again without anybody's doing");
  },
);

test(
  "another program takes the dead server's port and answers `{}`: the next prompt is refused",
  needsClient,
  async (t) => {
    const place = installed(t, RULES, { door: "http" });
    const { port } = readAddress(homeOf(place))!;
    await killAll(place);
    const other = await stranger("agreeable", port);
    t.after(() => other.kill("SIGKILL"));
    const run = await play(place, [bash("touch one # deploy")]);
    assert.equal(place.read("one"), undefined);
    assert.equal(
      run.requests.some((request) => JSON.stringify(request).includes("main")),
      false,
      "the model is not asked",
    );
    assert.match(JSON.stringify(run), /BLOCKED interlock\/port[^]*in the place of Interlock's server/);
  },
);

// Without the supervisor and its socket holder the client itself refuses, until `interlock up` or the next prompt.
const serverFaults = ["killed", "stopped", "slow", "garbage", "closed socket"];
for (const fault of serverFaults)
  test(
    `the whole server is ${fault}: no call passes, and it works again after interlock up`,
    needsClient,
    async (t) => {
      const place = installed(t, RULES, { door: "http" });
      const { port, token } = readAddress(homeOf(place))!;
      if (fault === "stopped" || fault === "slow") shorten(place);
      let other: ChildProcess | undefined;
      t.after(() => other?.kill("SIGKILL"));
      const run = await play(
        place,
        ["one", "two # deploy", "three # deploy", "four", "five # deploy"].map((words) => bash(`touch ${words}`)),
        {
          async between({ step }) {
            if (step === 2) {
              if (fault === "stopped") process.kill(serverPid(homeOf(place))!, "SIGSTOP");
              else await killAll(place);
              if (fault !== "stopped" && fault !== "killed") other = await stranger(fault, port);
            }
            if (step !== 3) return;
            other?.kill("SIGKILL");
            if (other) await once(other, "exit");
            if (fault === "stopped") place.interlock("down");
            assert.equal(place.interlock("up").status, 0);
          },
        },
      );
      assert.equal(run.exitCode, 0, run.stderr);
      assert.deepEqual(
        ["one", "two", "three", "four", "five"].map((name) => place.read(name)),
        ["", undefined, undefined, "", undefined],
      );
      const told = toldOf(run, callId("main", 2)).text;
      assert.match(told, /ask-the-user-to-run:interlock-up[^]*blocking because onFailure is "block"/);
      assert.equal(told.includes(token), false);
      assert.match(toldOf(run, callId("main", 4)).text, /BLOCKED rules\/user/);
      const { coverage } = JSON.parse(place.interlock("status", "--json").stdout) as {
        coverage: { missing: object[] };
      };
      assert.deepEqual(coverage.missing, [], "what the client refused for us is no gap");
    },
  );

/** So that a call to a server that never answers does not take half a minute; long enough for a busy machine. */
function shorten(place: Installed): void {
  const file = ".claude/settings.local.json";
  place.put(file, place.read(file)!.replaceAll('"timeout": 30', '"timeout": 8'));
}

test("a session starts the server if it is gone", needsClient, async (t) => {
  const place = installed(t, RULES, { door: "http" });
  place.interlock("down");
  const run = await play(place, [bash("touch one"), bash("touch two # deploy")], { isolate: false, ports: [] });
  assert.equal(run.exitCode, 0, run.stderr);
  assert.equal(place.read("one"), "");
  assert.equal(place.read("two"), undefined);
  assert.match(toldOf(run, callId("main", 1)).text, /BLOCKED rules\/user/);
});

test("with command hooks, the session starts the server too", needsClient, async (t) => {
  const place = installed(t, RULES);
  place.interlock("up");
  place.interlock("down");
  place.beforeRemoval(() => place.interlock("down"));
  const run = await play(place, [bash("sleep 1"), bash("touch one"), bash("touch two # deploy")], {
    isolate: false,
    ports: [],
  });
  assert.equal(run.exitCode, 0, run.stderr);
  assert.equal(place.read("one"), "");
  assert.match(toldOf(run, callId("main", 2)).text, /BLOCKED rules\/user/);
  assert.notEqual(serverPid(homeOf(place)), undefined);
});

test("doctor --live proves an http installation on a server of its own", needsClient, async (t) => {
  const place = installed(t, RULES, { door: "http" });
  const proved = place.interlock("doctor", "--live", "--full");
  assert.equal(proved.status, 0, proved.stdout + proved.stderr);
  assert.match(proved.stdout, /ok {3}live +a sub-agent's write that switches hooks off is refused/);
  assert.match(proved.stdout, /PreToolUse \(http\)/);
});
