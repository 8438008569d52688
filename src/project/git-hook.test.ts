// Two blocks of ours in one hook file: each comes and goes by itself, and the last one restores the file.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../testing/temporary.js";
import { hookState, installHookBlock, removeHookBlock } from "./git-hook.js";

const one = { name: "interlock one", lines: ["echo one"] };
const two = { name: "interlock two", lines: ["echo two"], hint: "remove with: x" };

const befores: [what: string, text: string | undefined][] = [
  ["no file", undefined],
  ["a shell script", "#!/bin/sh\necho mine\n"],
  ["a script without a last line break", "#!/bin/bash\nexit 0"],
  ["another language, with bytes that are no UTF-8", "#!/usr/bin/env python3\nprint('\xe9\xff')\n"],
];
for (const [what, before] of befores)
  for (const [first, last] of [
    [one, two],
    [two, one],
  ] as const)
    test(`${what}: ${first.name} is removed before ${last.name}`, () => {
      const path = join(temporary("git-hook"), "commit-msg");
      if (before !== undefined) writeFileSync(path, before, "latin1");
      if (before !== undefined) chmodSync(path, 0o755);
      assert.equal(installHookBlock(path, one), "installed");
      assert.equal(installHookBlock(path, two), "installed");
      assert.equal(installHookBlock(path, one), "unchanged");
      assert.equal(installHookBlock(path, { ...two, lines: ["echo two, newer"] }), "updated");
      assert.equal(removeHookBlock(path, first.name), true);
      assert.equal(hookState(path, first.name), "absent");
      assert.match(readFileSync(path, "latin1"), new RegExp(last.lines[0]!));
      assert.equal(removeHookBlock(path, last.name), true);
      assert.equal(removeHookBlock(path, last.name), false);
      assert.equal(existsSync(path) ? readFileSync(path, "latin1") : undefined, before);
      assert.ok(!existsSync(`${path}.before-interlock`));
    });
