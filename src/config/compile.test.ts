import assert from "node:assert/strict";
import { test } from "node:test";
import { entriesOf, tighterOf } from "../model/setting.js";
import { compile } from "./compile.js";
import { configSchema } from "./schema.js";

const build = (user?: string, project?: string, consented = false) =>
  compile({ name: "user.yaml", text: user }, { name: "interlock.yaml", text: project }, consented);

test("without files the guard enforces and your own rules are off", async () => {
  const { config, problems } = await build();
  assert.deepEqual(problems, []);
  assert.equal(config.packs["guard"]!.mode, "enforce");
  assert.equal(config.packs["rules"]!.enabled, false);
});

test("problems name the file, the key, the nearest known key and the line", async () => {
  const rows: [string, RegExp][] = [
    ["pakcs: {}", /interlock\.yaml: unknown key "pakcs"; did you mean "packs"\?.*line 1/],
    ["packs:\n  gaurd: {}", /unknown key "packs\.gaurd"; did you mean "guard"\? Known here: .*guard.*line 2/],
    ["packs:\n  guard:\n    mode: enforced", /"packs\.guard\.mode".*line 3/],
    [
      "packs:\n  guard:\n    gates:\n      self-protct: warn",
      /unknown key "packs\.guard\.gates\.self-protct"; did you mean "self-protect"/,
    ],
    ["rules:\n  - on: shell\n    mesage: no", /mesage/],
    [
      "rules:\n  - on: shell\n    message: no\n    match: '(?=x)'",
      /rule "rule-1": match is not a pattern.*look-around/,
    ],
    ["rules:\n  - {on: shell, message: a, id: x}\n  - {on: shell, message: b, id: x}", /the id "x" is used twice/],
    ["rules: [", /not valid YAML/],
    ["- a\n- b", /must be a mapping/],
    ["a: &a [1]\nb: *a", /alias/],
    ["mode: x\nmode: y", /not valid YAML.*unique/i],
    ["x: !!js/function 'f'", /unknown key "x"|not valid YAML/],
  ];
  for (const [text, expected] of rows) {
    const { problems } = await build(undefined, text);
    assert.match(problems.join("\n"), expected, text);
  }
});

test("an exception must name a refusal", async () => {
  const except = (entry: string) => build(`packs:\n  guard:\n    except: ["${entry}"]`);
  for (const [entry, near] of [
    ["git-rest-hard", "git-reset-hard"],
    ["helm-unistall", "helm-uninstall"],
    ["gti-*", undefined],
  ] as const) {
    const { config, problems } = await except(entry);
    assert.match(problems.join("\n"), /^packs\.guard\.except: no refusal is called "/);
    if (near) assert.match(problems.join("\n"), new RegExp(`did you mean "${near}"`));
    assert.deepEqual(config.packs["guard"]!.options["except"], []);
  }
  for (const entry of ["git-reset-hard", "git-*", "helm-uninstall"]) {
    const { config, problems } = await except(entry);
    assert.deepEqual(problems, []);
    assert.deepEqual(config.packs["guard"]!.options["except"], [entry]);
  }
});

test("a file with a problem is ignored, the other one still counts", async () => {
  const { config, problems } = await build("packs:\n  guard:\n    mode: warn", "nonsense: 1");
  assert.equal(problems.length, 1);
  assert.equal(config.packs["guard"]!.mode, "warn");
});

test("a project may tighten settings; it may loosen them only with consent", async () => {
  const loose = "packs:\n  guard:\n    mode: observe\n    gates:\n      self-protect: off";
  const kept = await build(undefined, loose);
  assert.equal(kept.config.packs["guard"]!.mode, "enforce");
  assert.deepEqual(
    kept.loosened.map((l) => l.path),
    ["packs.guard.mode", "packs.guard.gates.self-protect"],
  );
  const consented = await build(undefined, loose, true);
  assert.equal(consented.config.packs["guard"]!.mode, "observe");
  const tightened = await build("packs:\n  guard:\n    mode: warn", "packs:\n  guard:\n    mode: enforce");
  assert.equal(tightened.config.packs["guard"]!.mode, "enforce");
});

test("a project cannot turn off a gate that the user did not mention", async () => {
  const { config } = await build(undefined, "packs:\n  guard:\n    gates:\n      self-protect: off");
  assert.notEqual(config.packs["guard"]!.gates["self-protect"], "off");
});

test("user and project rules add up; a project cannot replace a user's rule by id", async () => {
  const { config } = await build(
    "rules:\n  - {id: a, on: shell, match: x, message: user}",
    "rules:\n  - {id: a, on: shell, match: y, message: project}\n  - {id: b, on: write, message: more}",
  );
  const rules = config.packs["rules"]!.options["rules"] as { id: string; message: string }[];
  assert.deepEqual(
    rules.map((r) => `${r.id}:${r.message}`),
    ["a:user", "b:more"],
  );
});

test("every setting says which value is tighter", async () => {
  const missing: string[] = [];
  const walk = (schema: unknown, path: string) => {
    const entries = entriesOf(schema);
    if (!entries) {
      if (!tighterOf(schema)) missing.push(path);
      return;
    }
    for (const [key, inner] of Object.entries(entries)) walk(inner, path ? `${path}.${key}` : key);
  };
  walk(await configSchema(), "");
  assert.deepEqual(missing, []);
});

test("a user's list replaces the default; a project's list is added to it", async () => {
  const required = async (user?: string, project?: string) =>
    ((await build(user, project)).config.packs["discipline"]!.options["research"] as { require: string[] }).require;
  const local = "packs: {discipline: {research: {require: [local]}}}";
  assert.deepEqual(await required(), ["docs", "web", "github", "local"]);
  assert.deepEqual(await required(local), ["local"]);
  assert.deepEqual(await required(undefined, local), ["docs", "web", "github", "local"]);
  assert.deepEqual(await required(local, "packs: {discipline: {research: {require: [web]}}}"), ["local", "web"]);
});
