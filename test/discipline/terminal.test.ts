// The user's commands from a terminal do what the prompt commands do; the loop's commands are the agent's too.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { orphans } from "../../src/health/orphans.js";
import { atTerminal } from "../guard/terminal.js";
import { type Agent, failing, passing, play } from "./agent.js";

const program = join(process.cwd(), "dist", "interlock.cjs");

function interlock(a: Agent, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: a.root,
    env: a.env,
    encoding: "utf8",
    input: "",
  });
  return { status, out: stdout, err: stderr };
}

const edit = (a: Agent) => a.edit("src/a.ts", "a = ", "a = ");

/** Typed by the user. */
const typed = (a: Agent, ...words: string[]) => atTerminal([process.execPath, program, ...words], a.root, a.env);

test("a command without a terminal does not count as typed", (t) => {
  const a = play(t);
  const { status, err } = interlock(a, "discipline", "safemode", "on");
  assert.equal(status, 1);
  assert.match(err, /only a person may do this: there is no terminal/);
});

test("safemode by terminal", async (t) => {
  const a = play(t, { gates: ["safemode", "commands"] });
  assert.equal(typed(a, "discipline", "safemode", "on").status, 0);
  assert.equal((await edit(a)).gate, "safemode");
  assert.match(interlock(a, "discipline", "status").out, /Safemode is on/);
  assert.match(interlock(a, "status").out, /safemode is on/);
  assert.equal(typed(a, "discipline", "safemode", "off").status, 0);
  assert.equal((await edit(a)).outcome, "pass");
});

test("breaker, research and plan by terminal, for all sessions or one", async (t) => {
  const a = play(t, { gates: ["breaker", "research", "plan", "commands"] });
  await a.prompt("Make a plan first, then fix the wrong constant in the settings reader");
  await a.research();
  for (let i = 0; i < 3; i++) await a.bash("npm test", failing(), 1);
  assert.equal((await edit(a)).gate, "breaker");
  assert.match(typed(a, "discipline", "breaker", "reset", "--session", "another").text, /Nothing to do/);
  typed(a, "discipline", "breaker", "reset");
  assert.equal((await edit(a)).gate, "plan");
  typed(a, "discipline", "plan", "approve", "--session", "session-1");
  assert.equal((await edit(a)).outcome, "pass");
  typed(a, "discipline", "research", "reset");
  assert.equal((await edit(a)).gate, "research");
  assert.equal(typed(a, "discipline", "brakes", "off").status, 2);
});

test("a person judges a refusal; an agent cannot, and the figures show it", async (t) => {
  const a = play(t, { gates: ["research"] });
  await a.prompt("Fix the wrong constant in the settings reader");
  const id = /v-\d+/.exec((await edit(a)).text)![0];
  assert.equal(interlock(a, "feedback", id, "right").status, 1);
  assert.match(typed(a, "feedback", id, "right").text, /1 right, 0 wrong/);
  assert.match(typed(a, "feedback", id, "wrong", "--reason", "no need").text, /0 right, 1 wrong/);
  assert.equal(typed(a, "feedback", "v-9999", "wrong").status, 1);
  assert.match(interlock(a, "discipline", "metrics").out, /0 right, 1 wrong/);
  assert.match(interlock(a, "why", id).out, /rule: #2 verify, then try/);
});

test("the user can mark a start-up step that cannot succeed as done", async (t) => {
  const a = play(t, { gates: ["startup"], options: { startup: { steps: [{ id: "check", run: "npm run check" }] } } });
  assert.match((await edit(a)).text, /run on its own: npm run check/);
  for (let i = 0; i < 2; i++) await a.bash("npm run check", "3 problems", 1);
  const said = await edit(a);
  assert.equal(said.gate, "startup");
  assert.match(said.text, /failed 2 times[^]*interlock discipline startup done/);
  assert.equal(interlock(a, "discipline", "startup", "done").status, 1, "not the agent's word");
  assert.equal((await edit(a)).gate, "startup");
  assert.equal(typed(a, "discipline", "startup", "done").status, 0);
  assert.equal((await edit(a)).outcome, "pass");
});

test("start-up steps can be marked done before any was tried", async (t) => {
  const a = play(t, { gates: ["startup"], options: { startup: { steps: [{ id: "check", run: "npm run check" }] } } });
  assert.equal((await edit(a)).gate, "startup");
  assert.match(typed(a, "discipline", "startup", "done", "--session", "another").text, /Nothing to do/);
  assert.equal((await edit(a)).gate, "startup");
  assert.equal(typed(a, "discipline", "startup", "done", "--session", "session-1").status, 0);
  assert.equal((await edit(a)).outcome, "pass");
});

test("a loop from start to end", async (t) => {
  const a = play(t, { gates: ["loop"] });
  await a.prompt("Rewrite the whole backend to use the new client");
  assert.equal((await edit(a)).gate, "loop");
  assert.equal(interlock(a, "loop", "start", "new client").status, 2, "criteria are needed");
  assert.equal(
    interlock(
      a,
      "loop",
      "start",
      "new client",
      "--criterion",
      "tests pass",
      "--criterion",
      "no old calls",
      "--max",
      "5",
    ).status,
    0,
  );
  assert.equal(interlock(a, "loop", "start", "another", "--criterion", "x").status, 1, "one at a time");
  assert.equal((await edit(a)).outcome, "pass");
  assert.equal(interlock(a, "loop", "log", "replaced the client", "tests fail").status, 0);
  assert.equal(interlock(a, "loop", "check", "1").status, 0);
  assert.equal(interlock(a, "loop", "check", "9").status, 1);
  const open = interlock(a, "loop", "complete");
  assert.equal(open.status, 1);
  assert.match(open.err, /2\. no old calls/);
  interlock(a, "loop", "check", "2");
  assert.match(interlock(a, "loop", "complete").err, /not verified/);
  await a.bash("npm test", passing());
  const status = JSON.parse(interlock(a, "loop", "status", "--json").out) as { loop: { iteration: number } };
  assert.equal(status.loop.iteration, 2, "the logged one and the test run after an edit");
  assert.equal(interlock(a, "loop", "complete").status, 0);
  assert.match(interlock(a, "loop", "status").out, /completed, 2 of 2/);
  assert.equal(
    interlock(a, "loop", "start", "x", "--criterion", "y", "--max", "99").status,
    2,
    "not beyond the configured limit",
  );
});

test("a clearance is bound to the current commit", async (t) => {
  const a = play(t, {
    gates: ["release"],
    options: {
      release: {
        rules: [
          {
            id: "app",
            artifact: "*.tgz",
            producers: [],
            verifiers: [],
            publishers: ["ship {file}"],
            clearance: true,
          },
        ],
      },
    },
    files: { "app.tgz": "x" },
  });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x.invalid", ...words], { cwd: a.root });
  git("add", "-A");
  git("commit", "-qm", "one");
  const publish = () => a.before("Bash", { command: "ship app.tgz" });
  assert.match((await publish()).text, /no clearance[^]*interlock discipline clear app/);
  assert.equal(typed(a, "discipline", "clear", "nothing").status, 2);
  assert.equal(typed(a, "discipline", "clear", "app").status, 0);
  assert.equal((await publish()).outcome, "pass");
  git("commit", "-qm", "two", "--allow-empty");
  assert.equal((await publish()).outcome, "deny");
});

test("summary, evidence and log show what happened", async (t) => {
  const a = play(t, { gates: ["verification", "research"] });
  await a.prompt("no, that's not it: fix the wrong constant in the settings reader");
  await edit(a);
  await a.research();
  await edit(a);
  await a.bash("npm test", failing(), 1);
  await a.stop("Rating: 9/10");
  const summary = interlock(a, "discipline", "summary").out;
  assert.match(summary, /score 9\/10 {2}1 edit of 1 file, 0 of 1 test run passed, 1 file not tested/);
  assert.match(summary, /blocks 1 \(discipline\/research 1\)[^]*rated itself 9\/10/);
  assert.match(
    interlock(a, "discipline", "evidence").out,
    /failed exit 1 npm test 5 collected, 4 passed, 1 failed, 0 skipped/,
  );
  assert.match(
    interlock(a, "discipline", "log").out,
    /Edit[^]*refused by discipline\/research[^]*WebSearch[^]*done[^]*npm test {2}failed/,
  );
  const next = await (async () => {
    a.session = "session-2";
    return a.send("SessionEnd", { reason: "other" });
  })();
  assert.equal(next.outcome, "pass");
});

test("the next session is told about the problems of the last one", async (t) => {
  const a = play(t, { gates: ["session", "research", "verification"] });
  await a.prompt("no, that's not it: fix the wrong constant in the settings reader");
  for (let i = 0; i < 3; i++) await edit(a);
  await a.research();
  await edit(a);
  for (let i = 0; i < 2; i++) {
    await a.before("mcp__context7__search", { q: "x" });
    await a.failed("mcp__context7__search", { q: "x" }, "not connected");
  }
  await a.stop("Done.");
  a.session = "session-2";
  const { context } = await a.start();
  assert.match(context, /Refused most[^]*discipline\/research \(3\)/);
  assert.match(context, /1 unverified file/);
  assert.match(context, /did not answer: context7/);
  assert.match(context, /The user had to say: "no, that's not it/);
});

test("an orphan is an own process of an agent or MCP server that init adopted", () => {
  const uid = process.getuid?.() ?? -1;
  const row = (pid: number, parent: number, command: string, owner = uid) => ({
    pid,
    parent,
    uid: owner,
    start: pid * 10,
    minutes: 5,
    command,
  });
  const found = orphans([
    row(11, 1, "node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js"),
    row(12, 1, "node /home/u/.npm/_npx/1/node_modules/.bin/mcp-server-github"),
    row(13, 1, "npx -y @upstash/context7-mcp"),
    row(14, 900, "claude --resume"),
    row(15, 1, "claude", uid + 1),
    row(16, 1, "nginx: worker"),
    row(17, 1, "node /opt/interlock.cjs mcp"),
    row(18, 1, "vim notes-about-mcpherson.txt"),
  ]);
  assert.deepEqual(
    found.map((o) => [o.pid, o.start]),
    [
      [11, 110],
      [12, 120],
      [13, 130],
    ],
  );
});

test("orphans are listed, and only a listed one can be ended", (t) => {
  const a = play(t);
  const listed = JSON.parse(interlock(a, "orphans", "--json").out) as { orphans: unknown[] };
  assert.ok(Array.isArray(listed.orphans));
  const { status, err } = interlock(a, "orphans", "--end", `${process.pid}:1`, "--yes");
  assert.equal(status, 1);
  assert.match(err, /no orphan with this id/);
  assert.equal(interlock(a, "orphans", "--end", "claude", "--yes").status, 2);
});
