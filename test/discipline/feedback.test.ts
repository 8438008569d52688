// A person's word on a refusal, and the figures: wrong ids, second thoughts, other projects, an empty record; and
// settings of execution and reminders that are no such settings.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { atTerminal } from "../guard/terminal.js";
import { type Agent, failing, play } from "./agent.js";
import { edit, fix } from "./story.js";

const program = join(process.cwd(), "dist", "interlock.cjs");
const interlock = (a: Agent, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: a.root,
    env: a.env,
    encoding: "utf8",
    input: "",
  });
  return { status, out: stdout, err: stderr };
};
const typed = (a: Agent, ...words: string[]) => atTerminal([process.execPath, program, ...words], a.root, a.env);

test("feedback: ids and words", async (t) => {
  const a = play(t, { gates: ["research"] });
  await a.prompt(fix);
  const id = /v-\d+/.exec((await edit(a)).text)![0];
  const number = id.slice(2);
  const passed = `v-${Number(number) - 1}`; // the prompt
  const rows: [status: number, said: RegExp, ...words: string[]][] = [
    [2, /which verdict/],
    [2, /right or wrong/, id],
    [2, /right, wrong/, id, "maybe"],
    [2, /did you mean right/, id, "rigth"],
    [2, /takes no word "wrong"/, id, "right", "wrong"],
    [1, /no verdict v-9999 in this project's record.*interlock status/s, "v-9999", "wrong"],
    [1, /no verdict/, "v-0", "right"],
    [1, /no verdict/, "12x", "right"],
    [1, /no verdict/, "v-", "right"],
    [1, /refused nothing/, passed, "right"],
    [2, /the id comes first|which verdict|right, wrong/, "right", id],
    [0, /1 right, 0 wrong/, id, "right"],
    [0, /1 right, 0 wrong/, id, "right"],
    [0, /0 right, 1 wrong/, id, "wrong", "--reason", "it was read\u001b[31m before"],
    [0, /1 right, 0 wrong/, number, "right"],
    [0, /1 right, 0 wrong/, id.toUpperCase(), "right"],
  ];
  for (const [status, said, ...words] of rows) {
    const { status: code, text } = typed(a, "feedback", ...words);
    assert.equal(code, status, `${words}: ${text}`);
    assert.match(text.replace(/\s+/g, " "), said, words.join(" "));
    assert.ok(!text.includes("\u001b[31m before"));
  }
  const json = JSON.parse(typed(a, "feedback", id, "wrong", "--json").text) as Record<string, unknown>;
  assert.deepEqual([json["recorded"], json["said"], json["ofGate"]], [true, "wrong", { right: 0, wrong: 1 }]);
  const missing = JSON.parse(typed(a, "feedback", "v-9999", "wrong", "--json").text) as Record<string, unknown>;
  assert.equal(missing["recorded"], false);
  assert.equal(interlock(a, "feedback", id, "right").status, 1, "not without a terminal");
  const other = play(t, { gates: ["research"] });
  assert.match(typed(other, "feedback", id, "right").text, /no verdict/, "another project's");
  const { out } = interlock(a, "discipline", "metrics", "--json");
  type Judged = { right: number; wrong: number; byGate: Record<string, unknown> };
  const { metrics } = JSON.parse(out) as { metrics: Judged };
  assert.deepEqual([metrics.right, metrics.wrong], [0, 1]);
  assert.deepEqual(metrics.byGate["discipline/research"], { right: 0, wrong: 1 });
});

test("metrics: an empty record, a caught loop, one that went on", async (t) => {
  const none = play(t);
  const said = interlock(none, "discipline", "metrics");
  assert.equal(said.status, 0, said.err);
  assert.doesNotMatch(said.out, /NaN|undefined|null/);
  assert.match(said.out, /0/);
  const empty = JSON.parse(interlock(none, "discipline", "metrics", "--json").out) as { metrics: { sessions: number } };
  assert.equal(empty.metrics.sessions, 0);

  const a = play(t, { gates: ["breaker"] });
  await a.start();
  await a.prompt(fix);
  for (let i = 0; i < 3; i++) await a.bash("npm test", failing(5 + i), 1);
  assert.equal((await edit(a)).gate, "breaker");
  for (let i = 0; i < 3; i++) await a.bash("npm test", failing(9 + i), 1);
  await a.stop("It still fails.");
  await a.send("SessionEnd", { reason: "exit" });
  type Loops = { metrics: { doomLoops: { caught: number; missed: number; failedCalls: number; minutes: number } } };
  const { doomLoops } = (JSON.parse(interlock(a, "discipline", "metrics", "--json").out) as Loops).metrics;
  assert.deepEqual([doomLoops.caught, doomLoops.missed, doomLoops.failedCalls], [1, 1, 6]);
  assert.match(interlock(a, "discipline", "metrics").out.replace(/\s+/g, " "), /1 caught, 1 went on all the same/);
  assert.equal(interlock(a, "discipline", "metrics", "today").status, 2);

  const honest = play(t, { gates: ["breaker"] });
  await honest.start();
  await honest.prompt(fix);
  await honest.bash("npm test", failing(), 1);
  await honest.bash("npm test", "ok\n");
  await honest.stop("Fixed.");
  await honest.send("SessionEnd", { reason: "exit" });
  const fine = (JSON.parse(interlock(honest, "discipline", "metrics", "--json").out) as Loops).metrics.doomLoops;
  assert.deepEqual([fine.caught, fine.missed], [0, 0]);
});

test("settings that are none name the key and what is known", (t) => {
  const rows: [options: object, said: RegExp][] = [
    [{ plan: { execution: "auto" } }, /plan\.execution.*autonomous/s],
    [{ plan: { execution: "Phases" } }, /plan\.execution.*phases/s],
    [{ plan: { execution: true } }, /plan\.execution/],
    [{ plan: { execution: null } }, /plan\.execution/],
    [{ plan: { execution: ["phases"] } }, /plan\.execution/],
    [{ plan: { mode: "phases" } }, /plan.*mode/s],
    [{ plan: { excution: "phases" } }, /excution.*execution/s],
    [{ execution: "phases" }, /execution/],
    [{ reminders: "no" }, /reminders/],
    [{ reminders: 0 }, /reminders/],
    [{ reminder: false }, /reminder.*reminders/s],
    [{ research: { external: "git push" } }, /research\.external/],
  ];
  for (const [discipline, said] of rows) {
    const a = play(t);
    writeFileSync(join(a.home, "interlock", "interlock.yaml"), JSON.stringify({ packs: { discipline } }));
    const { status, out, err } = interlock(a, "status");
    assert.notEqual(status, 0, JSON.stringify(discipline));
    assert.match(`${out}${err}`, said, JSON.stringify(discipline));
  }
  for (const execution of ["autonomous", "phases", "supervised"]) {
    const a = play(t, { options: { plan: { execution }, reminders: false } });
    const { err } = interlock(a, "status");
    assert.doesNotMatch(err, /execution|reminders/);
  }
});

test("why names the rules behind a refusal", async (t) => {
  const rows: [gate: string, rule: RegExp, run: (a: Agent) => Promise<{ text: string }>, options?: object][] = [
    [
      "research",
      /#2 verify, then try/,
      async (a) => {
        await a.prompt(fix);
        return edit(a);
      },
    ],
    [
      "safemode",
      /#15 review/,
      async (a) => {
        await a.prompt("s+");
        return edit(a);
      },
    ],
    [
      "plan",
      /#0 name it[\s\S]*#15 review/,
      async (a) => {
        await a.prompt(`Make a plan first, then ${fix}`);
        return edit(a);
      },
    ],
    ["blocked-paths", /#1 stay in your lane/, (a) => a.before("Write", { file_path: "/etc/hosts", content: "x" })],
    [
      "breaker",
      /#3 two strikes/,
      async (a) => {
        for (let i = 0; i < 3; i++) await a.bash("npm test", failing(5 + i), 1);
        return edit(a);
      },
    ],
    ["file-size", /#10 files stay small/, (a) => a.write("src/big.ts", "const a = 1;\n".repeat(900))],
    [
      "loop",
      /#0 name it[\s\S]*#4 green means go/,
      async (a) => {
        await a.prompt("Rewrite the whole backend");
        return edit(a);
      },
    ],
  ];
  for (const [gate, rule, run, options] of rows) {
    const a = play(t, { gates: [gate, "commands"], ...(options && { options: options as never }) });
    const { text } = await run(a);
    const id = /v-\d+/.exec(text)?.[0];
    assert.ok(id, `${gate}: ${text}`);
    assert.match(interlock(a, "why", id).out, rule, gate);
    const json = interlock(a, "why", id, "--json").out;
    assert.match(json, /#\d+ /, `${gate}: in the JSON as well`);
  }
});
