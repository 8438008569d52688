// What a real Claude Code does when the server behind an http hook fails in the middle of a session, with `onFailure: "block"`.
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

for (const fault of faults) {
  test(
    `the server behind the hook is bad (${fault}): nothing passes, and it works again afterwards`,
    needsClient,
    async (t) => {
      const place = workplace(t);
      let server = await hookServer("answers");
      const { port } = server;
      t.after(() => end(server.child));
      const run = await runClaude({
        binary,
        ...place,
        mode: "bypassPermissions",
        ports: [port],
        settings: {
          hooks: {
            PreToolUse: [
              { hooks: [{ type: "http", url: `http://127.0.0.1:${port}/`, timeout: 1, onFailure: "block" }] },
            ],
          },
        },
        scripts: [
          {
            marker: "main",
            steps: ["before", "before-FORBIDDEN", "meanwhile-FORBIDDEN", "after", "after-FORBIDDEN"].map((name) =>
              bash(`touch ${name}`),
            ),
          },
        ],
        async between({ step }) {
          if (step === 2 && fault === "stopped") server.child.kill("SIGSTOP");
          else if (step === 2) await end(server.child);
          if (step === 2 && fault !== "killed" && fault !== "stopped") server = await hookServer(fault, port);
          if (step !== 3) return;
          await end(server.child);
          server = await hookServer("answers", port);
        },
      });
      assert.equal(run.exitCode, 0, run.stderr);
      assert.equal(place.read("before"), "");
      assert.equal(place.read("after"), "");
      for (const name of ["before", "meanwhile", "after"])
        assert.equal(place.read(`${name}-FORBIDDEN`), undefined, name);
      assert.match(toldOf(run, callId("main", 2)).text, /blocking because onFailure is "block"/);
      for (const step of [1, 4])
        assert.equal(
          toldOf(run, callId("main", step)).text,
          "PreToolUse:Bash hook error: test/forbidden: that word is not allowed here",
        );
    },
  );
}
