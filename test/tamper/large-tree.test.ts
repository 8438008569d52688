// A large tree through the built program: a change is found among all files; a look that git does not finish in time is
// recorded as cut, and status, why and doctor say so.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Hooked } from "./hooked.js";

const rules = 'rules:\n  - { id: legal, on: [write, delete], where: "z/locked/**", message: lawyers write this }\n';
const files: Record<string, string> = { "interlock.yaml": rules, "z/locked/a.md": "one\n" };
for (let i = 0; i < 5_000; i++) files[`d${i % 50}/some-longer-name-of-a-file-${i}.ts`] = "";

test("in a large tree every change is found, and a look that was cut says so", (t) => {
  const h = new Hooked(t, files);
  const { after } = h.bash(
    "make fmt",
    "sed -i s/one/two/ z/locked/a.md && echo x >> d7/some-longer-name-of-a-file-7.ts",
  );
  assert.match(after!.context, /TAMPERING rules\/user[^]*z\/locked\/a\.md/);
  const id = /\[(v-\d+)\]/.exec(after!.context)![1]!;
  const found = h.interlock("why", id).stdout;
  assert.match(found, /found: changed .*some-longer-name-of-a-file-7\.ts/);
  assert.match(found, /looked at 5,0\d\d files/);
  assert.equal(h.interlock("restore", id).status, 0);
  assert.equal(h.read("z/locked/a.md"), "one\n");

  const kept = join(h.home, "projects", readdirSync(join(h.home, "projects"))[0]!, "kept");
  const size = statSync(join(kept, `${id}.json`)).size;
  assert.ok(size < 1 << 20, `a look holds no copy of the program or of 5,000 names: ${size} bytes`);
  assert.doesNotMatch(readFileSync(join(kept, `${id}.json`), "utf8"), /interlock\.cjs":\{[^}]*"copy"/);

  const slow = join(h.base, "slow");
  mkdirSync(slow);
  writeFileSync(join(slow, "git"), '#!/bin/sh\ncase $* in *status*) exit 1 ;; esac\nexec /usr/bin/git "$@"\n', {
    mode: 0o755,
  });
  h.env.PATH = `${slow}:${h.env.PATH}`;
  const cut = h.bash("make fmt", "echo x >> d8/some-longer-name-of-a-file-8.ts");
  assert.deepEqual([cut.before.refused, cut.after!.context], [false, ""]);
  const status = h.interlock("status");
  assert.match(status.stdout, /the look at the work tree was cut 1 time, last for v-\d+: git did not answer/);
  const last = /last for (v-\d+)/.exec(status.stdout)![1]!;
  assert.match(h.interlock("why", last).stdout, /the look was cut: git did not answer/);
  assert.match(
    h.interlock("doctor").stdout,
    /the look at the work tree was cut for 1 call, last for v-\d+: git did not/,
  );
});
