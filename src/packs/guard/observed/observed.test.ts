// guard/observed: what a call really changed, found afterwards. Each test makes its changes between the two hooks,
// as a script would.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { type Stage, stage } from "../../../testing/stage.js";
import { compile } from "../../rules/config.js";
import { rulesPack as rules } from "../../rules/index.js";
import { guardPack as guard } from "../index.js";

const build = { command: "./build.sh" };

function project(t: TestContext): Stage {
  return stage(t, {
    packs: [guard, rules],
    settings: {
      rules: {
        options: compile({
          rules: [{ on: ["write", "delete"], where: "generated/**", action: "deny", message: "made by the build" }],
        }),
      },
    },
    files: {
      "src/a.ts": "one",
      "generated/a.ts": "made",
      ".claude/settings.json": '{"hooks":{"Stop":[]},"permissions":{"allow":["Bash(ls)"]}}',
    },
  });
}

const newest = (s: Stage) => [...s.store.records()].at(-1)!.body as JsonObject & { observed?: JsonObject };

const tampering: [string, (s: Stage) => void, RegExp, "Bash" | "PowerShell" | "mcp__x__y" | "NewTool"][] = [
  [
    "a locked file is changed",
    (s) => s.write("generated/a.ts", "other"),
    /rules\/user[^]*generated\/a\.ts was changed/,
    "Bash",
  ],
  [
    "a locked file is deleted",
    (s) => rmSync(join(s.root, "generated/a.ts")),
    /rules\/user[^]*was deleted/,
    "PowerShell",
  ],
  ["a file is put in a locked place", (s) => s.write("generated/b.ts", "x"), /rules\/user[^]*was created/, "mcp__x__y"],
  [
    "the agent's settings change",
    (s) => s.write(".claude/settings.json", '{"disableAllHooks":true}'),
    /guard\/self-protect[^]*settings\.json was changed/,
    "NewTool",
  ],
  [
    "settings appear",
    (s) => s.write(".claude/settings.local.json", '{"disableAllHooks":true}'),
    /guard\/self-protect[^]*was created/,
    "Bash",
  ],
  [
    "a git hook appears",
    (s) => writeFileSync(join(s.root, ".git/hooks/pre-commit"), "x"),
    /guard\/self-protect[^]*pre-commit/,
    "Bash",
  ],
];
for (const [name, deed, says, tool] of tampering)
  for (const end of ["done", "failed"] as const)
    test(`${name} by ${tool} (${end}): reported to agent and person, recorded, a copy kept`, async (t) => {
      const s = project(t);
      const input = tool === "Bash" ? build : { x: 1 };
      assert.equal((await s.call(tool, input)).outcome, "pass");
      deed(s);
      const verdict = end === "done" ? await s.done(tool, input, "") : await s.failed(tool, input, "Exit code 1");
      assert.match(verdict.context.join(), says);
      assert.match(verdict.messages.join(), says);
      assert.match(verdict.context.join(), new RegExp(`interlock restore ${verdict.id}`));
      assert.ok(verdict.context.join().split("\n").length <= 5);
      assert.equal((newest(s).observed!["tampering"] as unknown[]).length, 1);
      assert.ok(existsSync(join(s.home, "projects", s.store.place.id, "kept", `${verdict.id}.json`)));
    });

const silent: [string, JsonObject, (s: Stage) => void][] = [
  ["nothing changes", build, () => {}],
  ["ordinary files change", build, (s) => s.write("src/a.ts", "two")],
  [
    "the user gives a permission meanwhile",
    build,
    (s) =>
      s.write(".claude/settings.json", '{"hooks":{"Stop":[]},"permissions":{"allow":["Bash(ls)","Bash(./build.sh)"]}}'),
  ],
  [
    "git notes a branch's tracking",
    { command: "git push -u origin work" },
    (s) => writeFileSync(join(s.root, ".git/config"), "[core]\n[branch]\n"),
  ],
  [
    "a protected file is written with the same text",
    build,
    (s) => s.write(".claude/settings.json", '{"hooks":{"Stop":[]},"permissions":{"allow":["Bash(ls)"]}}'),
  ],
];
for (const [name, input, deed] of silent)
  test(`nothing is reported when ${name}`, async (t) => {
    const s = project(t);
    await s.call("Bash", input);
    deed(s);
    const { context, messages } = await s.done("Bash", input, "");
    assert.deepEqual([...context, ...messages], []);
    const { observed } = newest(s);
    assert.equal(observed!["tampering"], undefined);
    assert.equal(typeof observed!["ms"], "number");
    assert.equal(observed!["files"], 3);
    const watch = join(s.home, "projects", s.store.place.id, "watch");
    assert.deepEqual(readdirSync(join(watch, readdirSync(watch)[0]!)), [], "nothing is left lying about");
  });

test("each change is recorded, and predicted ones are marked", async (t) => {
  const s = project(t);
  const input = { command: "echo x > log.txt; ./build.sh" };
  await s.call("Bash", input);
  s.write("log.txt", "x");
  s.write("src/b.ts", "new");
  rmSync(join(s.root, "src/a.ts"));
  await s.done("Bash", input, "");
  assert.deepEqual(newest(s).observed!["changes"], [
    { path: join(s.root, "log.txt"), op: "created", predicted: true },
    { path: join(s.root, "src/b.ts"), op: "created" },
    { path: join(s.root, "src/a.ts"), op: "deleted" },
  ]);
});

test("observed changes count like predicted ones, except what a test run leaves behind", async (t) => {
  const s = project(t);
  const finish = async (command: string) => {
    await s.call("Bash", { command });
    s.write("src/found.ts", command);
    const response = { stdout: "1 passing", stderr: "", interrupted: false };
    const id = ([...s.store.records()].at(-1)!.body as { tool: { id: string } }).tool.id;
    const payload = { tool_name: "Bash", tool_input: { command }, tool_use_id: id, tool_response: response };
    return (await s.handle("PostToolUse", payload)).facts.changes.map((c) => c.below).filter(Boolean);
  };
  assert.deepEqual(await finish("./build.sh"), ["src/found.ts"]);
  assert.deepEqual(await finish("npx vitest run"), []);
});

test("a call that provably only reads is not checked", async (t) => {
  const s = project(t);
  for (const command of ["ls -la src", "git status", "grep -rn '=>' src | head", "cat src/a.ts"]) {
    await s.run("Bash", { command }, "");
    assert.equal(newest(s).observed, undefined, command);
  }
});

test("an override for the call also covers the check after it", async (t) => {
  const s = project(t);
  const input = { command: "echo x > generated/a.ts; ./build.sh" };
  const { id } = await s.call("Bash", input);
  const { allow } = await import("../../../engine/overrides/grant.js");
  assert.ok(allow(s.store, id, { reason: "x", by: "me", channel: "terminal", ms: 60_000, now: Date.now() }).ok);
  assert.equal((await s.call("Bash", input)).outcome, "pass");
  s.write("generated/a.ts", "x");
  s.write("generated/b.ts", "x");
  assert.deepEqual((await s.done("Bash", input, "")).context, []);
});

test("with parallel calls, a change is blamed only on the call that must have made it", async (t) => {
  const s = project(t);
  const pre = (id: string, tool: string, input: JsonObject) =>
    s.verdict("PreToolUse", { tool_name: tool, tool_input: input, tool_use_id: id });
  const post = (id: string, tool: string, input: JsonObject) =>
    s.verdict("PostToolUse", { tool_name: tool, tool_input: input, tool_use_id: id, tool_response: {} });
  const write = { file_path: join(s.root, "src/w.ts"), content: "w" };
  await pre("one", "Bash", build);
  await pre("two", "Write", write);
  s.write("src/w.ts", "w");
  await post("two", "Write", write);
  await post("one", "Bash", build);
  assert.deepEqual(newest(s).observed!["changes"], []);

  await pre("three", "Bash", build);
  await pre("four", "Bash", { command: "./other.sh" });
  s.write("generated/a.ts", "who?");
  assert.deepEqual((await post("three", "Bash", build)).context, []);
  assert.deepEqual(newest(s).observed!["changes"], [
    { path: join(s.root, "generated/a.ts"), op: "changed", shared: true },
  ]);
  const last = await post("four", "Bash", { command: "./other.sh" });
  assert.match(last.context.join(), /generated\/a\.ts was changed/, "the last one to end is told");
});

test("a background call is checked again with later events until it ends", async (t) => {
  const s = project(t);
  const input = { ...build, run_in_background: true };
  await s.call("Bash", input);
  await s.done("Bash", input, { stdout: "", backgroundTaskId: "b1" });
  s.write("generated/a.ts", "late");
  const end = await s.verdict("Stop", { stop_hook_active: false, last_assistant_message: "x", background_tasks: [] });
  assert.match(end.messages.join(), /a call ran in the background[^]*interlock restore/);
  assert.equal(newest(s).observed!["background"], true);
  s.write("generated/a.ts", "later");
  assert.deepEqual((await s.prompt("go on")).messages, []);
});

test("a call without a result leaves no files behind when its session ends", async (t) => {
  const s = project(t);
  await s.call("Bash", build);
  const watch = join(s.home, "projects", s.store.place.id, "watch");
  assert.equal(readdirSync(watch).length, 1);
  await s.verdict("SessionEnd", { reason: "other" });
  assert.deepEqual(readdirSync(watch), []);
});

test("a folder without git is checked too", async (t) => {
  const s = stage(t, { packs: [guard], git: false, files: { ".claude/settings.json": "{}" } });
  mkdirSync(join(s.root, "sub"));
  await s.call("Bash", build);
  s.write(".claude/settings.json", '{"disableAllHooks":true}');
  assert.match((await s.done("Bash", build, "")).context.join(), /TAMPERING guard\/self-protect/);
});
