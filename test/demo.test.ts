// The demo is a test: it exits 1 when a call is not answered as its script expects.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const play = (...args: string[]) =>
  spawnSync(process.execPath, ["scripts/demo.mjs", ...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, INTERLOCK_BUILT: "1" },
  });

test("npm run demo: every call gets the expected answer, and the record verifies", () => {
  const { status, stdout, stderr } = play();
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /REFUSED\n\s+BLOCKED guard\/self-protect \[v-\d+\]/);
  assert.match(stdout, /integrity: +intact/);
});

test("npm run demo -- --claude: the same through the real client", (t) => {
  const client = spawnSync(process.execPath, ["scripts/clients.mjs", "path"], { cwd: root, encoding: "utf8" });
  if (client.status !== 0 && !process.env["CI"])
    return t.skip("Claude Code is not installed here: node scripts/clients.mjs install");
  const { status, stdout, stderr } = play("--claude");
  assert.equal(status, 0, stdout + stderr);
});
