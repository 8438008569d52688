// The line moves while the work does not return, and is gone afterwards: at a real terminal (a pty of script(1)).
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const canType = spawnSync("sh", ["-c", "command -v script"]).status === 0;
const module = pathToFileURL("build/src/cli/lib/progress.js").href;
const work = `
  import { withProgress } from "${module}";
  await withProgress("walking", (progress) => {
    progress.at(1, 4);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000);
  });
  console.log("done");`;
const quoted = `'${process.execPath}' --input-type=module -e '${work}'`;

test("progress moves while the work blocks, and ends with a clean line", {
  skip: !canType && "needs script(1)",
}, () => {
  const { stdout } = spawnSync("script", ["-qec", quoted, "/dev/null"], { encoding: "utf8" });
  const drawn = stdout.split("\r").filter((line) => /^[|/\\-] walking 25 % \d+ s/.test(line));
  assert.ok(drawn.length >= 2, stdout);
  assert.ok(new Set(drawn).size >= 2, "it moves");
  assert.ok(stdout.endsWith("\r\u001b[Kdone\r\n"), JSON.stringify(stdout));
});

test("without a terminal nothing is drawn", () => {
  const { stdout, stderr } = spawnSync("sh", ["-c", quoted], { encoding: "utf8" });
  assert.deepEqual([stdout, stderr], ["done\n", ""]);
});
