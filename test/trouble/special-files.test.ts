// Links to devices, pipes and folders in the place of Interlock's files, through the built program: no hook hangs,
// nothing protected is let through, doctor names each, and --fix repairs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Hooked } from "../tamper/hooked.js";

const nightly = Boolean(process.env["INTERLOCK_NIGHTLY"]);

const traps: [what: RegExp, lay: (path: string) => void][] = [
  [/a link to a device/, (path) => symlinkSync("/dev/zero", path)],
  [/a pipe/, (path) => assert.equal(spawnSync("mkfifo", [path]).status, 0)],
  [/a folder/, (path) => mkdirSync(path)],
  [/a link to a device/, (path) => symlinkSync("/dev/full", path)],
];

/** What lies apart enough to be broken at the same time. */
const batches = [
  ["projects/ID/state.json", "server/door.json", "consents.json"],
  ["projects/ID/lock", "projects/ID/config.json", "server/spool/server"],
  ["projects/ID/state.backup.json", "server/lock"],
  ["marks/ID.json"],
];

test("devices, pipes and folders in the place of files: no hook hangs, doctor names them, --fix repairs", (t) => {
  const h = new Hooked(t, { "src/a.ts": "one\n" });
  const read = () => h.before("Read", { file_path: join(h.project, "src/a.ts") });
  read();
  const id = readdirSync(join(h.home, "projects"))[0]!;
  const at = (name: string) => join(h.home, name.replace("ID", id));
  const forbidden = { file_path: join(h.project, ".claude/settings.json"), content: "{}" };
  const trap = (path: string, lay: (path: string) => void) => {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    lay(path);
  };
  for (const [round, [what, lay]] of traps.entries())
    for (const [n, names] of batches.entries()) {
      if (!nightly && (n !== round || round > 1)) continue; // doctor asks every hook, which takes long
      for (const name of names) trap(at(name), lay);
      assert.ok(h.before("Write", forbidden).refused, `${what} as ${names}`);
      read();
      // A link or pipe where a file is replaced whole is gone with the next record.
      const there = names.map(at).filter((path) => !(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true));
      const { stdout, stderr } = h.interlock("doctor", "--fix", "--yes");
      const lines = `${stdout}${stderr}`.split("\n");
      for (const path of there)
        assert.ok(
          lines.some((line) => line.includes(path) && what.test(line)),
          `doctor does not name ${what} at ${path}:\n${lines.join("\n")}`,
        );
      for (const path of there) assert.ok(lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true, path);
      assert.ok(h.before("Write", forbidden).refused);
      assert.doesNotMatch(read().message, /could not/, `after the repair of ${names}`);
    }
  for (const name of ["key", "projects/ID/ledger/00000001.jsonl"])
    for (const [what, lay] of traps) {
      trap(at(name), lay);
      assert.ok(h.before("Write", forbidden).refused, `${what} as ${name}`);
      rmSync(at(name), { recursive: true, force: true });
    }
});
