// Commands reserved to people: refused in an agent's shell, however disguised, and without a terminal.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { atTerminal } from "./terminal.js";

const script = join(process.cwd(), "dist/interlock.cjs");

function place(t: TestContext) {
  const base = mkdtempSync(join(tmpdir(), "interlock-persons-"));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "project");
  const home = join(base, "home");
  for (const folder of [root, home]) mkdirSync(folder);
  spawnSync("git", ["init", "-q", root]);
  writeFileSync(join(root, "interlock.yaml"), "packs:\n  guard: { mode: observe }\n");
  symlinkSync("/bin/sh", join(base, "claude"));
  const env = { PATH: process.env["PATH"]!, HOME: home, INTERLOCK_HOME: join(base, "interlock") };
  const run = (args: string[], more: Record<string, string> = {}) =>
    spawnSync(process.execPath, [script, ...args], {
      cwd: root,
      env: { ...env, ...more },
      encoding: "utf8",
      input: "y\n",
    });
  const event = { session_id: "s", cwd: root, hook_event_name: "UserPromptSubmit", prompt: "fix the reader" };
  for (let i = 0; i < 3; i++)
    spawnSync(process.execPath, [script, "hook", "claude-code"], { input: JSON.stringify(event), env, cwd: root });
  return {
    home: env.INTERLOCK_HOME,
    folder: join(env.INTERLOCK_HOME, "projects", identify(root).id),
    store: () => openStore({ home: env.INTERLOCK_HOME, id: identify(root).id }),
    run,
    type: (...args: string[]) => atTerminal([process.execPath, script, ...args], root, env),
    /** A terminal an agent made: below it, or with what it leaves in the environment. */
    below: (...args: string[]) =>
      atTerminal(
        [join(base, "claude"), "-c", `${[process.execPath, script, ...args].map((w) => `'${w}'`).join(" ")}; true`],
        root,
        env,
      ).text,
    marked: (...args: string[]) =>
      atTerminal([process.execPath, script, ...args], root, { ...env, CLAUDECODE: "1" }).text,
  };
}

const terminal: string[][] = [
  ["trust", "--yes"],
  ["trust", "--yes", "--json"],
  ["recover", "--reason", "x"],
  ["discipline", "safemode", "off"],
  ["discipline", "breaker", "reset"],
  ["lifecycle", "approve", "--reason", "x"],
  ["lifecycle", "accept", "--reason", "x"],
  ["allow", "v-1", "--reason", "x"],
  ["pause", "--reason", "x"],
  ["learn", "--accept", "frobnicate", "--as", "read", "--yes"],
  ["learn", "frobnicate", "--run-help"],
];
const scripted: string[][] = [
  ["restore", "v-1"],
  ["seal", "--yes"],
  ["erase", "--before", "0d", "--yes"],
  ["key", "--file"],
];

function cutRecord(folder: string): void {
  const ledger = join(folder, "ledger");
  const [segment] = readdirSync(ledger).filter((name) => name.endsWith(".jsonl"));
  const lines = readFileSync(join(ledger, segment!), "utf8").trimEnd().split("\n");
  writeFileSync(join(ledger, segment!), `${lines.slice(0, -1).join("\n")}\n`);
}

test("neither an agent nor a missing terminal passes for a person", (t) => {
  const p = place(t);
  cutRecord(p.folder);
  const before = p.store().read();
  for (const args of [...terminal, ...scripted]) {
    assert.match(p.below(...args), /only a person may do this|"refused": true/, args.join(" "));
    assert.match(p.marked(...args), /CLAUDECODE is set/, args.join(" "));
  }
  for (const args of terminal) {
    const { status, stderr, stdout } = p.run(args);
    assert.equal(status, 1, args.join(" "));
    assert.match(stderr + stdout, /there is no terminal/, args.join(" "));
  }
  assert.equal(existsSync(join(p.home, "consents.json")), false);
  const after = p.store().read();
  assert.equal(after.condition.ok, before.condition.ok);
  assert.equal(after.condition.ok, false);
});

test("a person at a terminal may trust, recover and change discipline", (t) => {
  const p = place(t);
  assert.match(p.type("trust", "--yes").text, /would loosen[^]*Trusted/);
  assert.match(p.type("trust", "--yes").text, /Already trusted/);
  assert.equal(p.run(["trust", "--revoke"]).status, 0, "taking consent back tightens: anybody may");
  assert.match(p.type("discipline", "safemode", "on").text, /Done: safemode on/);
  cutRecord(p.folder);
  assert.match(p.type("recover", "--reason", "a test cut it").text, /Recovered/);
  const last = [...p.store().records()].at(-1)!;
  assert.equal(last.type, "recover");
  assert.equal(p.store().read().condition.ok, true);
});
