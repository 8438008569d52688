import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import type { Json, JsonObject } from "../../../model/json.js";
import { registeredEvents } from "../protocol/events.js";
import { unifiedDiff } from "../settings/diff.js";
import { hookEntries } from "../settings/settings.js";
import { settingsFile } from "../settings/settings-files.js";
import {
  applyInstall,
  applyUninstall,
  type InstallRequest,
  planInstall,
  planUninstall,
  type SettingsPlan,
} from "./install.js";
import { readManifest } from "./install-manifest.js";
import { atLeast, isOurs, ourHandler } from "./own-entries.js";

const program = { node: "/usr/bin/node", script: "/opt/agent-interlock/dist/interlock.cjs" };
const now = new Date("2026-01-02T03:04:05.678Z");

function place(t?: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-install-"));
  const remove = () => rmSync(base, { recursive: true, force: true });
  t?.after(remove);
  const places = { projectRoot: join(base, "project"), userHome: join(base, "user") };
  const home = join(base, "interlock");
  for (const folder of [places.projectRoot, places.userHome]) mkdirSync(folder);
  const file = settingsFile("project", places);
  const request = (more: Partial<InstallRequest> = {}): InstallRequest => ({
    scope: "project",
    ...places,
    command: program,
    events: registeredEvents,
    timeoutSeconds: 10,
    clientVersion: "2.1.325",
    platform: "linux",
    ...more,
  });
  return {
    places,
    home,
    file,
    request,
    remove,
    put(text: string) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    text: () => readFileSync(file, "utf8"),
    json: () => JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, "")) as JsonObject,
    install(more: Partial<InstallRequest> = {}): SettingsPlan {
      const plan = planInstall(request(more));
      applyInstall(plan, home, now);
      return plan;
    },
    uninstall() {
      const removals = planUninstall(home, places);
      applyUninstall(removals, home);
      return removals;
    },
  };
}

const foreign = { type: "command", command: "./lint.sh", timeout: 5 };

test("where nothing was, the file is made, and uninstall leaves nothing behind", (t) => {
  const at = place(t);
  const plan = at.install();
  assert.equal(plan.before, undefined);
  assert.deepEqual(plan.problems, []);
  const { hooks } = at.json() as { hooks: Record<string, Json> };
  assert.deepEqual(Object.keys(hooks).sort(), [...registeredEvents].sort());
  assert.deepEqual(hooks.PreToolUse, [
    {
      hooks: [
        {
          type: "command",
          command: "/usr/bin/node",
          args: [program.script, "hook", "claude-code", "--event", "PreToolUse"],
          timeout: 10,
          onFailure: "block",
        },
      ],
    },
  ]);
  assert.equal(at.uninstall()[0]?.way, "restore");
  assert.equal(existsSync(at.file), false);
  assert.equal(existsSync(dirname(at.file)), false);
  assert.deepEqual(readManifest(at.home).installs, {});
});

test("a second run has nothing to do", (t) => {
  const at = place(t);
  at.put('{"model":"opus"}');
  at.install();
  const again = planInstall(at.request());
  assert.ok(again.nothingToDo);
  assert.equal(again.diff, "");
});

test("an install at another path is updated, not doubled; uninstall still restores the first file", (t) => {
  const at = place(t);
  const before = '{\n  "model": "opus"\n}\n';
  at.put(before);
  at.install();
  at.install({
    command: { node: "/other/node", script: "/home/u/.npm/_npx/1/interlock.cjs" },
    clientVersion: undefined,
  });
  const entries = hookEntries(at.json());
  assert.equal(entries.length, registeredEvents.length);
  for (const { handler } of entries) assert.match(String(handler.command), /^\/other\/node .*_npx/);
  assert.equal(at.uninstall()[0]?.way, "restore");
  assert.equal(at.text(), before);
});

test("events that are no longer wanted are taken out", (t) => {
  const at = place(t);
  at.install();
  at.install({ events: ["PreToolUse", "Stop"] });
  assert.deepEqual(
    hookEntries(at.json())
      .map((e) => e.event)
      .sort(),
    ["PreToolUse", "Stop"],
  );
});

test("foreign entries, comments and layout survive, byte for byte, round our own", async (t) => {
  const rows: [string, string][] = [
    [
      "two spaces",
      `{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      {\n` +
        `        "hooks": [{ "type": "command", "command": "x" }]\n      }\n    ]\n  }\n}\n`,
    ],
    ["tabs and CRLF", '{\r\n\t"permissions": {\r\n\t\t"deny": ["Read(.env)"]\r\n\t}\r\n}\r\n'],
    ["one line", '{"hooks":{"Stop":[{"matcher":"","hooks":[{"type":"command","command":"x"}]}]},"model":"x"}'],
    ["a byte order mark", '\ufeff{\n    "model": "x"\n}'],
    ["empty hooks", '{\n  "hooks": {},\n  "model": "x"\n}'],
    ["hooks on one line", '{\n  "hooks": {"PreToolUse": [], "Stop": [ ]},\n  "a": [1, 2]\n}\n'],
    [
      "comments",
      '// top\n{\n  "model": "x", // mine\n  /* hooks below */\n  "hooks": {\n' +
        "    // nothing yet\n  } // end\n  // tail\n}\n// after\n",
    ],
    ["a comment after the last member", '{\n  "model": "x" // mine\n}\n'],
    ["trailing commas", '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []},\n    ],\n  },\n}\n'],
    ["an empty object", "{}"],
    ["an empty object over two lines", "{\n}\n"],
    ["odd spacing", '  {  "a"  :  1  }  '],
  ];
  for (const [name, before] of rows)
    await t.test(name, () => {
      const at = place(t);
      at.put(before);
      const plan = at.install();
      assert.equal(plan.blocked, undefined);
      const left = [...before.matchAll(/\/\/[^\n]*|\/\*.*?\*\/|"(?:model|permissions|a)" *: *[^ ,}\n]*/g)];
      for (const [piece] of left) assert.ok(plan.after.includes(piece), piece);
      assert.equal(plan.after.includes("\r\n"), before.includes("\r\n"));
      assert.equal(/[^\r]\n/.test(plan.after), /[^\r]\n/.test(before) || name === "an empty object");
      assert.equal(at.uninstall()[0]?.way, "restore");
      assert.equal(at.text(), before);
    });
});

test("taken out again after someone else changed the file, only our entries go", (t) => {
  const at = place(t);
  at.put(
    '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }]\n  }\n}\n',
  );
  at.install();
  const changed = at.text().replace('"opus"', '"sonnet" ');
  at.put(changed);
  assert.equal(at.uninstall()[0]?.way, "remove");
  assert.equal(
    at.text(),
    '{\n  "model": "sonnet" ,\n  "hooks": {\n' +
      '    "Stop": [{ "hooks": [{ "type": "command", "command": "x" }] }]\n  }\n}\n',
  );
});

test("a container of the user's that was empty before stays", (t) => {
  const at = place(t);
  at.put('{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
  at.install();
  at.put(at.text().replace("{", '{\n  "model": "x",'));
  at.uninstall();
  assert.deepEqual(at.json(), { model: "x", hooks: { Stop: [] } });
});

test("a file we made goes when nothing else is in it, also after a change of its layout", (t) => {
  const at = place(t);
  at.install();
  at.put(JSON.stringify(at.json()));
  assert.equal(at.uninstall()[0]?.after, undefined);
  assert.equal(existsSync(at.file), false);
});

test("without a manifest our entries are found and taken out", (t) => {
  const at = place(t);
  at.put('{\n  "model": "x"\n}\n');
  at.install();
  rmSync(at.home, { recursive: true });
  assert.equal(at.uninstall()[0]?.way, "remove");
  assert.equal(at.text(), '{\n  "model": "x"\n}\n');
});

test("where nothing is installed there is nothing to uninstall", (t) => {
  const at = place(t);
  at.put('{"hooks":{"Stop":[]}}');
  assert.deepEqual(at.uninstall(), []);
  assert.equal(at.text(), '{"hooks":{"Stop":[]}}');
});

test("an install in another project stays", (t) => {
  const at = place(t);
  at.install();
  const other = { ...at.places, projectRoot: join(at.places.projectRoot, "..", "other") };
  mkdirSync(other.projectRoot);
  applyInstall(planInstall(at.request(other)), at.home, now);
  at.uninstall();
  assert.equal(existsSync(at.file), false);
  assert.ok(existsSync(settingsFile("project", other)));
  assert.deepEqual(Object.keys(readManifest(at.home).installs), [settingsFile("project", other)]);
});

test("the copy is kept privately and is what was there", (t) => {
  const at = place(t);
  at.put('{"model":"x"}');
  const plan = planInstall(at.request());
  const { backup } = applyInstall(plan, at.home, now);
  assert.equal(readFileSync(backup!, "utf8"), '{"model":"x"}');
  assert.equal(statSync(backup!).mode & 0o777, 0o600);
  const install = readManifest(at.home).installs[at.file]!;
  assert.match(`${install.before} ${install.after}`, /^[0-9a-f]{64} [0-9a-f]{64}$/);
});

test("a copy that was altered is not restored", (t) => {
  const at = place(t);
  at.put('{"model":"x"}');
  const { backup } = applyInstall(planInstall(at.request()), at.home, now);
  writeFileSync(backup!, '{"disableAllHooks":true}');
  assert.equal(at.uninstall()[0]?.way, "remove");
  assert.equal(at.text(), '{"model":"x"}');
});

test("mode and symbolic link stay", (t) => {
  const at = place(t);
  const real = join(at.places.projectRoot, "dotfiles.json");
  writeFileSync(real, "{}");
  chmodSync(real, 0o640);
  mkdirSync(dirname(at.file));
  symlinkSync(real, at.file);
  at.install();
  assert.ok(lstatSync(at.file).isSymbolicLink());
  assert.equal(statSync(real).mode & 0o777, 0o640);
  assert.match(readFileSync(real, "utf8"), /PreToolUse/);
  assert.deepEqual(readdirSync(dirname(at.file)), ["settings.json"]);
});

test("what cannot be done is said, and changes nothing", async (t) => {
  const rows: [string, string, RegExp][] = [
    ["broken JSON", '{"hooks": ', /line 1.*Repair it/],
    ["a list", "[]", /not a JSON object/],
    ["hooks twice", '{"hooks": {}, "hooks": {}}', /"hooks" is in the file twice/],
    ["an event twice", '{"hooks": {"PreToolUse": [], "PreToolUse": []}}', /"hooks.PreToolUse" is in the file twice/],
    ["hooks as a list", '{"hooks": []}', /"hooks" is not an object/],
    ["an event as an object", '{"hooks": {"Stop": {}}}', /"hooks.Stop" is not a list/],
  ];
  for (const [name, text, why] of rows)
    await t.test(name, () => {
      const at = place(t);
      at.put(text);
      const plan = planInstall(at.request());
      assert.match(plan.blocked ?? "", why);
      assert.throws(() => applyInstall(plan, at.home, now), why);
      assert.equal(at.text(), text);
    });
  await t.test("a link to nothing", () => {
    const at = place(t);
    mkdirSync(dirname(at.file));
    symlinkSync("/nonexistent/settings.json", at.file);
    assert.throws(() => at.install(), /link to a file that does not exist/);
  });
  await t.test("bytes that are not UTF-8", () => {
    const at = place(t);
    mkdirSync(dirname(at.file));
    writeFileSync(at.file, Buffer.from([0x7b, 0xff, 0x7d]));
    assert.throws(() => at.install(), /not UTF-8/);
  });
  await t.test("a pipe, a folder and a file too large", () => {
    const at = place(t);
    mkdirSync(dirname(at.file));
    execFileSync("mkfifo", [at.file]);
    assert.throws(() => at.install(), /no regular file/);
    rmSync(at.file);
    mkdirSync(at.file);
    assert.throws(() => at.install(), /no regular file/);
    rmSync(at.file, { recursive: true });
    writeFileSync(at.file, " ".repeat(8 * 1024 * 1024 + 1));
    assert.throws(() => at.install(), /larger than 8 MB/);
  });
  await t.test("a file changed after the plan", () => {
    const at = place(t);
    at.put("{}");
    const plan = planInstall(at.request());
    at.put('{"model":"x"}');
    assert.throws(() => applyInstall(plan, at.home, now), /changed since/);
    assert.equal(at.text(), '{"model":"x"}');
  });
});

test("a foreign entry that would void the file is named in the plan", (t) => {
  const at = place(t);
  at.put('{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}');
  const [problem] = planInstall(at.request()).problems;
  assert.deepEqual([problem?.path, problem?.effect], ["hooks.PreToolUse[0].hooks[0].timeout", "file"]);
});

test("a comment is kept and named as what makes the client ignore the file", (t) => {
  const at = place(t);
  at.put("{\n  // mine\n}\n");
  const plan = at.install();
  assert.match(plan.after, /\/\/ mine/);
  assert.equal(plan.problems[0]?.effect, "file");
});

test("adopted hooks leave the file and come back", async (t) => {
  const before = JSON.stringify(
    { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [foreign] }], Stop: [{ hooks: [foreign] }] } },
    null,
    2,
  );
  for (const changed of [false, true])
    await t.test(changed ? "after another change" : "byte for byte", () => {
      const at = place(t);
      at.put(before);
      const { foreignHooks } = planInstall(at.request());
      assert.equal(foreignHooks.length, 2);
      at.install({ adopt: foreignHooks });
      assert.ok(hookEntries(at.json()).every((entry) => isOurs(entry.handler)));
      if (changed) at.put(at.text().replace("{", '{ "model": "x",'));
      at.uninstall();
      if (!changed) assert.equal(at.text(), before);
      assert.deepEqual(at.json(), { ...(JSON.parse(before) as object), ...(changed ? { model: "x" } : {}) });
    });
});

test("the shell form is written for clients that may not know args, and is known again", async (t) => {
  const spaced = { node: "/opt/my node/bin/node", script: "/home/o'brien/dist/interlock.cjs" };
  const rows: [string | undefined, "exec" | "shell", boolean][] = [
    ["2.1.325", "exec", true],
    ["2.1.295", "exec", true],
    ["2.2.0", "exec", true],
    ["2.1.294", "shell", false],
    ["1.0.128", "shell", false],
    [undefined, "shell", true],
  ];
  for (const [clientVersion, form, closed] of rows)
    await t.test(`${clientVersion}`, () => {
      const handler = ourHandler("PreToolUse", {
        command: spaced,
        timeoutSeconds: 10,
        clientVersion,
        platform: "linux",
      });
      assert.equal(handler.args !== undefined, form === "exec");
      if (form === "shell")
        assert.equal(
          handler.command,
          "'/opt/my node/bin/node' '/home/o'\\''brien/dist/interlock.cjs' hook claude-code --event PreToolUse",
        );
      assert.equal(handler.onFailure, closed ? "block" : undefined);
      assert.ok(isOurs(handler));
      assert.equal(ourHandler("Stop", { command: spaced, timeoutSeconds: 1, clientVersion }).onFailure, undefined);
    });
});

test("what is ours and what is not", async (t) => {
  const rows: [JsonObject, boolean][] = [
    [{ type: "command", command: "npx agent-interlock hook claude-code" }, true],
    [{ type: "command", command: "interlock hook claude-code --event Stop" }, true],
    [{ type: "command", command: '"C:\\\\n\\\\interlock.cjs" hook claude-code' }, true],
    [{ type: "http", url: "http://127.0.0.1:4711/hook/claude-code?event=Stop" }, true],
    [{ type: "http", url: "http://example.com/hook/claude-code" }, false],
    [{ type: "http", url: "http://127.0.0.1:4711/hook/claude-codex" }, false],
    [{ type: "command", command: "echo interlock" }, false],
    [{ type: "command", command: "interlock hook gemini" }, false],
    [{ type: "command", command: "myinterlock hook claude-code" }, false],
    [{ type: "command", command: "node", args: ["/x/interlock.cjs", "hook", "claude-code"] }, true],
    [{ type: "prompt", prompt: "interlock hook claude-code" }, false],
    [{ type: "command", command: "hook claude-code" }, false],
  ];
  for (const [handler, expected] of rows)
    await t.test(JSON.stringify(handler), () => assert.equal(isOurs(handler), expected));
});

test("versions", () => {
  assert.ok(atLeast("2.1.295", "2.1.295") && atLeast("2.1.300", "2.1.295") && atLeast("3.0.0", "2.1.295"));
  assert.ok(atLeast("0.2.0", "0.2.0-rc.1") && !atLeast("0.2.0-rc.1", "0.2.0") && atLeast("0.2.0-rc.10", "0.2.0-rc.9"));
  assert.ok(atLeast("0.10.0-rc.1", "0.2.0") && atLeast("0.2.0+build", "0.2.0"));
  assert.ok(!atLeast("2.1.29", "2.1.295") && !atLeast("2.0.999", "2.1.295") && !atLeast(undefined, "2.1.295"));
});

test("the difference reads like diff -u and names both files", () => {
  assert.equal(
    unifiedDiff("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh", "x.json"),
    "--- x.json\n+++ x.json\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n-h\n+h\n\\ No newline at end of file\n",
  );
  assert.equal(unifiedDiff("", "{}\n", "x.json"), "--- /dev/null\n+++ x.json\n@@ -0,0 +1,1 @@\n+{}\n");
});

const handlers: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  foreign,
  { type: "http", url: "http://127.0.0.1:1/" },
  { type: "prompt", prompt: "p", timeout: 3 },
  { type: "command", command: "a 'b' \"c\" // no comment, }" },
);
const groups = fc.array(
  fc.record(
    { matcher: fc.constantFrom("", "Bash", "mcp__.*"), hooks: fc.array(handlers, { maxLength: 3 }) },
    { requiredKeys: ["hooks"] },
  ),
  { maxLength: 3 },
);
const foreignSettings = fc.record(
  {
    model: fc.string(),
    permissions: fc.record({ deny: fc.array(fc.string(), { maxLength: 3 }) }),
    hooks: fc.dictionary(fc.constantFrom(...registeredEvents, "Notification", "Bogus"), groups, { maxKeys: 5 }),
    env: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
  },
  { requiredKeys: [] },
);
const layouts = fc.record({
  indent: fc.constantFrom<string | number | undefined>(undefined, 2, 4, "\t"),
  eol: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n", "\n\n"),
  bom: fc.boolean(),
  comment: fc.boolean(),
});

test("uninstall restores the bytes of any foreign settings; installed, every foreign hook is still there", () => {
  fc.assert(
    fc.property(foreignSettings, layouts, fc.boolean(), (json, layout, changed) => {
      const at = place();
      try {
        const lines = JSON.stringify(json, null, layout.indent).replaceAll("\n", layout.eol);
        const noted = layout.comment ? lines.replace(/^\{/, `{ /* mine */`) : lines;
        const before = (layout.bom ? "\ufeff" : "") + noted + layout.end.replaceAll("\n", layout.eol);
        at.put(before);
        const plan = at.install();
        assert.equal(plan.blocked, undefined);
        const foreignNow = plan.foreignHooks.map(({ event, handler }) => ({ event, handler }));
        const after = planInstall(at.request());
        assert.ok(after.nothingToDo);
        assert.deepEqual(
          after.foreignHooks.map(({ event, handler }) => ({ event, handler })),
          foreignNow,
        );
        if (changed) {
          at.put(`${at.text()} `);
          at.uninstall();
          assert.equal(at.text(), `${before} `);
        } else {
          at.uninstall();
          assert.equal(at.text(), before);
        }
      } finally {
        at.remove();
      }
    }),
    { numRuns: 300 },
  );
});
