// Long commands move while they work: what they wait for goes on only once their line has been drawn at a terminal.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Machine, machines, repository } from "./newcomer.js";

const skip = spawnSync("sh", ["-c", "command -v script && command -v mkfifo"]).status !== 0 && "needs script, mkfifo";

/** Types a command; `go` is called when its line stands there. */
async function typed(ann: Machine, cwd: string, command: string, line: RegExp, go: () => void): Promise<string> {
  const env = { ...ann.env, TERM: "xterm", NO_COLOR: "1" };
  const child = spawn("script", ["-qec", `stty cols 80; ${command}`, "/dev/null"], { cwd, env });
  let screen = "";
  let gone = false;
  child.stdout.on("data", (part: Buffer) => {
    screen += part.toString();
    if (gone || !line.test(screen)) return;
    gone = true;
    go();
  });
  // Without progress the command is let go all the same, and the test fails below.
  const late = setTimeout(go, 60_000);
  await once(child, "close");
  clearTimeout(late);
  assert.match(screen, line, `${command} shows no progress`);
  return screen;
}

test("commands that walk commits move while git works", { skip }, async (t) => {
  const ann = machines(t)("ann");
  ann.installPackage();
  const root = repository(ann);
  const git = spawnSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).stdout.trim();
  for (const [n, [command, line]] of [
    ["interlock sred check --range HEAD", /[|/\\-] checking the commits \d+ s/],
    ["interlock sred squash HEAD", /[|/\\-] reading the commits \d+ s/],
    ["interlock ci --range HEAD", /[|/\\-] checking the commits \d+ s/],
  ].entries() as Iterable<[number, [string, RegExp]]>) {
    const go = join(ann.home, `go-${n}`);
    // Gives up after a while, so that a command without progress fails instead of waiting for ever.
    const waiting = `n=0; while [ ! -e '${go}' ] && [ $n -lt 300 ]; do n=$((n+1)); sleep 0.1; done`;
    const slow = `#!/bin/sh\ncase " $* " in *" log "*) ${waiting} ;; esac\nexec '${git}' "$@"\n`;
    writeFileSync(join(ann.bin, "git"), slow, { mode: 0o755 });
    await typed(ann, root, command, line, () => writeFileSync(go, ""));
  }
});

test("commands that read a long file move while they read", { skip }, async (t) => {
  const ann = machines(t)("ann");
  ann.installPackage();
  const root = repository(ann);
  mkdirSync(join(root, ".orchestration"));
  const file = join(root, "tasks.md");
  ann.run(root, "mkfifo", [file]);
  const imports = "interlock intent import tasks.md --dry-run";
  // A file that nobody writes to is read for ever; the writer of the pipe comes when the line is there.
  const screen = await typed(ann, root, imports, /[|/\\-] reading the file \d+ s/, () =>
    writeFileSync(file, "- [ ] T001 Make a login page in src/login.ts\n"),
  );
  assert.match(screen, /1 intent\(s\) from/);
});
