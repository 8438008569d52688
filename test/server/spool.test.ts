// The spool: the command hook and the shim ask the server using files only. Who answers, who proves what, and that
// foreign files do nothing.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bellIn, spoolFolder } from "../../src/hook/spool-protocol.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import {
  forbidden,
  isRefusal,
  logOf,
  ordinary,
  type Place,
  payload,
  place,
  program,
  send,
  served,
  until,
} from "./server.js";
import { askSpool, call, leftIn, manners, ring, serversBearings, spooling } from "./spooled.js";

const posix = { skip: process.platform === "win32" ? "there are no FIFOs here" : false };
const linux = { skip: process.platform === "linux" ? false : "who waits can be seen on Linux only" };

const recordsOf = (at: Place) => [...openStore({ home: at.home, id: identify(at.project).id }).records()];

async function spooled(t: Parameters<typeof place>[0], times: Parameters<typeof served>[1] = {}) {
  const at = place(t);
  const server = await served(at, times);
  await spooling(at);
  return { at, ...server };
}

for (const manner of manners) {
  test(`the ${manner} gets one answer from the server and leaves no file behind`, posix, async (t) => {
    const { at, pool } = await spooled(t);
    assert.equal(isRefusal((await call(manner, at, forbidden(at))).text), true);
    assert.equal((await call(manner, at, ordinary(at))).text, "{}");
    assert.equal(pool.answered, 2);
    assert.equal(recordsOf(at).length, 2);
    assert.deepEqual(leftIn(at), []);
  });

  test(`the ${manner}: bytes arrive as they were sent, up to 8 MB; more is refused`, posix, async (t) => {
    const { at, pool, door } = await spooled(t);
    const whole = payload(at, "Write", { file_path: join(at.project, "a.txt"), content: "a" });
    const inputs: [string, string | Buffer][] = [
      ["no line end", whole],
      ["line ends", `\n\n${whole}\n\n\n`],
      ["nul bytes", `${whole}\0`],
      ["no text", Buffer.from([0x7b, 0xff, 0xfe, 0x0a, 0x0a, 0x80, 0x7d])],
      ["nothing", ""],
      ["nearly 8 MB", payload(at, "Write", { file_path: "b.txt", content: "x".repeat(8 * 1024 * 1024 - 1_000) })],
    ];
    for (const [name, input] of inputs) {
      const { text } = await call(manner, at, input);
      const other = await send(door, String(input) === input ? input : (input as unknown as string));
      // Over http an unreadable payload names no project, so it has no record and no id.
      assert.equal(text.replace(/ \[v-\d+\]/, ""), other.replace(/ \[v-\d+\]/, ""), name);
    }
    assert.equal(pool.answered, 2 * inputs.length);
    const { text } = await call(manner, at, payload(at, "Write", { file_path: "c", content: "x".repeat(9 << 20) }));
    assert.equal(isRefusal(text), true);
  });

  test(`the ${manner}: adopted hooks run in the agent's environment, not in the server's`, posix, async (t) => {
    const { at, pool } = await spooled(t);
    const command = `printf '%s' "$AGENT_SECRET" > ${join(at.base, "seen")}`;
    writeFileSync(
      join(at.home, "adopted.json"),
      JSON.stringify([{ event: "PreToolUse", command, source: join(at.base, "settings.json") }]),
    );
    assert.equal((await call(manner, at, ordinary(at), { env: { AGENT_SECRET: "only here" } })).text, "{}");
    assert.equal(readFileSync(join(at.base, "seen"), "utf8"), "only here");
    assert.equal(pool.answered, 1);
    assert.equal(recordsOf(at).length, 1);
  });
}

test("the hook decides by itself when the server would see another environment", linux, async (t) => {
  const { at, pool } = await spooled(t);
  const elsewhere: [string, Parameters<typeof call>[3]][] = [
    ["a variable that cannot travel", { env: { CLAUDE_PROJECT_DIR: `${at.project}\n` } }],
    ["another home of the user", { env: { HOME: at.project } }],
    ["one gate alone", { args: ["--only", "guard/self-protect"] }],
    ["inside an adopted hook", { env: { INTERLOCK_REENTRY: "x" } }],
    ["a session's start", { event: "SessionStart" }],
  ];
  for (const [name, more] of elsewhere) {
    assert.equal(typeof JSON.parse((await call("hook", at, ordinary(at), more)).text), "object", name);
    assert.equal(pool.answered, 0, name);
  }
});

test("messages for the person reach stderr when the server answers", linux, async (t) => {
  const { at, pool } = await spooled(t);
  writeFileSync(join(at.project, "interlock.yaml"), "nonsense: [");
  const prompt = JSON.stringify({
    session_id: "s",
    cwd: at.project,
    hook_event_name: "UserPromptSubmit",
    prompt: "hi",
  });
  const { text, stderr } = await call("hook", at, prompt, { event: "UserPromptSubmit" });
  assert.match(JSON.parse(text).systemMessage, /last good configuration/);
  assert.match(stderr, /last good configuration/);
  assert.equal(pool.answered, 1);
});

test("an event sent from the agent's own shell is recorded as forged", linux, async (t) => {
  const { at, pool } = await spooled(t);
  const agent = join(at.base, "claude");
  writeFileSync(
    agent,
    `const [, , ...words] = process.argv;
     const child = require("node:child_process").spawn(words[0], words.slice(1), { stdio: "inherit" });
     child.on("exit", (code) => process.exit(code));`,
  );
  const hook = [program, "hook", "claude-code", "--event", "PreToolUse", "--home", at.home];
  const started = async (...words: string[]) => {
    const child = spawn(process.execPath, [agent, ...words], {
      cwd: at.project,
      env: { ...at.env, ...serversBearings() },
      stdio: ["pipe", "pipe", "inherit"],
    });
    child.stdin!.end(ordinary(at));
    child.stdout!.resume();
    assert.deepEqual(await once(child, "exit"), [0, null]);
    return recordsOf(at).at(-1)!.type;
  };
  assert.notEqual(await started(process.execPath, ...hook), "forged-event");
  assert.equal(
    await started("/bin/bash", "-c", `eval 'true; ${process.execPath} ${hook.join(" ")}'; true`),
    "forged-event",
  );
  assert.equal(pool.answered, 2);
});

test("another protocol, a broken head or an invalid reply file: no verdict and no record", posix, async (t) => {
  const { at, pool } = await spooled(t);
  assert.equal(await askSpool(at, ordinary(at), { protocol: 2 }), "");
  assert.equal(await askSpool(at, ordinary(at), { event: "Pre Tool" }), "");
  assert.equal(await askSpool(at, ordinary(at), { env: { "A B": "c" } }), "");
  assert.equal(pool.answered, 0);
  assert.deepEqual(recordsOf(at), []);
  assert.equal(await askSpool(at, ordinary(at)), "{}");
});

test("no file in the spool and no line in the bell harms the server or other files", posix, async (t) => {
  const { at, pool } = await spooled(t);
  const folder = spoolFolder(at.home);
  const mine = join(at.base, "mine.txt");
  const empty = join(at.base, "empty.txt");
  const request = `interlock 1 PreToolUse 0\nCLAUDE_PROJECT_DIR=${at.project}\n\n${ordinary(at)}`;
  writeFileSync(mine, request);
  writeFileSync(empty, "");
  const put = (name: string, text: string | Buffer = "") => writeFileSync(join(folder, name), text);
  const strange: [string, ...(() => unknown)[]][] = [
    ["101", () => symlinkSync(mine, join(folder, "101.q")), () => put("101.a")],
    ["102", () => put("102.q", request), () => symlinkSync(empty, join(folder, "102.a"))],
    ["103", () => put("103.q", request), () => linkSync(empty, join(folder, "103.a"))],
    ["104", () => linkSync(mine, join(folder, "104.q")), () => put("104.a")],
    ["105", () => mkdirSync(join(folder, "105.q")), () => put("105.a")],
    ["106", () => put("106.q", request), () => mkdirSync(join(folder, "106.a"))],
    ["107", () => spawnSync("mkfifo", [join(folder, "107.q")]), () => put("107.a")],
    ["108", () => put("108.q", request), () => spawnSync("mkfifo", [join(folder, "108.a")])], // nobody reads there
    ["109", () => put("109.q", request)], // not complete
    ["110", () => put("110.q", Buffer.alloc(20 << 20)), () => put("110.a")],
    ["111", () => put("111.q", request), () => put("111.a", "not empty")],
    ["112", () => symlinkSync("/dev/zero", join(folder, "112.q")), () => put("112.a")],
  ];
  for (const [name, ...steps] of strange) {
    for (const step of steps) step();
    ring(at, `${name}\n`);
  }
  for (const noise of [
    "../../x\n",
    "\n\n\n",
    "0\n",
    "1e9\n",
    "x".repeat(4_000),
    "\n",
    "-1\n",
    `${"9".repeat(40)}\n`,
    "\0\xff\n",
  ])
    ring(at, noise);
  assert.equal(await askSpool(at, ordinary(at)), "{}");
  await until(() => pool.open === 0);
  assert.equal(readFileSync(mine, "utf8"), request);
  assert.equal(statSync(empty).size, 0);
  assert.equal(readFileSync(join(folder, "111.a"), "utf8"), "not empty");
  assert.equal(pool.answered, 2, "the one nobody reads, and ours");
});

test("files of dead callers are removed, new files stay", posix, async (t) => {
  const at = place(t);
  mkdirSync(spoolFolder(at.home), { recursive: true, mode: 0o700 });
  const file = (name: string) => join(spoolFolder(at.home), name);
  for (const name of ["7.q", "8.a", "9.w", "10.q"]) writeFileSync(file(name), "");
  const old = new Date(Date.now() - 300_000);
  for (const name of ["7.q", "8.a", "9.w"]) utimesSync(file(name), old, old);
  await served(at);
  await until(() => !existsSync(file("9.w")));
  assert.deepEqual(leftIn(at), ["10.q"]);
});

test("without a spool hooks decide by themselves and the server logs why", posix, async (t) => {
  const at = place(t);
  mkdirSync(join(at.home, "server"), { recursive: true, mode: 0o700 });
  writeFileSync(spoolFolder(at.home), "in the way");
  const { pool, door } = await served(at);
  assert.equal(await send(door, ordinary(at)), "{}");
  for (const manner of manners) assert.equal(isRefusal((await call(manner, at, forbidden(at))).text), true, manner);
  assert.equal(pool.answered, 1);
  assert.match(logOf(at), /no spool/);
});

test("the server survives the removal of its spool folder", posix, async (t) => {
  const { at, pool, door } = await spooled(t);
  rmSync(spoolFolder(at.home), { recursive: true });
  writeFileSync(spoolFolder(at.home), "in the way");
  await until(() => /no spool/.test(logOf(at)));
  assert.equal(await send(door, ordinary(at)), "{}");
  assert.ok("version" in (await pool.switchTo(program)));
  for (const manner of manners) assert.equal(isRefusal((await call(manner, at, forbidden(at))).text), true, manner);
  assert.equal(pool.answered, 1);
});

test("a caller whose file name is taken, or whose bell is no FIFO, decides by itself", posix, async (t) => {
  const { at, pool } = await spooled(t);
  rmSync(bellIn(spoolFolder(at.home)));
  writeFileSync(bellIn(spoolFolder(at.home)), "");
  for (const manner of manners) assert.equal(isRefusal((await call(manner, at, forbidden(at))).text), true, manner);
  await until(async () => {
    const before = pool.answered;
    await call(manners[0]!, at, ordinary(at));
    return pool.answered > before;
  });
});
