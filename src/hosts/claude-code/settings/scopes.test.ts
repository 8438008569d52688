import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import type { JsonObject } from "../../../model/json.js";
import { foreignHooks, toAdopted } from "../adopt/adopt.js";
import { applyInstall, planInstall } from "../install/install.js";
import { clientVersion } from "../install/installed-client.js";
import { disarmedBy, disarms } from "./disarm.js";
import { inspectScopes } from "./scopes.js";
import { settingsFile } from "./settings-files.js";

function stage(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-scopes-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const places = { projectRoot: join(base, "project"), userHome: join(base, "user") };
  const home = join(base, "interlock");
  const managed = join(base, "managed.json");
  const file = settingsFile("project", places);
  const put = (path: string, json: JsonObject | string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof json === "string" ? json : JSON.stringify(json));
  };
  const request = {
    scope: "project" as const,
    ...places,
    command: { node: "/n/node", script: "/n/interlock.cjs" },
    events: ["PreToolUse", "Stop"],
    timeoutSeconds: 10,
    clientVersion: "2.1.325",
  };
  const plan = planInstall(request);
  applyInstall(plan, home);
  const inspect = (env = {}) => inspectScopes(places, env, managed);
  return {
    base,
    places,
    home,
    managed,
    file,
    put,
    plan,
    inspect,
    after: plan.after,
    installed: { handlers: plan.handlers },
  };
}

test("all scopes are looked at, and a sound install is on", (t) => {
  const at = stage(t);
  at.put(settingsFile("user", at.places), { hooks: { Stop: [{ hooks: [{ type: "command", command: "x" }] }] } });
  const { scopes, off } = at.inspect();
  assert.deepEqual(off, []);
  assert.deepEqual(
    scopes.map((s) => [s.scope, s.exists, s.ours, s.foreign.length]),
    [
      ["managed", false, [], 0],
      ["local", false, [], 0],
      ["project", true, ["PreToolUse", "Stop"], 0],
      ["user", true, [], 1],
    ],
  );
});

function weakened(at: ReturnType<typeof stage>, more: JsonObject, matcher?: string): JsonObject {
  const json = JSON.parse(at.after) as { hooks: { PreToolUse: { hooks: JsonObject[]; matcher?: string }[] } };
  const [group] = json.hooks.PreToolUse;
  Object.assign(group!.hooks[0]!, more);
  if (matcher !== undefined) group!.matcher = matcher;
  return json as unknown as JsonObject;
}

test("what switches hooks off is found in every scope", async (t) => {
  const rows: [string, (at: ReturnType<typeof stage>) => object | undefined, RegExp | undefined][] = [
    [
      "local",
      (at) => void at.put(settingsFile("local", at.places), { disableAllHooks: true }),
      /settings\.local\.json sets disableAllHooks/,
    ],
    ["user", (at) => void at.put(settingsFile("user", at.places), { disableAllHooks: true }), /sets disableAllHooks/],
    [
      "a closer scope says no",
      (at) => {
        at.put(settingsFile("user", at.places), { disableAllHooks: true });
        at.put(settingsFile("local", at.places), { disableAllHooks: false });
        return undefined;
      },
      undefined,
    ],
    [
      "a void file has no say",
      (at) => void at.put(settingsFile("local", at.places), { disableAllHooks: true, model: 5 }),
      undefined,
    ],
    ["managed only", (at) => void at.put(at.managed, { allowManagedHooksOnly: true }), /managed hooks only/],
    ["plugins only", (at) => void at.put(at.managed, { strictPluginOnlyCustomization: ["hooks"] }), /plugins only/],
    ["SIMPLE", () => ({ CLAUDE_CODE_SIMPLE: "1" }), /CLAUDE_CODE_SIMPLE/],
    [
      "SIMPLE in a settings file",
      (at) => void at.put(settingsFile("user", at.places), { env: { CLAUDE_CODE_SIMPLE: "1" } }),
      /settings\.json sets CLAUDE_CODE_SIMPLE/,
    ],
    [
      "SIMPLE in the project's",
      (at) => void at.put(settingsFile("local", at.places), { env: { CLAUDE_CODE_SIMPLE: "1" } }),
      undefined,
    ],
    [
      "SIMPLE set to nothing",
      (at) => void at.put(settingsFile("user", at.places), { env: { CLAUDE_CODE_SIMPLE: "0" } }),
      undefined,
    ],
    ["async", (at) => void at.put(at.file, weakened(at, { async: true })), /PreToolUse is async/],
    ["a condition", (at) => void at.put(at.file, weakened(at, { if: "Bash(x)" })), /for "Bash\(x\)" only/],
    ["a matcher", (at) => void at.put(at.file, weakened(at, {}, "Bash")), /for "Bash" only/],
    ["a matcher for all", (at) => void at.put(at.file, weakened(at, {}, "*")), undefined],
    [
      "a sound entry beside it",
      (at) => {
        at.put(at.file, weakened(at, { async: true }));
        at.put(settingsFile("user", at.places), at.after);
        return undefined;
      },
      undefined,
    ],
    ["our file is void", (at) => void at.put(at.file, `// note\n${at.after}`), /comment on line 1/],
  ];
  for (const [name, change, expected] of rows)
    await t.test(name, () => {
      const at = stage(t);
      const { off } = at.inspect(change(at) ?? {});
      assert.equal(off.length, expected ? 1 : 0, off.join());
      if (expected) assert.match(off[0]!, expected);
    });
});

test("what the lists about http hooks leave out, over all files together", (t) => {
  const at = stage(t);
  const url = "http://127.0.0.1:20000/hook/claude-code/PreToolUse/x";
  const hooks = { PreToolUse: [{ hooks: [{ type: "http", url, allowedEnvVars: ["A", "B"] }] }] };
  const rows: [string, JsonObject, JsonObject, string | undefined, string[]][] = [
    ["no list", {}, {}, undefined, []],
    ["none", { allowedHttpHookUrls: [] }, {}, url, []],
    ["another place", { allowedHttpHookUrls: ["https://example.com/*"] }, {}, url, []],
    ["a place that only begins like it", { allowedHttpHookUrls: ["http://127.0.0.1:2"] }, {}, url, []],
    ["a star", { allowedHttpHookUrls: ["http://127.0.0.1:*"] }, {}, undefined, []],
    ["the other file has it", { allowedHttpHookUrls: [] }, { allowedHttpHookUrls: ["*"] }, undefined, []],
    ["a variable", { httpHookAllowedEnvVars: ["A"] }, {}, undefined, ["B"]],
    ["each in one file", { httpHookAllowedEnvVars: ["A"] }, { httpHookAllowedEnvVars: ["B"] }, undefined, []],
  ];
  for (const [name, here, there, blocked, variables] of rows) {
    at.put(at.file, { ...here, hooks });
    at.put(settingsFile("user", at.places), there);
    const [found] = at.inspect().withheld;
    assert.equal(found?.url, blocked, name);
    assert.deepEqual(found?.variables ?? [], variables, name);
  }
  at.put(at.file, { allowedHttpHookUrls: [], hooks: JSON.parse(at.after).hooks });
  assert.deepEqual(at.inspect().withheld, [], "commands go nowhere");
});

test("what a change of settings would do to us", async (t) => {
  const at = stage(t);
  const edited = (
    change: (json: { hooks: Record<string, { matcher?: string; hooks: JsonObject[] }[]> } & JsonObject) => void,
  ) => {
    const json = JSON.parse(at.after);
    change(json);
    return JSON.stringify(json);
  };
  const rows: [string, string | undefined, RegExp | undefined][] = [
    ["nothing", at.after, undefined],
    ["another layout", JSON.stringify(JSON.parse(at.after)), undefined],
    [
      "a foreign hook more",
      edited((j) => j.hooks.Stop!.push({ hooks: [{ type: "command", command: "x" }] })),
      undefined,
    ],
    ["a key more", edited((j) => Object.assign(j, { model: "opus" })), undefined],
    ["disableAllHooks", edited((j) => Object.assign(j, { disableAllHooks: true })), /disableAllHooks/],
    ["the file goes", undefined, /is gone/],
    ["an empty file", "", /PreToolUse, Stop/],
    ["our entry goes", edited((j) => delete j.hooks.PreToolUse), /changed for PreToolUse$/],
    [
      "a matcher narrows it",
      edited((j) => Object.assign(j.hooks.PreToolUse![0]!, { matcher: "Read" })),
      /changed for PreToolUse/,
    ],
    [
      "it becomes async",
      edited((j) => Object.assign(j.hooks.PreToolUse![0]!.hooks[0]!, { async: true })),
      /changed for PreToolUse/,
    ],
    ["onFailure goes", edited((j) => delete j.hooks.PreToolUse![0]!.hooks[0]!.onFailure), /changed for PreToolUse/],
    [
      "another program",
      edited((j) => Object.assign(j.hooks.Stop![0]!.hooks[0]!, { command: "true" })),
      /changed for Stop/,
    ],
    [
      "a foreign entry voids the file",
      edited((j) => j.hooks.PreToolUse!.push({ hooks: [{ type: "bogus" }] })),
      /ignores the whole file/,
    ],
    ["a comment voids the file", `${at.after}// x`, /ignores the whole file/],
    ["not JSON", "{", /not JSON/],
    ["SIMPLE in env", edited((j) => Object.assign(j, { env: { CLAUDE_CODE_SIMPLE: "1" } })), /CLAUDE_CODE_SIMPLE/],
  ];
  for (const [name, text, expected] of rows)
    await t.test(name, () => {
      const why = disarms(text, at.installed);
      if (expected) assert.match(why ?? "", expected);
      else assert.equal(why, undefined);
    });
});

test("a file we are not in can disarm us only by switching all hooks off", () => {
  assert.equal(disarms(undefined), undefined);
  assert.equal(disarms("{"), undefined);
  assert.equal(disarms('{"hooks":{"PreToolUse":[{}]}}'), undefined);
  assert.match(disarms('{"disableAllHooks":true}') ?? "", /every scope/);
});

test("a file on disk is judged by what was installed in it, by any of its names", (t) => {
  const at = stage(t);
  assert.equal(disarmedBy(at.home, at.file), undefined);
  const other = join(at.base, "alias");
  symlinkSync(dirname(at.file), other);
  at.put(at.file, "{}");
  assert.match(disarmedBy(at.home, join(other, "settings.json")) ?? "", /PreToolUse, Stop/);
  rmSync(at.file);
  assert.match(disarmedBy(at.home, at.file) ?? "", /is gone/);
  assert.equal(disarmedBy(at.home, undefined), undefined);
});

test("which foreign hooks can be adopted, and how they are kept", () => {
  const command = { type: "command", command: "./a.sh" };
  const json = {
    hooks: {
      PreToolUse: [
        {
          matcher: "Bash",
          hooks: [
            { ...command, timeout: 5 },
            { type: "http", url: "http://127.0.0.1:1/" },
          ],
        },
        {
          hooks: [
            { ...command, args: ["x"] },
            { ...command, async: true },
            { ...command, if: "Bash(git *)" },
          ],
        },
        {
          hooks: [
            { ...command, command: "${CLAUDE_PLUGIN_ROOT}/x" },
            { ...command, shell: "powershell" },
          ],
        },
      ],
    },
  };
  const found = foreignHooks(json, { file: "/p/.claude/settings.json", scope: "project" });
  assert.deepEqual(
    found.map((hook) => hook.stays !== undefined),
    [false, true, false, true, true, true, true],
  );
  assert.deepEqual(toAdopted(found), [
    { event: "PreToolUse", matcher: "Bash", command: "./a.sh", timeout: 5, source: "/p/.claude/settings.json" },
    { event: "PreToolUse", command: "./a.sh", args: ["x"], source: "/p/.claude/settings.json" },
  ]);
});

test("the client's version", async () => {
  assert.equal(await clientVersion(async () => "2.1.325 (Claude Code)\n"), "2.1.325");
  assert.equal(await clientVersion(async () => "no idea"), undefined);
  assert.equal(await clientVersion(() => Promise.reject(new Error("ENOENT"))), undefined);
});
