// What a real Claude Code does when the server behind an http hook fails in mid-session, with `onFailure: "block"`.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { runClaude } from "../../src/live/claude.js";
import { callId } from "../../src/live/model.js";
import { bash, binary, needsClient, root, toldOf, workplace } from "./workplace.js";

async function hookServer(manner: string, port = 0) {
  const file = join(root, "test/clients/fixtures/http-hook.mjs");
  const child = spawn(process.execPath, [file, String(port), manner], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return { child, port: Number(line) };
}

async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

const faults = ["killed", "stopped", "slow", "garbage", "truncated", "status 500", "closed socket"];
const REFUSAL = "PreToolUse:Bash hook error: test/forbidden: that word is not allowed here";

test("nothing passes while the server behind the hook fails, and it works again afterwards", needsClient, async (t) => {
  const place = workplace(t);
  let server = await hookServer("answers");
  const { port } = server;
  t.after(() => end(server.child));
  // For each fault: the server fails before the first call and is well again before the second.
  const steps = faults.flatMap((_, n) => [`bad-${n}-FORBIDDEN`, `well-${n}`, `well-${n}-FORBIDDEN`]);
  const run = await runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    ports: [port],
    settings: {
      hooks: {
        PreToolUse: [{ hooks: [{ type: "http", url: `http://127.0.0.1:${port}/`, timeout: 1, onFailure: "block" }] }],
      },
    },
    scripts: [{ marker: "main", steps: steps.map((name) => bash(`touch ${name}`)) }],
    async between({ step }) {
      const fault = faults[step / 3];
      if (fault === "stopped") return void server.child.kill("SIGSTOP");
      if (fault || step % 3 === 1) await end(server.child);
      if (fault === "killed" || step >= steps.length) return;
      if (fault || step % 3 === 1) server = await hookServer(fault ?? "answers", port);
    },
  });
  assert.equal(run.exitCode, 0, run.stderr);
  for (const [n, fault] of faults.entries()) {
    assert.match(toldOf(run, callId("main", 3 * n)).text, /blocking because onFailure is "block"/, fault);
    assert.equal(toldOf(run, callId("main", 3 * n + 2)).text, REFUSAL, `after ${fault}`);
    assert.equal(place.read(`bad-${n}-FORBIDDEN`), undefined, fault);
    assert.equal(place.read(`well-${n}`), "", `after ${fault}`);
    assert.equal(place.read(`well-${n}-FORBIDDEN`), undefined, `after ${fault}`);
  }
});
