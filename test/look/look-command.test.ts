// `interlock look` as people run it: the built program, no installation, nothing written.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { compile } from "../../src/config/compile.js";
import { temporary } from "../../src/testing/temporary.js";
import { plantedSessions } from "./planted.js";

const script = join(process.cwd(), "dist", "interlock.cjs");
const home = temporary("look-home");
const projects = join(home, ".claude", "projects", "-home-ada-p");
mkdirSync(projects, { recursive: true });
for (const { name, text } of plantedSessions(20)) writeFileSync(join(projects, `${name}.jsonl`), text);

function look(...args: string[]) {
  const env = { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1" };
  return spawnSync(process.execPath, [script, "look", ...args], { env, cwd: home, encoding: "utf8" });
}

test("the first screen: at most 24 lines of 80 columns, and nothing is written", () => {
  const before = readdirSync(home, { recursive: true });
  const { status, stdout, stderr } = look();
  assert.equal(status, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assert.ok(lines.length <= 24, `${lines.length} lines`);
  for (const line of lines) assert.ok(line.length <= 80, line);
  assert.match(stdout, /^20 sessions, \d+ calls/);
  assert.match(stdout, /3 commits made directly on main +2 /);
  assert.match(stdout, /interlock init/);
  assert.deepEqual(readdirSync(home, { recursive: true }), before);
});

test("a number opens to its cases, with the place in the transcript", () => {
  const { status, stdout } = look("--case", "3");
  assert.equal(status, 0);
  assert.match(stdout, /commits made directly on main/);
  assert.match(stdout, /git commit -m "change 4"/);
  assert.match(stdout, /mainCommit.*\.jsonl:\d+/);
});

test("--json has the same numbers; --html writes the one page that was asked for", () => {
  const file = join(home, "look.html");
  const { stdout } = look("--json", "--html", file);
  const report = JSON.parse(stdout) as { schema: number; incidents: { number: number; id: string; count: number }[] };
  assert.equal(report.schema, 1);
  assert.equal(report.incidents.find((line) => line.number === 3)?.count, 2);
  assert.ok(existsSync(file));
  assert.match(readFileSync(file, "utf8"), /<details id="n3">/);
});

test("the suggested configuration is one that Interlock accepts", async () => {
  const { stdout } = look("--suggest");
  const { problems, config } = await compile({ name: "suggested", text: stdout }, { name: "", text: undefined });
  assert.deepEqual(problems, []);
  assert.equal(config.packs["guard"]?.mode, "enforce");
  assert.ok(Object.values(config.packs["discipline"]!.gates).includes("enforce"));
  assert.equal(config.packs["rules"]?.enabled, true);
});

test("what can't be looked at says what to do", () => {
  const nowhere = look("/nowhere");
  assert.equal(nowhere.status, 2);
  assert.match(nowhere.stderr, /does not exist/);
  const badNumber = look("--case", "x");
  assert.equal(badNumber.status, 2);
  const high = look("--case", "999");
  assert.equal(high.status, 2);
  assert.match(high.stderr, /numbers go from 1 to/);
  const empty = look(temporary("look-empty"));
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /Name a folder with transcripts/);
});
