// The shim gives one whole answer to any stdin, with a server, without one, with a broken program, under every shell.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { serverPid } from "../../src/hook/server-address.js";
import { draftAddress, writeAddress } from "../../src/server/new-address.js";
import { shimPath, writeShim } from "../../src/server/shim.js";
import { forbidden, isRefusal, ordinary, type Place, payload, place, program, served, until } from "./server.js";
import { leftIn, spooling } from "./spooled.js";

const shells = ["/bin/sh", "/bin/dash", "/bin/bash", "/bin/ksh93", "/bin/mksh", "/usr/bin/yash"].filter(existsSync);
const posix = { skip: process.platform === "win32" ? "there is no sh here" : false };

function shimmed(at: Place, script = program): void {
  writeShim({ home: at.home, node: process.execPath, script, env: ["CLAUDE_PROJECT_DIR", "TDD_PHASE"] });
}

/** Beside the test's own loop, so that a supervisor in this process can answer. */
async function shim(
  at: Place,
  input: string | Buffer,
  event = "PreToolUse",
  more: { shell?: string; env?: Record<string, string>; path?: string } = {},
) {
  const { spawn } = await import("node:child_process");
  const child = spawn(more.shell ?? "/bin/sh", [shimPath(at.home), "hook", "claude-code", "--event", event], {
    cwd: at.project,
    env: { ...at.env, ...(more.path === undefined ? {} : { PATH: more.path }), ...more.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (part) => (text += part));
  child.stdin.on("error", () => {}); // a shim that answers before it has read everything would be seen by its answer
  child.stdin.end(input);
  const [code] = await once(child, "close");
  assert.equal(code, 0);
  return text;
}

for (const shell of shells)
  test(`${shell}: asks the server`, posix, async (t) => {
    const at = place(t);
    const { pool } = await served(at);
    await spooling(at);
    shimmed(at);
    assert.equal(isRefusal(await shim(at, forbidden(at), "PreToolUse", { shell })), true);
    assert.equal(await shim(at, ordinary(at), "PreToolUse", { shell }), "{}");
    assert.equal(pool.answered, 2);
  });

for (const shell of shells)
  test(
    `${shell}: without a server it runs the program and accepts only a complete answer with exit code 0`,
    posix,
    async (t) => {
      const at = place(t);
      const alone = { shell, env: { INTERLOCK_SERVER: "off" } };
      shimmed(at);
      assert.match(await shim(at, forbidden(at), "PreToolUse", alone), /BLOCKED guard\/self-protect/);
      assert.equal(await shim(at, ordinary(at), "PreToolUse", alone), "{}");
      const other = join(at.base, "other.cjs");
      for (const text of [
        "process.stdout.write('{}:0'); process.exit(1)",
        "process.stdout.write('{}:0')",
        "console.log('{} {')",
      ]) {
        writeFileSync(other, text);
        shimmed(at, other);
        assert.match(await shim(at, ordinary(at), "PreToolUse", alone), /BLOCKED interlock\/shim/, text);
      }
    },
  );

test("an answer that takes longer than a second is passed on the moment it comes", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at, { stuckMs: 60_000 });
  await spooling(at);
  shimmed(at);
  // The first sleep passes at once, every later one never: whoever waits for it to end would wait for ever.
  const bin = join(at.home, "slow-bin");
  const called = join(at.home, "slept");
  mkdirSync(bin);
  const lines = [
    "#!/bin/sh",
    `[ -e '${called}' ] || { : >'${called}'; exit; }`,
    `: >'${called}.twice'; exec tail -f /dev/null`,
  ];
  writeFileSync(join(bin, "sleep"), `${lines.join("\n")}\n`, { mode: 0o755 });
  const worker = (pool.about()["worker"] as { pid: number }).pid;
  process.kill(worker, "SIGSTOP");
  const answer = shim(at, forbidden(at), "PreToolUse", { path: `${bin}:${process.env["PATH"]}` });
  await until(() => existsSync(`${called}.twice`));
  process.kill(worker, "SIGCONT");
  assert.equal(isRefusal(await answer), true);
  assert.deepEqual(leftIn(at), []);
});

test("the shim asks the server even with a broken or empty PATH", posix, async (t) => {
  const at = place(t);
  const { pool } = await served(at);
  await spooling(at);
  shimmed(at);
  for (const path of ["/nowhere", ""])
    assert.equal(isRefusal(await shim(at, forbidden(at), "PreToolUse", { path })), true);
  assert.equal(pool.answered, 2);
});

const inputs: [string, string | Buffer][] = [
  ["nothing", ""],
  ["no JSON", "hello $(touch pwned) `touch pwned`"],
  ["shell in the payload", '{"tool_name":"$(touch pwned)","x":"`touch pwned`; touch pwned \' \\" \\\\ %s %n"}'],
  ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x22, 0x7d])],
  ["nul bytes", Buffer.from('{"a":"\u0000\u0000"}')],
  ["only line ends", "\n\n\n"],
  ["an option", "--help"],
];

test("any stdin gets one whole answer and is never executed", posix, async (t) => {
  const at = place(t);
  await served(at);
  await spooling(at);
  shimmed(at);
  for (const [name, input] of inputs) {
    const text = await shim(at, input);
    assert.equal(typeof JSON.parse(text), "object", name);
  }
  const large = payload(at, "Write", { file_path: join(at.project, "big.txt"), content: "ü".repeat(2_000_000) });
  assert.equal(await shim(at, large), "{}");
  assert.equal(existsSync(join(at.project, "pwned")), false);
});

test(
  "variables gates read travel with the event; one with a line break is judged without the server",
  posix,
  async (t) => {
    const at = place(t);
    const { pool } = await served(at);
    await spooling(at);
    shimmed(at);
    const env = { CLAUDE_PROJECT_DIR: at.project, TDD_PHASE: "red; $(touch pwned)" };
    assert.equal(await shim(at, ordinary(at), "PreToolUse", { env }), "{}");
    assert.equal(pool.answered, 1);
    const broken = { ...env, TDD_PHASE: "red\r\nX-Evil: 1" };
    assert.equal(await shim(at, ordinary(at), "PreToolUse", { env: broken }), "{}");
    assert.equal(pool.answered, 1);
    assert.equal(existsSync(join(at.project, "pwned")), false);
  },
);

test("without a server it decides the same by itself and starts the server", posix, async (t) => {
  const at = place(t);
  at.before(() => at.interlock("down"));
  writeAddress(at.home, draftAddress(at.home));
  shimmed(at);
  assert.equal(isRefusal(await shim(at, forbidden(at))), true);
  await until(() => serverPid(at.home) !== undefined);
});

test(
  "when neither the server nor the program answers, protected events are refused with the repair",
  posix,
  async (t) => {
    const at = place(t);
    const { end } = await served(at);
    await end("gone");
    const broken = join(at.base, "broken.cjs");
    for (const text of ["", "process.exit(1)", "console.log('{')", "throw 1"]) {
      writeFileSync(broken, text);
      shimmed(at, broken);
      const refused = await shim(at, ordinary(at));
      assert.equal(isRefusal(refused), true, text);
      assert.match(refused, /interlock doctor --fix/);
    }
    rmSync(broken);
    assert.equal(JSON.parse(await shim(at, "{}", "ConfigChange")).decision, "block");
    for (const event of ["UserPromptSubmit", "Stop", "PostToolUse"]) {
      const answer = JSON.parse(await shim(at, "{}", event));
      assert.deepEqual(Object.keys(answer), ["systemMessage"], event);
    }
  },
);

test("the shim is plain POSIX sh", posix, (t) => {
  const at = place(t);
  assert.equal(at.interlock("init", "--yes", "--door", "shim").status, 0);
  at.before(() => at.interlock("down"));
  const text = readFileSync(shimPath(at.home), "utf8");
  assert.doesNotMatch(text, /\[\[|^ *local |\$'|<<<|\bfunction\b|\/dev\/tcp|read -d|^ *timeout |mktemp/m);
  for (const shell of shells) assert.equal(spawnSync(shell, ["-n", shimPath(at.home)]).status, 0, shell);
});
