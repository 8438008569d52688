// Runs the hostile payloads in a process of their own, so that its end is seen whole: exit code, signal, output.
// Once in six runs that process aborted (std::bad_alloc after asking for 32 GiB) while other tests kept the machine busy; the cause is not known, ours or
// Node's, and it did not come again. Until it is found a death by signal is run again once and said out loud, so this does not prove "no crash"; a failed
// assertion is never run again.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("./payloads.js", import.meta.url));
const { NODE_TEST_CONTEXT: _, ...env } = process.env;

test("hostile payloads: the four tests of payloads.ts", (t) => {
  const play = () => spawnSync(process.execPath, [program], { env, encoding: "utf8", maxBuffer: 1 << 26 });
  let run = play();
  if (run.signal) {
    t.diagnostic(`the process died by ${run.signal}; run again. ${run.stderr.slice(-300)}`);
    run = play();
  }
  assert.equal(run.status, 0, `${run.signal ?? ""}\n${run.stdout.slice(-4000)}\n${run.stderr.slice(-1000)}`);
  assert.match(run.stdout, /# pass 4\n# fail 0/);
});
