// The commands of the packs at a command line: help, JSON, wrong words, no repository, an empty one, damaged files.
// Invariant: wrong usage exits 2 and names the remedy; what the state forbids exits 1 and names the next step.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const folder = mkdtempSync(join(tmpdir(), "interlock-line-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const program = join(process.cwd(), "dist", "interlock.cjs");
const places = { repo: join(folder, "repo"), none: join(folder, "none"), empty: join(folder, "empty") };
for (const place of Object.values(places)) mkdirSync(place);
const git = (place: string, ...words: string[]) =>
  execFileSync("git", ["-C", place, "-c", "user.name=a", "-c", "user.email=a@b", ...words], { stdio: "ignore" });
for (const place of [places.repo, places.empty]) git(place, "init", "-q", "-b", "main");
git(places.repo, "commit", "-q", "--allow-empty", "-m", "first");

function interlock(where: keyof typeof places, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: places[where],
    env: { PATH: process.env["PATH"], HOME: folder, INTERLOCK_HOME: join(folder, "home") },
    encoding: "utf8",
    input: "",
  });
  return { status, out: stdout, err: stderr, text: stdout + stderr };
}

type Place = keyof typeof places;
const all: readonly Place[] = ["repo", "none", "empty"];
const rows: readonly [where: readonly Place[], line: string, status: number, says: RegExp][] = [
  [["repo"], "loop --help", 0, /loop start/],
  [["repo"], "discipline -h", 0, /safemode on\|off/],
  [["repo"], "lifecycle --help", 0, /advance/],
  [["repo"], "orphans --help", 0, /--end/],
  [all, "loop status", 0, /No loop is active/],
  [all, "discipline", 0, /Safemode is off/],
  [all, "discipline log", 0, /No call is on record/],
  [all, "discipline evidence", 0, /No test run/],
  [all, "discipline summary", 0, /No session/],
  [all, "lifecycle status", 0, /no workflow is active/],
  [all, "lifecycle next", 0, /interlock lifecycle start <workflow>/],
  [all, "lifecycle validate", 0, /are fine/],
  [["repo"], "loop chek 1", 2, /did you mean check\?/],
  [["repo"], "loop start", 2, /a task and at least one --criterion/],
  [["repo"], "loop start work --criterion", 2, /--criterion/],
  [["repo"], "loop start work --criteria x", 2, /did you mean --criterion\?/],
  [["repo"], "loop start work --criterion x --max 0", 2, /from 1 to 20/],
  [["repo"], "loop start work --criterion x --max 1000", 2, /from 1 to 20/],
  [["repo"], "loop check", 2, /by its number/],
  [["repo"], "loop check one", 2, /by its number/],
  [["repo"], "loop check 1 2", 2, /it takes no word "2"/],
  [["repo"], "loop log done", 2, /what came of it/],
  [["repo"], "loop status now", 2, /it takes no word "now"/],
  [all, "loop check 1", 1, /interlock loop start/],
  [all, "loop complete", 1, /interlock loop start/],
  [["repo"], "feedback --help", 0, /right\|wrong/],
  [["repo"], "feedback", 2, /which verdict/],
  [["repo"], "feedback v-1", 2, /right or wrong/],
  [["repo"], "feedback v-1 rigth", 2, /did you mean right\?/],
  [all, "feedback v-1 right", 1, /only a person/],
  [all, "discipline metrics", 0, /Doom loops: 0 caught/],
  [["repo"], "discipline statuss", 2, /did you mean status\?/],
  [["repo"], "discipline safemode", 2, /discipline safemode on\|off/],
  [["repo"], "discipline safemode maybe", 2, /discipline safemode on\|off/],
  [["repo"], "discipline safemode on now", 2, /it takes no word "now"/],
  [["repo"], "discipline status now", 2, /it takes no word "now"/],
  [["repo"], "discipline clear", 2, /discipline clear <release rule>/],
  [all, "discipline clear app", 2, /packs\.discipline\.release of interlock\.yaml/],
  [all, "discipline safemode on", 1, /only a person/],
  [["repo"], "orphans frob", 2, /it takes no word "frob"/],
  [["repo"], "orphans --end 1", 2, /<id>:<start>/],
  [["repo"], "lifecycle", 2, /say what to do/],
  [["repo"], "lifecycle advence", 2, /did you mean advance\?/],
  [["repo"], "lifecycle start", 2, /say which workflow: feature/],
  [all, "lifecycle start featre", 2, /did you mean feature\?/],
  [["repo"], "lifecycle start feature fix", 2, /it takes no word "fix"/],
  [["repo"], "lifecycle start feature --name ..", 2, /--name wants letters/],
  [["repo"], "lifecycle status now", 2, /it takes no word "now"/],
  [["repo"], "lifecycle cancel", 2, /a reason is needed/],
  [["repo"], "lifecycle redo", 2, /a reason is needed/],
  [["repo"], "lifecycle status --project x", 2, /names no project "x"/],
  [all, "lifecycle advance", 1, /interlock lifecycle start/],
  [["none"], "lifecycle start feature --branch", 1, /git init, or start without --branch/],
];
for (const [where, line, status, says] of rows)
  for (const place of where)
    test(`${place}: interlock ${line} -> ${status}`, () => {
      const done = interlock(place, ...line.split(" "));
      assert.equal(done.status, status, done.text);
      assert.match(done.text, says);
      assert.doesNotMatch(done.text, /\n {4}at |NaN|undefined|‹/, "no stack, no hole");
    });

test("every answer in JSON has a schema", () => {
  for (const line of [
    "loop status",
    "discipline status",
    "discipline log",
    "discipline evidence",
    "discipline summary",
    "lifecycle status",
    "lifecycle next",
    "lifecycle validate",
    "lifecycle list",
    "lifecycle advance",
    "orphans",
  ])
    assert.equal(JSON.parse(interlock("repo", ...line.split(" "), "--json").out).schema, 1, line);
});

test("an existing branch is reported before the workflow starts; a name becomes a valid branch name", () => {
  assert.equal(interlock("repo", "lifecycle", "start", "fix", "--branch", "--name", "..log in..lock").status, 0);
  const { stdout } = spawnSync("git", ["-C", places.repo, "branch", "--show-current"], { encoding: "utf8" });
  assert.equal(stdout.trim(), "fix/log-in-lock");
  assert.equal(interlock("repo", "lifecycle", "cancel", "--reason", "over").status, 0);
  const again = interlock("repo", "lifecycle", "start", "fix", "--branch", "--name", "log-in-lock");
  assert.equal(again.status, 1);
  assert.match(again.out, /is there already[^]*another --name/);
  assert.match(interlock("repo", "lifecycle", "status").out, /no workflow is active/);
});

test("a damaged state file is repaired by the named command, and nothing is lost", () => {
  const file = join(places.empty, ".isdlc", "state.json");
  assert.equal(interlock("empty", "lifecycle", "start", "fix").status, 0);
  for (const damage of ['{"active_workflow": {"type": "fi', "[]", ""]) {
    writeFileSync(file, damage);
    const told = interlock("empty", "lifecycle", "validate");
    assert.equal(told.status, 1, told.text);
    const command = /interlock (lifecycle redo) --reason/.exec(told.out)?.[1];
    assert.ok(command, told.out);
    assert.equal(interlock("empty", ...command.split(" "), "--reason", "the file was damaged").status, 0);
    assert.equal(interlock("empty", "lifecycle", "validate").status, 0, damage);
    const { active_workflow: now } = JSON.parse(readFileSync(file, "utf8"));
    assert.deepEqual([now.type, now.current_phase, now.phases.length], ["fix", "01-requirements", 8]);
    assert.equal(readFileSync(`${file}.damaged`, "utf8"), damage);
  }
  rmSync(file);
  assert.match(interlock("empty", "lifecycle", "status").out, /01-requirements/, "deleting it ends nothing");
  assert.equal(interlock("empty", "lifecycle", "redo", "--reason", "the file is gone").status, 0);
  assert.ok(existsSync(file));
});

const damages: [string, (isdlc: string) => void, says: RegExp, repair: (isdlc: string) => void][] = [
  [
    "a file in the place of .isdlc",
    (d) => {
      rmSync(d, { recursive: true });
      writeFileSync(d, "x");
    },
    /is a file where a folder belongs[^]*mv \.isdlc \.isdlc\.old/,
    (d) => renameSync(d, `${d}.old`),
  ],
  [
    "a folder in the place of the state",
    (d) => {
      rmSync(join(d, "state.json"));
      mkdirSync(join(d, "state.json"));
    },
    /is a folder where a file belongs[^]*mv \.isdlc\/state\.json/,
    (d) => renameSync(join(d, "state.json"), join(d, "state.json.old")),
  ],
  [
    "a damaged monorepo.json",
    (d) => writeFileSync(join(d, "monorepo.json"), '{"projects": 3'),
    /monorepo\.json is not JSON[^]*correct that file/,
    (d) => rmSync(join(d, "monorepo.json")),
  ],
  [
    "a damaged manifest",
    (d) => writeFileSync(join(d, "config", "skills-manifest.json"), "[1"),
    /skills-manifest\.json is not JSON[^]*correct that file/,
    (d) => rmSync(join(d, "config", "skills-manifest.json")),
  ],
];
for (const [name, damage, says, repair] of damages)
  test(`${name}: every command says so with its repair, and the repair works`, () => {
    const place = places.none;
    const isdlc = join(place, ".isdlc");
    interlock("none", "lifecycle", "cancel", "--reason", "over");
    rmSync(isdlc, { recursive: true, force: true });
    assert.equal(interlock("none", "lifecycle", "start", "fix").status, 0);
    damage(isdlc);
    for (const line of ["status", "validate", "next", "advance", "redo --reason x", "cancel --reason x"]) {
      const said = interlock("none", "lifecycle", ...line.split(" "));
      assert.equal(said.status, 1, `${line}: ${said.text}`);
      assert.match(said.out, says, line);
    }
    repair(isdlc);
    assert.equal(interlock("none", "lifecycle", "redo", "--reason", "repaired").status, 0);
    assert.equal(interlock("none", "lifecycle", "status").status, 0);
  });

test("invalid fields are repaired by the named command", () => {
  const file = join(places.empty, ".isdlc", "state.json");
  const state = JSON.parse(readFileSync(file, "utf8"));
  Object.assign(state, { mine: { kept: true }, skill_usage_log: "none" });
  Object.assign(state.active_workflow, { type: 7, current_phase_index: "zero" });
  writeFileSync(file, JSON.stringify(state));
  assert.match(interlock("empty", "lifecycle", "validate").out, /active_workflow\.type[^]*lifecycle redo/);
  assert.equal(interlock("empty", "lifecycle", "redo", "--reason", "odd fields").status, 0);
  assert.equal(interlock("empty", "lifecycle", "validate").status, 0);
  const now = JSON.parse(readFileSync(file, "utf8"));
  assert.deepEqual(
    [now.active_workflow.type, now.active_workflow.current_phase_index, now.mine],
    ["fix", 0, { kept: true }],
  );
});
