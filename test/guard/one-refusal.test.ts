// A call that several gates refuse: the agent is told the reason that stays, not a step that would not open it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { compile, defaults } from "../../src/packs/discipline/config.js";
import { disciplinePack as discipline } from "../../src/packs/discipline/index.js";
import { guardPack as guard } from "../../src/packs/guard/index.js";
import { intentStage, select } from "../../src/testing/intent-stage.js";
import { stage } from "../../src/testing/stage.js";
import { phaseStage } from "../kits/phase-stage.js";
import { inDesign } from "../lifecycle/calls.js";
import { framework } from "../lifecycle/project.js";

const bash = (command: string) => ["Bash", { command }] as const;
const commitAll = (root: string) => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...words]);
  git("add", "-A");
  git("commit", "-qm", "all of it");
};

const files = {
  "src/add.ts": "export const add = () => 0;\n",
  "src/new.ts": "export const add = () => 1;\n",
  "src/add.test.ts": "test('adds', () => expect(add()).toBe(1));\n",
  "tests/test_a.py": "def test_a():\n    assert f() == 1\n",
};

for (const [command, told] of [
  ["cp src/new.ts src/add.test.ts", "kits/tdd"],
  ["> tests/test_a.py", "kits/tdd"],
  ["rm -rf tests", "kits/tdd"],
  // What may be written: keeping it first is all that is missing.
  ["cp src/new.ts src/add.ts", "guard/destructive"],
  // What no step of the agent opens.
  ["rm -rf ~/", "guard/destructive"],
  ["cp src/new.ts src/add.test.ts && rm -rf ~/", "guard/destructive"],
  ["cp src/new.ts src/add.test.ts && git push --force origin main", "guard/destructive"],
  ["cat ~/.ssh/id_rsa && cp src/new.ts src/add.test.ts", "guard/secrets"],
  ["cp src/new.ts src/add.test.ts && rm .claude/settings.json", "guard/self-protect"],
] as const)
  test(`tests are locked and nothing is committed: ${command}: told by ${told}`, async (t) => {
    const s = phaseStage(t, { kit: "tdd", phase: "green", files, before: [guard] });
    const { outcome, gate, text } = await s.call(...bash(command));
    assert.equal(outcome, "deny");
    assert.equal(gate, told, text);
  });

test("once the work is committed, a copy over source passes and a locked test stays refused", async (t) => {
  const s = phaseStage(t, { kit: "tdd", phase: "green", files, before: [guard] });
  commitAll(s.root);
  assert.equal((await s.call(...bash("cp src/new.ts src/add.ts"))).outcome, "pass");
  assert.equal((await s.call(...bash("cp src/new.ts src/add.test.ts"))).gate, "kits/tdd");
});

test("all refusals of the call are in the record, whichever is told", async (t) => {
  const s = phaseStage(t, { kit: "tdd", phase: "green", files, before: [guard] });
  const { opinions } = await s.call(...bash("cp src/new.ts src/add.test.ts"));
  const refused = opinions.filter((o) => o.opinion.kind === "deny").map((o) => o.gate);
  assert.deepEqual(refused, ["guard/destructive", "kits/tdd"]);
});

test("a blocked file is told before the work in it", async (t) => {
  const s = disciplined(t, ["blocked-paths"], { ".env": "A=1\n", "env.txt": "A=2\n" });
  assert.equal((await s.call(...bash("cp env.txt .env"))).gate, "discipline/blocked-paths");
});

test("a sensitive file asks the user, who could not know that work is lost: the guard speaks first", async (t) => {
  const s = disciplined(t, ["sensitive-files"], { Dockerfile: "FROM a\n", "new.txt": "FROM b\n" });
  assert.equal((await s.call(...bash("cp new.txt Dockerfile"))).gate, "guard/destructive");
  commitAll(s.root);
  const then = await s.call(...bash("cp new.txt Dockerfile"));
  assert.deepEqual([then.outcome, then.gate], ["ask", "discipline/sensitive-files"]);
});

test("two steps that are both missing are named in one refusal", async (t) => {
  const s = disciplined(t, ["requirements"], { "a.ts": "a\n", "b.ts": "b\n" });
  await s.prompt("research how others do it first, then implement the login");
  const { gate, text } = await s.call(...bash("cp b.ts a.ts && sed -i s/b/c/ b.ts"));
  assert.equal(gate, "guard/destructive");
  assert.match(text!, /why: uncommitted work would be lost.*; .*research/);
  assert.match(text!, /next: \(1\) commit it, or keep it first: .* \(2\) /);
  assert.ok(text!.split("\n").length <= 5, text);
});

test("a file outside the intent is told before the work in it", async (t) => {
  const s = intentStage(t);
  await select(s, "INT-001");
  assert.equal((await s.call(...bash("cp src/auth/login.ts src/other.ts"))).gate, "intent/gatekeeper");
  assert.equal((await s.call(...bash("cp src/auth/shared.ts src/auth/login.ts"))).gate, "guard/destructive");
});

test("a workflow's state is told before the work in it", async (t) => {
  const p = framework(t, { ...inDesign, files: { "new.json": "{}" } });
  assert.equal((await p.before(...bash("cp new.json .isdlc/state.json"))).gate, "lifecycle/state-write-validator");
});

test("under a preset that takes no excuse, nothing the agent does opens it: the guard speaks first", async (t) => {
  const s = phaseStage(t, { kit: "tdd", phase: "green", files, before: [guard], settings: { guard: strict } });
  assert.equal((await s.call(...bash("rm -rf tests"))).gate, "guard/destructive");
  assert.equal((await s.call(...bash("cp src/new.ts src/add.test.ts"))).gate, "kits/tdd", "keeping a copy opens it");
});

const strict = { options: { preset: "strict" } };

function disciplined(t: Parameters<typeof stage>[0], gates: readonly string[], given: Record<string, string>) {
  return stage(t, {
    packs: [guard, { ...discipline, gates: discipline.gates.filter((g) => gates.includes(g.id.split("/")[1]!)) }],
    settings: { discipline: { options: compile(defaults) } },
    files: given,
  });
}
