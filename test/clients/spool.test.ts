// Shim and command hook on the real Claude Code, both asking the server through its spool: refusals hold, also while
// the server is suspended.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { readAddress, serverPid } from "../../src/hook/server-address.js";
import { runClaude } from "../../src/live/claude.js";
import { callId } from "../../src/live/model.js";
import { aboutServer } from "../../src/server/client.js";
import { until } from "../server/server.js";
import { spooling } from "../server/spooled.js";
import { type Installed, installed } from "./installed.js";
import { bash, binary, call, needsClient, toldOf } from "./workplace.js";

const RULES = `
rules:
  - { id: no-deploy, on: shell, match: deploy, message: deploys are for people, next: ask the user to deploy }
`;

const play = (place: Installed, name: string) =>
  runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [
      {
        marker: "main",
        steps: [
          bash(`touch made-${name}`),
          bash(`touch gone-${name} # deploy`),
          call("Write", { file_path: place.path(".claude/settings.json"), content: '{"disableAllHooks":true}' }),
        ],
      },
    ],
  });

for (const door of ["shim", "command"])
  test(`${door}: the same answers with a server and without`, needsClient, async (t) => {
    const place = installed(t, RULES, { door });
    const home = join(place.home, ".local/state/interlock");
    place.beforeRemoval(() => place.interlock("down"));
    assert.equal(place.interlock("up").status, 0);
    await spooling({ home });
    const answered = async () => Number((await aboutServer(readAddress(home)!.socket))!["answered"]);
    const before = await answered();
    const check = async (name: string) => {
      const run = await play(place, name);
      assert.equal(run.exitCode, 0, run.stderr);
      assert.equal(place.read(`made-${name}`), "");
      for (const file of [`gone-${name}`, ".claude/settings.json"]) assert.equal(place.read(file), undefined, file);
      assert.match(toldOf(run, callId("main", 1)).text, /BLOCKED rules\/user [^]*deploys are for people/);
      assert.match(toldOf(run, callId("main", 2)).text, /BLOCKED guard\/self-protect/);
    };
    await check("served");
    // Three calls, and what the client tells of the prompt and the turn.
    assert.ok((await answered()) - before >= 5, `${(await answered()) - before}`);
    const pid = serverPid(home)!;
    process.kill(pid, "SIGSTOP");
    try {
      await check("stopped");
    } finally {
      process.kill(pid, "SIGCONT");
    }
    await until(async () => (await aboutServer(readAddress(home)!.socket)) !== undefined);
  });
