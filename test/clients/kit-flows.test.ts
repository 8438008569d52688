// The seed's three flows with the real Claude Code in every session: one kit asks another through request and pump.
// From the asking run's id alone the story is told, and nothing of its transcript reaches the other side.
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ModelStep, Script } from "../../src/live/model.js";
import { type Installed, installed } from "./installed.js";
import { capsuleText, kitSession } from "./kit-session.js";
import { call, needsClient } from "./workplace.js";

const secret = "words-of-the-transcript";
const slow = { ...needsClient, timeout: 600_000 };

function flowPlace(t: TestContext, files: Record<string, string>): Installed {
  const place = installed(t);
  for (const [path, text] of Object.entries(files)) place.put(path, text);
  const bin = place.path("../bin");
  mkdirSync(bin, { recursive: true });
  const tool = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  tool("interlock", `exec "${process.execPath}" "${place.script}" "$@"`);
  tool("lake", 'echo "Build completed successfully."');
  return place;
}

const shell = (command: string): ModelStep => call("Bash", { command, description: "a step", timeout: 500_000 });
const ask = (id: string, action: string, options: string): ModelStep[] => [
  { text: `My thoughts: ${secret}.`, ...shell(`interlock request ${action} --id ${id} ${options}`) },
  shell(`interlock pump --request ${id}`),
];
const phase = (place: Installed, kit: string, name: string, steps: ModelStep[]): Script => ({
  marker: `${kit} kit: ${name}`,
  steps: [...steps, { text: capsuleText(`${kit} ${name} in ${place.project.length}`, "done") }],
});

interface Response {
  status: string;
  child_run_id: string;
  deliverables: string[];
}

function reconstructed(place: Installed, parent: string, id: string, action: string): Response {
  const response = JSON.parse(place.read(`interop/responses/${id}.json`) ?? "{}") as Response;
  const tree = place.interlock("run", "tree", parent).stdout;
  assert.match(tree, new RegExp(`-> ${id}  ok[^]*${action.replace(".", "\\.")}[^]*${response.child_run_id}`));
  assert.match(place.interlock("run", "replay", parent).stdout, new RegExp(`request_completed[^\\n]*${id}`));
  for (const folder of ["interop/responses", "interop/done", `runs/${response.child_run_id}/artifacts`])
    for (const name of readdirSync(place.path(folder)))
      assert.ok(!readFileSync(join(place.path(folder), name), "utf8").includes(secret), `${folder}/${name}`);
  const valid = place.interlock("validate", "capsule", "runs/*/capsules/*.md");
  assert.equal(valid.status, 0, valid.stdout + valid.stderr);
  return response;
}

const metrics = JSON.stringify({
  ...{ experiment: "e", timestamp: "t", baseline: {}, treatment: {}, per_seed: [], sanity_checks: {} },
  resource_usage: { gpu_hours: 0, wall_clock_seconds: 1, total_training_steps: 0, total_runs: 1 },
  ...{ abort_triggered: false, abort_reason: null, notes: "" },
});
const statement = "theorem a : 1 = 1 := by\n  sorry\n";
const writer = (place: Installed) => (path: string, content: string) =>
  call("Write", { file_path: place.path(path), content });

test("research asks math for a proof: eight sessions of Claude Code below one", slow, async (t) => {
  const place = flowPlace(t, { "experiments/e.md": "# E\n", "specs/lemma.md": "# Lemma\n" });
  const write = writer(place);
  const edit = (old: string, now: string) =>
    call("Edit", { file_path: place.path("Lemma.lean"), old_string: old, new_string: now });
  const read = call("Read", { file_path: place.path("Lemma.lean") });
  const math: Record<string, ModelStep[]> = {
    survey: [write("notes.md", "x")],
    specify: [],
    construct: [write("Lemma.lean", statement)],
    formalize: [write("Lemma.lean", statement)],
    prove: [
      read,
      edit("1 = 1", "True"),
      edit("sorry", "rfl"),
      shell("lake build 2>&1 | tail -40"),
      shell("lake clean"),
    ],
    polish: [],
    audit: [write("CONSTRUCTION_LOG.md", "axiom: 0, sorry: 0\n")],
    log: [],
  };
  const { result, told, stderr, prompts } = await kitSession(
    place,
    ["research", "run", "experiments/e.md"],
    [
      phase(place, "research", "run", [
        ...ask("RQ-A", "math.full specs/lemma.md", '--must-read experiments/e.md --deliver "Lemma.lean"'),
        write("results/e/metrics.json", metrics),
      ]),
      ...Object.entries(math).map(([name, steps]) => phase(place, "math", name, steps)),
    ],
  );
  assert.equal(result.status, "ok", JSON.stringify(result) + stderr);
  const response = reconstructed(place, result.run_id, "RQ-A", "math.full");
  assert.deepEqual([response.status, response.deliverables], ["ok", ["Lemma.lean"]]);
  assert.equal(place.read("Lemma.lean"), statement.replace("sorry", "rfl"));
  const refused = told.filter((each) => each.isError).map((each) => each.text);
  assert.equal(refused.filter((text) => text.includes("BLOCKED kits/math")).length, 4, refused.join("\n"));
  assert.equal(prompts.length, 9, "each phase is a session of its own");
  for (const { marker, text } of prompts) assert.ok(!text.includes(secret), marker);
});

test("math asks research for an experiment", slow, async (t) => {
  const place = flowPlace(t, { "specs/lemma.md": "# Lemma\n", "experiments/c.md": "# C\n" });
  const write = writer(place);
  const { result, stderr } = await kitSession(
    place,
    ["math", "audit", "specs/lemma.md"],
    [
      phase(place, "math", "audit", [
        ...ask("RQ-B", "research.run experiments/c.md", '--deliver "results/c/*.json"'),
        write("CONSTRUCTION_LOG.md", "see results/c\n"),
      ]),
      phase(place, "research", "run", [
        shell("echo easier > experiments/c.md"),
        write("results/c/metrics.json", metrics),
      ]),
    ],
  );
  assert.equal(result.status, "ok", JSON.stringify(result) + stderr);
  assert.deepEqual(reconstructed(place, result.run_id, "RQ-B", "research.run").deliverables, [
    "results/c/metrics.json",
  ]);
  assert.equal(place.read("experiments/c.md"), "# C\n");
});

test("tdd asks research for a survey; a large log stays out of it", slow, async (t) => {
  const place = flowPlace(t, { "docs/f.md": "# F\n", "big.log": "a line of a log\n".repeat(20_000) });
  const write = writer(place);
  const { result, told, stderr } = await kitSession(
    place,
    ["tdd", "breadcrumbs", "docs/f.md"],
    [
      phase(place, "tdd", "breadcrumbs", [
        ...ask("RQ-C", 'research.survey "Which way is best"', '--deliver "notes/*.md"'),
        write("LAST_TOUCH.md", "see notes\n"),
      ]),
      phase(place, "research", "survey", [
        call("Read", { file_path: place.path("big.log") }),
        shell("cat big.log"),
        shell("interlock query-log tail big.log"),
        write("notes/ways.md", "one\n"),
      ]),
    ],
  );
  assert.equal(result.status, "ok", JSON.stringify(result) + stderr);
  assert.deepEqual(reconstructed(place, result.run_id, "RQ-C", "research.survey").deliverables, ["notes/ways.md"]);
  const refused = told.filter((each) => each.isError).map((each) => each.text);
  assert.equal(
    refused.filter((text) => /interlock query-log errors big\.log/.test(text)).length,
    2,
    refused.join("\n"),
  );
});
