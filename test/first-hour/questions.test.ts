// The questions of a terminal, answered at a real one (a pty of script(1)): yes, no, Ctrl-C, end of input. And the
// newcomer's clock: each command is read out of the screen before.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Machine, machines, repository } from "./newcomer.js";

const skip = spawnSync("sh", ["-c", "command -v script"]).status !== 0 && "needs script(1)";

function newcomer(t: TestContext): { ann: Machine; root: string } {
  const ann = machines(t)("ann");
  ann.installPackage();
  return { ann, root: repository(ann) };
}

/** Types a command; answers each of its questions as soon as it stands there. */
async function typed(
  ann: Machine,
  cwd: string,
  command: string,
  answer = "",
): Promise<{ code: number; screen: string }> {
  const env = { ...ann.env, TERM: "xterm", NO_COLOR: "1" };
  const child = spawn("script", ["-qec", `stty cols 80; ${command}`, "/dev/null"], { cwd, env });
  let screen = "";
  let asked = 0;
  child.stdout.on("data", (part: Buffer) => {
    screen += part.toString();
    const questions = screen.split("[y/N] ").length - 1;
    while (asked < questions) {
      asked++;
      child.stdin.write(answer);
    }
  });
  const [code] = (await once(child, "close")) as [number];
  return { code, screen: screen.replaceAll("\r", "") };
}

const settings = (root: string): string => join(root, ".claude/settings.local.json");

for (const [name, answer] of [
  ["no", "n\r"],
  ["only a line end", "\r"],
  ["Ctrl-C", "\u0003"],
  ["the end of input", "\u0004"],
] as const)
  test(`init asks once; ${name} changes nothing and says so`, { skip }, async (t) => {
    const { ann, root } = newcomer(t);
    const { code, screen } = await typed(ann, root, "interlock init", answer);
    assert.match(screen, /Do this\? \[y\/N\]/);
    assert.match(screen, /Nothing was written/);
    assert.equal(code, 1, screen);
    assert.ok(!existsSync(settings(root)));
  });

test("yes installs; uninstall asks too", { skip }, async (t) => {
  const { ann, root } = newcomer(t);
  const init = await typed(ann, root, "interlock init --door command", "y\r");
  assert.equal(init.code, 0, init.screen);
  assert.match(init.screen, /proved +2 forbidden calls were refused/);
  assert.ok(existsSync(settings(root)));
  const no = await typed(ann, root, "interlock uninstall", "\u0004");
  assert.equal(no.code, 1, no.screen);
  assert.ok(existsSync(settings(root)));
  const yes = await typed(ann, root, "interlock uninstall", "yes\r");
  assert.equal(yes.code, 0, yes.screen);
  assert.ok(!existsSync(settings(root)));
});

test("the newcomer's clock: three commands to enforced discipline, each read out of the screen before", {
  skip,
}, async (t) => {
  const { ann, root } = newcomer(t);
  const started = performance.now();
  const first = await typed(ann, root, "interlock init", "y\r");
  assert.equal(first.code, 0, first.screen);
  const enable = /^ +(interlock enable discipline)\b/m.exec(first.screen)?.[1];
  assert.ok(enable, first.screen);
  const second = await typed(ann, root, enable, "y\r");
  assert.equal(second.code, 0, second.screen);
  const look = /Next: (interlock [a-z]+)/.exec(second.screen)?.[1];
  assert.ok(look, second.screen);
  const third = await typed(ann, root, look);
  assert.match(third.screen, /enforced +guard, discipline/);
  t.diagnostic(`three commands in ${Math.round((performance.now() - started) / 1000)} s`);
});
