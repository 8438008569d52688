import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Json, JsonObject } from "../../../model/json.js";
import { processorTime } from "../../../testing/processor-time.js";
import { JsoncError, parseJsonc, toJson } from "./jsonc.js";
import { describeProblem, hookEntries, readSettings, validateSettings } from "./settings.js";

const good = { type: "command", command: "true" };
const inEvent = (event: string, group: Json): JsonObject => ({ hooks: { [event]: [group] } });
const handler = (fields: Json): JsonObject => inEvent("PreToolUse", { hooks: [fields] });

test("what Claude Code drops, entry by entry", async (t) => {
  const first = "hooks.PreToolUse[0].hooks[0]";
  const rows: [string, Json, [path: string, effect: string][]][] = [
    [
      "nothing wrong",
      { hooks: { PreToolUse: [{ matcher: "Bash", hooks: [good] }] }, permissions: { deny: ["Read"] } },
      [],
    ],
    [
      "every type",
      inEvent("Stop", {
        hooks: [
          good,
          { type: "http", url: "http://h/" },
          { type: "prompt", prompt: "p" },
          { type: "agent", prompt: "p" },
          { type: "mcp_tool", server: "s", tool: "t", input: {} },
        ],
      }),
      [],
    ],
    [
      "every field",
      handler({
        ...good,
        args: ["a"],
        if: "Bash(x *)",
        shell: "bash",
        timeout: 0.5,
        onFailure: "block",
        statusMessage: "m",
        once: true,
        async: false,
        asyncRewake: false,
        more: 1,
      }),
      [],
    ],
    ["no hooks in a group", inEvent("PreToolUse", { hooks: [] }), []],
    ["an empty command", handler({ type: "command", command: "" }), []],
    ["not an object", [], [["", "file"]]],
    ["unknown type", handler({ type: "bogus", command: "true" }), [[`${first}.type`, "file"]]],
    ["no type", handler({ command: "true" }), [[`${first}.type`, "file"]]],
    ["no command", handler({ type: "command" }), [[`${first}.command`, "file"]]],
    ["a command list", handler({ type: "command", command: ["true"] }), [[`${first}.command`, "file"]]],
    ["args as text", handler({ ...good, args: "x" }), [[`${first}.args`, "file"]]],
    ["args of numbers", handler({ ...good, args: [1] }), [[`${first}.args`, "file"]]],
    ["another shell", handler({ ...good, shell: "fish" }), [[`${first}.shell`, "file"]]],
    ["if as a number", handler({ ...good, if: 5 }), [[`${first}.if`, "file"]]],
    ["async as text", handler({ ...good, async: "yes" }), [[`${first}.async`, "file"]]],
    ["once as text", handler({ ...good, once: "yes" }), [[`${first}.once`, "file"]]],
    ["a status that is no text", handler({ ...good, statusMessage: 5 }), [[`${first}.statusMessage`, "file"]]],
    ["timeout as text", handler({ ...good, timeout: "5" }), [[`${first}.timeout`, "file"]]],
    ["timeout 0", handler({ ...good, timeout: 0 }), [[`${first}.timeout`, "file"]]],
    ["timeout below 0", handler({ ...good, timeout: -1 }), [[`${first}.timeout`, "file"]]],
    ["timeout null", handler({ ...good, timeout: null }), [[`${first}.timeout`, "file"]]],
    ["bogus onFailure", handler({ ...good, onFailure: "deny" }), [[`${first}.onFailure`, "file"]]],
    ["http without url", handler({ type: "http" }), [[`${first}.url`, "file"]]],
    ["http with no URL", handler({ type: "http", url: "nope" }), [[`${first}.url`, "file"]]],
    [
      "http headers of numbers",
      handler({ type: "http", url: "http://h/", headers: { a: 1 } }),
      [[`${first}.headers`, "file"]],
    ],
    ["prompt without prompt", handler({ type: "prompt" }), [[`${first}.prompt`, "file"]]],
    ["mcp_tool without tool", handler({ type: "mcp_tool", server: "s" }), [[`${first}.tool`, "file"]]],
    ["a handler that is text", handler("echo"), [[first, "file"]]],
    ["a handler that is null", handler(null), [[first, "file"]]],
    [
      "matcher as a number",
      inEvent("PreToolUse", { matcher: 5, hooks: [] }),
      [["hooks.PreToolUse[0].matcher", "file"]],
    ],
    ["matcher null", inEvent("PreToolUse", { matcher: null, hooks: [] }), [["hooks.PreToolUse[0].matcher", "file"]]],
    ["no hooks list", inEvent("PreToolUse", { matcher: "Bash" }), [["hooks.PreToolUse[0].hooks", "file"]]],
    ["hooks as an object", inEvent("PreToolUse", { hooks: {} }), [["hooks.PreToolUse[0].hooks", "file"]]],
    ["a group that is text", inEvent("PreToolUse", "x"), [["hooks.PreToolUse[0]", "file"]]],
    ["PermissionRequest voids too", inEvent("PermissionRequest", "x"), [["hooks.PermissionRequest[0]", "file"]]],
    [
      "other events lose the entry only",
      inEvent("Stop", { hooks: [{ type: "bogus" }, good] }),
      [["hooks.Stop[0].hooks[0].type", "entry"]],
    ],
    ["an event that is no list", { hooks: { Stop: { hooks: [good] } } }, [["hooks.Stop", "entry"]]],
    ["hooks that are no object", { hooks: [] }, [["hooks", "entry"]]],
    ["an unknown event", inEvent("Bogus", {}), [["hooks.Bogus", "harmless"]]],
    ["deny as text", { permissions: { deny: "Bash" } }, [["permissions.deny", "file"]]],
    ["one bad rule", { permissions: { deny: ["Bash", 5] } }, [["permissions.deny[1]", "entry"]]],
    ["permissions as a list", { permissions: [] }, [["permissions", "file"]]],
    ["a bogus mode", { permissions: { defaultMode: "bogus" } }, [["permissions.defaultMode", "file"]]],
    [
      "folders as text",
      { permissions: { additionalDirectories: "x" } },
      [["permissions.additionalDirectories", "file"]],
    ],
    ["disableAllHooks as text", { disableAllHooks: "true" }, [["disableAllHooks", "file"]]],
    ["disableAllHooks null", { disableAllHooks: null }, [["disableAllHooks", "file"]]],
    ["model as a number", { model: 5 }, [["model", "file"]]],
    ["env as a list", { env: [] }, [["env", "file"]]],
    ["env with a number", { env: { A: 1 } }, []],
    ["statusLine as text", { statusLine: "x" }, [["statusLine", "file"]]],
    ["plugins as a list", { enabledPlugins: ["x"] }, [["enabledPlugins", "file"]]],
    ["unknown keys", { bogus: { a: 1 } }, []],
  ];
  for (const [name, json, expected] of rows)
    await t.test(name, () => {
      assert.deepEqual(
        validateSettings(json).map(({ path, effect }) => [path, effect]),
        expected,
      );
    });
});

test("a problem is said in one sentence with its effect", () => {
  const [problem] = validateSettings(handler({ ...good, timeout: "5" }));
  assert.equal(
    describeProblem(problem!),
    'hooks.PreToolUse[0].hooks[0].timeout: it must be a number of seconds above 0, and is "5"; ' +
      "Claude Code ignores the whole file, silently",
  );
});

test("files the client reads and files it does not", async (t) => {
  const rows: [string, string | undefined, string | undefined][] = [
    ["no file", undefined, undefined],
    ["an empty file", "", undefined],
    ["only a byte order mark", "\ufeff\n", undefined],
    ["a byte order mark", '\ufeff{"model":"x"}', undefined],
    ["CRLF", '{\r\n  "model": "x"\r\n}\r\n', undefined],
    ["a line comment", '{\n  // mine\n  "model": "x"\n}', "comment on line 2"],
    ["a block comment", '/* mine */{"model":"x"}', "comment on line 1"],
    ["a trailing comma", '{\n"a": [1,],\n"b": 2}', "trailing comma on line 2"],
    ["cut off", '{"a": ', "not JSON: line 1"],
    ["a list", "[]", "not a JSON object"],
    ["text after the end", "{} x", "not JSON"],
    ["an open comment", "{} /* x", "not JSON"],
    ["single quotes", "{'a': 1}", "not JSON"],
    ["too deep", `${"[".repeat(9_000)}`, "not JSON"],
  ];
  for (const [name, text, why] of rows)
    await t.test(name, () => {
      const { problems } = readSettings(text);
      assert.equal(
        problems.some((problem) => problem.effect === "file"),
        why !== undefined,
        JSON.stringify(problems),
      );
      if (why) assert.ok(problems[0]!.why.includes(why), problems[0]!.why);
    });
});

test("a key that is there twice is named, and the last one counts", () => {
  const settings = readSettings('{"hooks": {"Stop": []}, "hooks": {"Stop": [], "Stop": [{"hooks": []}]}}');
  assert.ok(settings.ok);
  assert.deepEqual(settings.problems.map((p) => [p.path, p.effect]).sort(), [
    ["hooks", "harmless"],
    ["hooks.Stop", "harmless"],
  ]);
  assert.deepEqual(settings.json, { hooks: { Stop: [{ hooks: [] }] } });
});

test("the tolerant reader reads JSON as JSON.parse does", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 2, "\t"), (text, indent) => {
      const value: unknown = JSON.parse(text);
      assert.deepEqual(toJson(parseJsonc(JSON.stringify(value, null, indent)).root), value);
    }),
    { numRuns: 500 },
  );
});

test("the tolerant reader refuses what JSON.parse refuses, but for comments and trailing commas", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"1a \\nul-.etr') }), (text) => {
      let strict = true;
      try {
        JSON.parse(text);
      } catch {
        strict = false;
      }
      try {
        const lenient = parseJsonc(text).leniency !== undefined;
        assert.ok(strict || lenient, text);
      } catch (fault) {
        assert.ok(fault instanceof JsoncError && !strict, text);
      }
    }),
    { numRuns: 5_000 },
  );
});

test("a file of nothing but comments takes time in proportion to its size", async () => {
  const cost = (count: number) => {
    const text = `{}${"//\n".repeat(count)}`;
    return processorTime(() => parseJsonc(text));
  };
  await cost(100_000);
  const small = await cost(100_000);
  const large = await cost(800_000);
  assert.ok(large < 60 * small, `${small} µs, then ${large} µs`);
});

test("handlers are listed with their place", () => {
  const entries = hookEntries({
    hooks: { Stop: [{ hooks: [good] }, "x", { matcher: "Bash", hooks: [3, good] }], Bad: 5, PreToolUse: [{}] },
  });
  assert.deepEqual(entries, [
    { event: "Stop", group: 0, index: 0, handler: good },
    { event: "Stop", matcher: "Bash", group: 2, index: 1, handler: good },
  ]);
});
