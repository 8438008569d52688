// Copies and patterns that meet work git does not have: refused, and the way out each refusal names opens the gate.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Stage, stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const files = { "a.ts": "a\n", "b.ts": "b\n", "old/a.ts": "old\n", "app.db": "rows\n" };

function project(t: Parameters<typeof stage>[0], preset = "standard"): Stage {
  const s = stage(t, { packs: [guard], settings: { guard: { options: { preset } as never } }, files });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...words], { cwd: s.root });
  git("init", "-q");
  writeFileSync(join(s.root, ".gitignore"), "app.db\n");
  git("add", "-A");
  git("commit", "-qm", "first");
  writeFileSync(join(s.root, "a.ts"), "a\nmore\n");
  writeFileSync(join(s.root, "new.ts"), "new\n");
  return s;
}

const rows: readonly (readonly [outcome: string, command: string])[] = [
  ["deny", "cp b.ts a.ts"],
  ["deny", "cp b.ts new.ts"],
  ["deny", "cp -R old/. ."],
  ["deny", "install -m 644 b.ts a.ts"],
  ["deny", "ln -sf b.ts a.ts"],
  ["deny", "find . -name '*.ts' -newer b.ts -delete"],
  ["deny", "find . -type f -mmin -5 -delete"],
  ["ask", "rm -f app.db"],
  ["pass", "cp a.ts b.ts"],
  ["pass", "cp b.ts fresh.ts"],
  ["pass", "cp -n b.ts a.ts"],
  ["pass", "cp a.ts a.ts.orig && cp b.ts a.ts"],
  ["pass", "cp a.ts.bak a.ts"],
  ["pass", "cp /tmp/a.ts a.ts"],
  ["pass", "sed s/a/b/ a.ts > t.ts && mv t.ts a.ts"],
  ["pass", "find . -name '*.js' -delete"],
  ["pass", "find . -type d -empty -delete"],
  ["pass", "touch x.db && rm x.db"],
  ["pass", "rm -f test.db"],
];

test("at standard, what git can't give back decides", async (t) => {
  const s = project(t);
  const wrong: string[] = [];
  for (const [expected, command] of rows) {
    const { outcome } = await s.call("Bash", { command });
    if (outcome !== expected) wrong.push(`${command}: ${outcome} instead of ${expected}`);
  }
  assert.deepEqual(wrong, []);
});

test("a stricter preset refuses no copy that replaces nothing", async (t) => {
  const s = project(t, "strict");
  for (const command of ["cp b.ts fresh.ts", "cp a.ts b.ts", "find . -name '*.js' -delete"])
    assert.equal((await s.call("Bash", { command })).outcome, "pass", command);
  assert.equal((await s.call("Bash", { command: "cp b.ts a.ts" })).outcome, "deny");
});
