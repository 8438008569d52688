// The built program loads tool families and language analysers on demand, the source loads all of them.
// Both must derive the same effects from every command.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { analyse } from "../../src/shell/index.js";
import { claimedNames } from "../../src/shell/tools/index.js";

const script = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "interlock-built-"));
after(() => rmSync(place, { recursive: true, force: true }));

const programs = [
  "python3 -c 'import os; os.remove(\"a\")'",
  'node -e \'require("fs").rmSync("a")\'',
  "ruby -e 'File.delete(\"a\")'",
  "perl -e 'unlink \"a\"'",
  "php -r 'unlink(\"a\");'",
  "awk 'BEGIN { print > \"a\" }'",
  "sed -i s/a/b/ a",
  "lua -e 'os.remove(\"a\")'",
  "Rscript -e 'file.remove(\"a\")'",
  "osascript -e 'do shell script \"rm a\"'",
];

test("the built program and the source derive the same effects for every known program and language", () => {
  const names = claimedNames();
  assert.ok(names.length > 500, `${names.length} names`);
  const commands = [...names.flatMap((name) => [name, `${name} delete x`, `/usr/bin/${name} -f a b`]), ...programs];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [script, "explain", "--jsonl", "--cwd", place, "--home", join(place, "home")],
    {
      input: commands.map((command) => JSON.stringify({ command })).join("\n"),
      env: { PATH: process.env["PATH"], HOME: place },
      encoding: "utf8",
      maxBuffer: 1 << 28,
    },
  );
  const built = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(built.length, commands.length, stderr);
  const summary = (effects: readonly { kind: string; path?: string; reason: string }[]) =>
    effects.map(({ kind, path, reason }) => `${kind} ${path ?? ""} ${reason}`);
  for (const [i, command] of commands.entries()) {
    const { parsed, effects } = analyse(command, { cwd: place, root: place, home: place, readFile: () => undefined });
    assert.equal(built[i].parsed, parsed, command);
    assert.deepEqual(summary(built[i].effects), summary(effects), command);
  }
});
