// Supervisors killed under load, through the built program: every answered call is recorded exactly once.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { payload, place, program, until } from "./server.js";

const nightly = Boolean(process.env["INTERLOCK_NIGHTLY"]);
const kills = nightly ? 40 : 4;
const clients = 3;

test(`${kills} supervisors are killed among command hooks: no verdict is recorded twice, none is lost`, async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down", "--stay"));
  assert.equal(at.interlock("up").status, 0);
  let over = false;
  const answered = new Set<string>();
  const hook = (id: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const args = [program, "hook", "claude-code", "--event", "PreToolUse", "--home", at.home];
      const child = spawn(process.execPath, args, { cwd: at.project, env: at.env });
      let text = "";
      child.stdout.on("data", (part) => (text += part));
      child.on("error", reject);
      child.on("close", () => resolve(text));
      child.stdin.end(payload(at, "Bash", { command: "git status" }, { tool_use_id: id }));
    });
  const client = async (name: number) => {
    for (let k = 0; !over; k++) {
      const id = `t-${name}-${k}`;
      const answer = await hook(id);
      if (!answer.includes("BLOCKED interlock/")) answered.add(id);
      assert.doesNotThrow(() => JSON.parse(answer), answer);
    }
  };
  const work = Promise.all(Array.from({ length: clients }, (_, i) => client(i)));
  for (let n = 0; n < kills; n++) {
    await until(() => serverPid(at.home) !== undefined, 60_000);
    const before = answered.size;
    await until(() => answered.size > before + 6, 120_000);
    const pid = serverPid(at.home);
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  }
  over = true;
  await work;
  const counts = new Map<string, number>();
  for (const { body } of openStore({ home: at.home, id: identify(at.project).id }).records()) {
    const { id } = (body["tool"] ?? {}) as { id?: string };
    if (id?.startsWith("t-")) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  assert.deepEqual(
    [...counts].filter(([, times]) => times !== 1),
    [],
    "recorded twice",
  );
  assert.deepEqual(
    [...answered].filter((id) => !counts.has(id)),
    [],
    "answered and not recorded",
  );
});
