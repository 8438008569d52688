// The commands about runs through the built program: answers, exit codes, remedies, suggestions.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { interlockHome } from "../../src/hook/folders.js";
import { kitProcess } from "../../src/runs/child-process.js";
import { DirectoryQueue } from "../../src/runs/directory-queue.js";
import { pumpOnce } from "../../src/runs/pump.js";
import { type RunsProject, runsProject } from "./story.js";

const program = fileURLToPath(new URL("../../../dist/interlock.cjs", import.meta.url));
const fakeKit = fileURLToPath(new URL("fake-kit.js", import.meta.url));

interface Said {
  code: number | null;
  out: string;
  err: string;
  json: Record<string, unknown>;
}

function interlock(cwd: string, ...args: string[]): Said {
  const env = { PATH: process.env["PATH"], HOME: cwd, NO_COLOR: "1" };
  const run = spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: "utf8" });
  return {
    code: run.status,
    out: run.stdout,
    err: run.stderr,
    json: args.includes("--json") && run.stdout ? JSON.parse(run.stdout) : {},
  };
}

/** A parent run, a request it authored through the program, and the child that answered it. */
async function handedOver(): Promise<RunsProject & { parent: string; child: string; asked: string }> {
  const p = runsProject();
  const parent = p.run();
  p.write("specs/script.json", JSON.stringify({ write: { "results/r.txt": "r" }, print: "words" }));
  const said = interlock(
    p.root,
    "request",
    "math.full",
    "specs/script.json",
    "--run",
    parent.id,
    "--deliver",
    "results/**",
    "--json",
  );
  assert.equal(said.code, 0, said.err);
  const asked = said.json["request_id"] as string;
  const queue = new DirectoryQueue(p.root);
  const baseEnv = { PATH: process.env["PATH"], HOME: p.root, INTERLOCK_HOME: interlockHome({ HOME: p.root }) };
  const pumped = await pumpOnce({ ...p.rules, queue, baseEnv, runChild: kitProcess([process.execPath, fakeKit]) });
  return { ...p, parent: parent.id, child: pumped!.childRunId!, asked };
}

test("from the parent's id alone: list, show, tree, capsule, manifest, replay", async () => {
  const p = await handedOver();
  const list = interlock(p.root, "run", "list", "--json").json["runs"] as { run_id: string; status: string }[];
  assert.deepEqual(new Set(list.map((r) => r.run_id)), new Set([p.parent, p.child]));
  assert.match(interlock(p.root, "run", "show", p.child).out, /asked for by .* in rq-/);
  const tree = interlock(p.root, "run", "tree", p.parent);
  assert.equal(tree.code, 0);
  assert.match(
    tree.out,
    new RegExp(`research\\.run[^]*-> ${p.asked}  ok[^]*math\\.full specs/script\\.json  ok  ${p.child}\n +Goal: `),
  );
  assert.match(interlock(p.root, "run", "tree").out, new RegExp(p.child));
  assert.match(interlock(p.root, "run", "capsule", p.child).out, /^Made by Interlock:[^]*If blocked:/);
  assert.match(interlock(p.root, "run", "manifest", p.child).out, /truth {2}results\/r\.txt/);
  const replay = interlock(p.root, "run", "replay", p.parent);
  const order = [
    "run_started",
    "request_enqueued",
    "request_started",
    "request_accepted",
    "run_finished",
    "request_completed",
  ];
  let at = 0;
  for (const name of order) {
    const next = replay.out.indexOf(name, at);
    assert.ok(next >= at, `${name} in order:\n${replay.out}`);
    at = next;
  }
  for (const said of [tree, replay]) assert.doesNotMatch(said.out, /words/);
  assert.match(interlock(p.root, "run", "show", p.child.slice(-8)).out, /math\.full/, "by the end of its id");
});

test("validate passes what we wrote and finds what others changed, with line and remedy", async () => {
  const p = await handedOver();
  for (const [kind, glob] of [
    ["capsule", "runs/*/capsules/*.md"],
    ["manifest", "runs/*/manifests/*.json"],
    ["response", "interop/responses/*.json"],
    ["request", "interop/done/*.json"],
  ] as const) {
    const said = interlock(p.root, "validate", kind, glob, "--check-files", "--json");
    assert.equal(said.code, 0, said.out);
    assert.equal(said.json["files"], 1, kind);
  }
  const path = `runs/${p.child}/manifests/math_full.json`;
  const text = readFileSync(join(p.root, path), "utf8");
  writeFileSync(join(p.root, path), text.replace('"kit": "math"', '"kit": "maths"'));
  const bad = interlock(p.root, "validate", "manifest", path);
  assert.equal(bad.code, 1);
  const line = text.split("\n").findIndex((l) => l.includes('"kit"')) + 1;
  assert.match(bad.out, new RegExp(`math_full\\.json:${line}: .*\n  correct it: expected`));
  assert.equal(interlock(p.root, "run", "manifest", p.child).code, 1);
  writeFileSync(join(p.root, path), "{");
  const torn = interlock(p.root, "run", "manifest", p.child, "--json");
  assert.deepEqual([torn.code, torn.json["manifest"]], [1, null], "valid JSON about what is none");
  writeFileSync(join(p.root, `runs/${p.child}/capsules/math_full.md`), "Goal: x\n");
  assert.match(
    interlock(p.root, "validate", "capsule", "runs/*/capsules/*.md").out,
    /no line starts with "What happened:"/,
  );
  assert.equal(interlock(p.root, "run", "capsule", p.child).code, 1);
  assert.equal(interlock(p.root, "validate", "capsule", "none/*.md").code, 0);
  assert.equal(interlock(p.root, "validate", "capsule", "none.md").code, 1);
});

test("request refuses with a remedy and writes nothing", () => {
  const p = runsProject();
  const run = p.run();
  const rows: [string[], RegExp][] = [
    [["math.full", "../x", "--run", run.id], /args\.0[^]*'\.\.'[^]*give a path/],
    [["math.full", "specs/lemma.md", "--run", run.id, "--must-read", "/etc/passwd"], /must_read\.0/],
    [["research.run", "experiments/e.md", "--run", run.id], /cycle/],
    [["math.full", "--run", run.id], /0 given; math\.full takes path/],
  ];
  for (const [args, reason] of rows) {
    const said = interlock(p.root, "request", ...args);
    assert.equal(said.code, 1);
    assert.match(said.err, reason);
  }
  assert.match(interlock(p.root, "request", "math.ful", "specs/lemma.md").err, /did you mean math\.full\?/);
  assert.match(interlock(p.root, "request", "math.full", "specs/lemma.md").err, /say which run/);
  const dry = interlock(p.root, "request", "math.full", "specs/lemma.md", "--run", "last", "--dry-run", "--json");
  assert.equal((dry.json["request"] as { run_id: string }).run_id, run.id);
  mkdirSync(join(p.root, "interop/requests"), { recursive: true });
  assert.deepEqual(readdirSync(join(p.root, "interop/requests")), []);
});

test("an edited or forged run.json is noticed, refused and can be restored", () => {
  const p = runsProject();
  const root = p.run();
  const deep = p.run({ parentRunId: root.id, kit: "math", phase: "prove", args: ["specs/lemma.md"] });
  const file = join(p.root, "runs", deep.id, "run.json");
  const honest = readFileSync(file, "utf8");
  const ask = () => interlock(p.root, "request", "tdd.red", "specs/lemma.md", "--run", deep.id, "--json");
  const edits: Record<string, (record: Record<string, unknown>) => void> = {
    depth: (r) => (r["depth"] = 0),
    parent: (r) => (r["parent_run_id"] = null),
    root: (r) => (r["ancestors"] = []),
    phase: (r) => (r["phase"] = "audit"),
    budget: (r) => (r["read_budget"] = { max_files: 9, max_total_bytes: 9, allowed_paths: ["**"] }),
  };
  for (const [name, edit] of Object.entries(edits)) {
    const record = JSON.parse(honest) as Record<string, unknown>;
    edit(record);
    writeFileSync(file, JSON.stringify(record));
    const said = ask();
    assert.equal(said.code, 1, name);
    assert.match(said.out, /is not what was signed[^]*interlock run restore/, name);
    const shown = interlock(p.root, "run", "show", deep.id, "--json");
    assert.equal(shown.code, 1);
    const { record: believed, doubt } = shown.json as { record: { depth: number }; doubt: { kind: string } };
    assert.deepEqual([believed.depth, doubt.kind], [1, "altered"], `${name}: the signed record is shown`);
    assert.match(interlock(p.root, "run", "tree", root.id).out, new RegExp(`${deep.id}  altered`), name);
  }
  // A request made before the edit is answered, not run.
  writeFileSync(file, honest);
  const id = ask().json["request_id"] as string;
  writeFileSync(file, honest.replace('"depth": 1', '"depth": 0'));
  const pumped = interlock(p.root, "pump", "--request", id);
  assert.equal(pumped.code, 1);
  assert.match(pumped.out, /failed \(run_id: .* is not what was signed/);
  assert.match(interlock(p.root, "run", "restore", deep.id).out, /is as it was signed/);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), JSON.parse(honest));
  assert.equal(ask().code, 0);
  // Whitespace is not an edit.
  writeFileSync(file, JSON.stringify(JSON.parse(honest)));
  assert.equal(ask().code, 0);
});

test("a run nobody signed can't ask, and is marked", () => {
  const p = runsProject();
  const real = p.run();
  const made = "20260213T091500Z-00000001";
  const record = { ...real.record, run_id: made, depth: 0 };
  p.write(`runs/${made}/run.json`, JSON.stringify(record));
  p.write(`runs/${made}/events.jsonl`, "");
  const asked = interlock(p.root, "request", "math.full", "specs/lemma.md", "--run", made);
  assert.equal(asked.code, 1);
  assert.match(asked.err, /has no signed record[^]*interlock kit/);
  assert.match(interlock(p.root, "run", "list").out, new RegExp(`${made} .*unsigned`));
  assert.match(interlock(p.root, "run", "show", made).out, /unsigned: /);
  assert.equal(interlock(p.root, "run", "restore", made).code, 1);
  const kit = interlock(p.root, "kit", "--runtime", "true", "--parent-run-id", made, "tdd", "red", "specs/lemma.md");
  assert.equal(kit.code, 2);
  assert.match(kit.err, /has no signed record/);
  // A record of Interlock's own folder, without the key's signature.
  const own = join(p.root, ".local/state/interlock/projects");
  const folder = join(own, readdirSync(own)[0]!, "kits/runs");
  writeFileSync(join(folder, `${made}.json`), `${"0".repeat(64)}\n${JSON.stringify(record)}`);
  assert.match(interlock(p.root, "request", "math.full", "specs/lemma.md", "--run", made).err, /does not hold/);
});

test("pump answers what can't be run, once, and says when there is nothing", () => {
  const p = runsProject();
  p.run();
  assert.deepEqual([interlock(p.root, "pump").code, interlock(p.root, "pump").out], [0, "no request is waiting\n"]);
  writeFileSync(join(p.root, "interop/requests/RQ9.json"), "{");
  const first = interlock(p.root, "pump", "--request", "interop/requests/RQ9.json");
  assert.equal(first.code, 1);
  assert.match(first.out, /RQ9: failed \(not JSON/);
  assert.match(interlock(p.root, "pump", "--request", "RQ9").out, /answered before/);
  assert.match(interlock(p.root, "pump", "--request", "RQ10").err, /there is no request RQ10/);
  assert.equal(interlock(p.root, "pump", "--watch", "--once").code, 2);
});

test("query-log answers and refuses", () => {
  const p = runsProject();
  p.write("logs/a.log", "one\nError: two\nthree\n");
  assert.equal(interlock(p.root, "query-log", "tail", "logs/a.log", "--lines", "1").out, "three\n");
  assert.equal(interlock(p.root, "query-log", "grep", "^E.*two", "logs/a.log").out, "2: Error: two\n");
  assert.equal(interlock(p.root, "query-log", "errors", "logs/a.log", "--json").json["text"], "2: Error: two");
  const out = interlock(p.root, "query-log", "tail", "/etc/passwd");
  assert.deepEqual([out.code, out.out], [1, ""]);
  assert.match(out.err, /'\.\.'|outside|relative/);
  assert.match(interlock(p.root, "query-log", "tial", "logs/a.log").err, /did you mean tail\?/);
  assert.equal(interlock(p.root, "query-log", "grep", "logs/a.log").code, 2);
});

test("mistyped words and missing runs name what to do", () => {
  const p = runsProject();
  assert.match(interlock(p.root, "run", "lst").err, /did you mean list\?/);
  assert.match(interlock(p.root, "run", "show", "2020").err, /list them: interlock run list/);
  assert.match(interlock(p.root, "run", "list").out, /No runs yet\. Start one: interlock kit/);
  assert.match(interlock(p.root, "validate", "capsul", "x").err, /did you mean capsule\?/);
  for (const name of ["run", "request", "pump", "validate", "query-log"])
    assert.match(interlock(p.root, "help", name).out, /Usage: interlock .*[^]*Examples?:/, name);
});
