// kits/read-budget: large files stay out of the context, whatever the tool; budgets are charged once per content.
import assert from "node:assert/strict";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { phaseStage, runId } from "../../../../test/kits/phase-stage.js";
import type { JsonObject } from "../../../model/json.js";
import type { Verdict } from "../../../model/verdict.js";
import { type Stage, stage } from "../../../testing/stage.js";
import { compile, defaults } from "../config.js";
import { kitsPack as kits } from "../index.js";
import type { PhaseRecord } from "../phase-memory.js";
import { outputBound, pipelinesOf } from "./pipelines.js";

const line = `${"word ".repeat(19)}end\n`;
const files = {
  "small.txt": line.repeat(50),
  "big.log": line.repeat(5_000),
  "src/a.ts": "export {};\n",
};
const phase = (t: Parameters<typeof phaseStage>[0], record: Partial<PhaseRecord> = {}) =>
  phaseStage(t, { kit: "tdd", phase: "green", files, record });

const read = (made: Stage, path: string, more: JsonObject = {}): Promise<Verdict> =>
  made.run("Read", { file_path: join(made.root, path), ...more });
const bash = (made: Stage, command: string, output = ""): Promise<Verdict> => made.run("Bash", { command }, output);

const rows: [what: string, call: (made: Stage) => Promise<Verdict>, refused?: RegExp][] = [
  ["Read of a small file", (m) => read(m, "small.txt")],
  ["Read of a large file", (m) => read(m, "big.log"), /interlock query-log errors big\.log/],
  ["Read of a part", (m) => read(m, "big.log", { offset: 100, limit: 20 })],
  ["Read of too large a part", (m) => read(m, "big.log", { limit: 4_000 }), /up to \d+ bytes/],
  ["Read of nothing", (m) => read(m, "no-such.log")],
  ["cat", (m) => bash(m, "cat big.log"), /Read of large file big\.log/],
  ["cat with tail", (m) => bash(m, "cat big.log | tail -20")],
  ["cat with grep", (m) => bash(m, "cat big.log | grep word"), /interlock query-log grep word big\.log/],
  ["cat with grep and head", (m) => bash(m, "cat big.log | grep word | head -n 5")],
  ["head", (m) => bash(m, "head -n 30 big.log")],
  ["head of too much", (m) => bash(m, "head -n 4000 big.log"), /large file/],
  ["head of bytes", (m) => bash(m, "head -c 1000 big.log")],
  ["all but a few lines", (m) => bash(m, "head -n -5 big.log"), /large file/],
  ["tail from the fifth line", (m) => bash(m, "tail -n +5 big.log"), /large file/],
  ["tail", (m) => bash(m, "tail big.log")],
  ["sed of lines", (m) => bash(m, "sed -n '10,40p' big.log")],
  ["sed of a pattern", (m) => bash(m, "sed -n '/word/p' big.log"), /large file/],
  ["grep", (m) => bash(m, "grep -n word big.log"), /interlock query-log grep word big\.log/],
  ["grep with a count", (m) => bash(m, "grep -c word big.log")],
  ["grep with a limit", (m) => bash(m, "grep -m 5 word big.log")],
  ["grep below a folder", (m) => bash(m, "grep -rn word ."), /big\.log/],
  ["grep below a folder with head", (m) => bash(m, "grep -rn word . | head -20")],
  ["wc", (m) => bash(m, "wc -l big.log")],
  ["into a file", (m) => bash(m, "grep word big.log > /tmp/interlock-found.txt")],
  ["python", (m) => bash(m, `python3 -c "print(open('big.log').read())"`), /large file/],
  ["awk", (m) => bash(m, "awk '{print $1}' big.log"), /large file/],
  ["a second command", (m) => bash(m, "head -5 small.txt; cat big.log"), /large file/],
  ["the query", (m) => bash(m, "interlock query-log tail big.log")],
  [
    "Grep of lines",
    (m) => m.run("Grep", { pattern: "word", path: join(m.root, "big.log"), output_mode: "content" }),
    /query-log grep word/,
  ],
  [
    "Grep of lines with a limit",
    (m) => m.run("Grep", { pattern: "word", path: m.root, output_mode: "content", head_limit: 20 }),
  ],
  [
    "an MCP reader of a large file",
    (m) => m.run("mcp__filesystem__read_text_file", { path: join(m.root, "big.log") }, "x"),
    /query-log errors big\.log/,
  ],
  [
    "an MCP reader of several",
    (m) => m.run("mcp__fs__readMultipleFiles", { paths: ["src/a.ts", "big.log"] }),
    /big\.log/,
  ],
  ["an MCP reader by address", (m) => m.run("mcp__fs__get", { uri: `file://${m.root}/big.log` }), /big\.log/],
  [
    "an MCP reader of the end",
    (m) => m.run("mcp__filesystem__read_text_file", { path: join(m.root, "big.log"), tail: 20 }, line),
  ],
  ["an MCP reader of a small file", (m) => m.run("mcp__filesystem__read_file", { path: "small.txt" }, line)],
  ["an MCP tool that moves a large file", (m) => m.run("mcp__filesystem__stat", { path: join(m.root, "big.log") })],
  ["Grep of names", (m) => m.run("Grep", { pattern: "word", path: m.root })],
];
for (const [what, call, refused] of rows)
  test(`kits/read-budget: ${what}: ${refused ? "refused" : "passes"}`, async (t) => {
    const verdict = await call(phase(t));
    assert.equal(verdict.outcome, refused ? "deny" : "pass", verdict.text);
    if (!refused) return;
    assert.equal(verdict.gate, "kits/read-budget");
    assert.match(verdict.text ?? "", refused);
  });

test("a log of 50 MB can't be read, printed or searched; a query can", async (t) => {
  const made = phase(t);
  writeFileSync(join(made.root, "huge.log"), "x");
  truncateSync(join(made.root, "huge.log"), 50 << 20);
  for (const command of ["cat huge.log", "grep x huge.log", "tail -n 1 huge.log", "less huge.log", "head huge.log"])
    assert.equal((await bash(made, command)).gate, "kits/read-budget", command);
  assert.equal((await read(made, "huge.log")).gate, "kits/read-budget");
  assert.equal((await bash(made, "head -c 500 huge.log")).outcome, "pass");
  assert.equal((await bash(made, "interlock query-log tail huge.log")).outcome, "pass");
});

const budget = { maxFiles: 2, maxBytes: 12_000, allow: ["docs/**"], mustRead: ["big.log"] };

test("a budget: files, bytes, once per content, by part; the rest is told", async (t) => {
  const made = phase(t, { budget });
  assert.equal((await read(made, "small.txt")).outcome, "pass", "4850 bytes");
  assert.equal((await read(made, "small.txt")).outcome, "pass", "the same content costs nothing");
  assert.equal((await bash(made, "cat small.txt")).outcome, "pass");
  assert.equal((await read(made, "big.log")).outcome, "pass", "on the must-read list");
  made.write("docs/guide.md", line.repeat(3_000));
  assert.equal((await read(made, "docs/guide.md")).outcome, "pass", "allowed by a glob");
  made.write("second.txt", line.repeat(200));
  const over = await read(made, "second.txt");
  assert.match(
    over.text ?? "",
    /Read budget exceeded[^]*left of this run's budget: 1 of 2 files, 7\d\d\d of 12000 bytes/,
  );
  assert.equal((await read(made, "second.txt", { offset: 1, limit: 50 })).outcome, "pass", "a part fits");
  assert.equal((await read(made, "second.txt", { offset: 20, limit: 20 })).outcome, "pass", "charged already");
  const third = await read(made, "src/a.ts");
  assert.match(third.text ?? "", /0 of 2 files/);
  made.write("small.txt", `${line.repeat(50)}changed\n`);
  assert.equal((await read(made, "small.txt")).outcome, "deny", "another content costs again");
  made.write("small.txt", files["small.txt"]);
  assert.equal((await read(made, "small.txt")).outcome, "pass", "the content that was charged stays free");
});

test("what grep prints is charged when it is printed", async (t) => {
  const made = phase(t, { budget: { ...budget, maxFiles: 0, maxBytes: 2_000, mustRead: [] } });
  assert.equal((await bash(made, "grep word small.txt", line.repeat(15))).outcome, "pass");
  assert.equal((await bash(made, "grep end small.txt", line.repeat(15))).outcome, "pass");
  assert.match((await bash(made, "grep x small.txt")).text ?? "", /0 of 2000 bytes/);
});

test("what an MCP server answers is charged when it has answered, and a flood is told", async (t) => {
  const made = phase(t, { budget: { ...budget, maxFiles: 0, maxBytes: 60_000, mustRead: [] } });
  const tool = "mcp__tracker__list_issues";
  assert.equal((await made.call(tool, { project: "x" })).outcome, "pass");
  assert.equal((await made.done(tool, { project: "x" }, { content: line.repeat(5) })).context.join(), "");
  assert.equal((await made.call(tool, {})).outcome, "pass");
  const told = await made.done(tool, {}, { content: line.repeat(3_000) });
  assert.match(told.context.join(), /showed \d{6} bytes at once; at most 200000[^]*interlock query-log/);
  assert.match((await read(made, "small.txt")).text ?? "", /0 of 60000 bytes/);
});

test("a budget belongs to the run, also across its sessions", async (t) => {
  const made = phase(t, { budget: { ...budget, maxFiles: 1 } });
  assert.equal((await read(made, "small.txt")).outcome, "pass");
  made.session = "the next phase";
  assert.match((await read(made, "src/a.ts")).text ?? "", /0 of 1 files/);
});

test("without kits: by setting in every session, by variables where they ask for it", async (t) => {
  const plain = stage(t, { packs: [kits], settings: { kits: { options: compile(defaults) } }, files });
  assert.equal((await read(plain, "big.log")).outcome, "pass");
  plain.env = { MAX_READ_BYTES: "1000" };
  assert.equal((await read(plain, "small.txt")).outcome, "deny");
  plain.env = { MAX_READ_BYTES: "1000", READ_ALLOW_GLOBS: "small.txt" };
  assert.equal((await read(plain, "small.txt")).outcome, "pass", "absolute paths match relative globs");
  plain.env = { MAX_READ_BYTES: "many" };
  assert.equal((await read(plain, "small.txt")).outcome, "pass", "not a number: the usual limit");
  assert.equal((await read(plain, "big.log")).outcome, "deny");
  plain.env = { READ_BUDGET_MAX_FILES: "1" };
  assert.equal((await read(plain, "small.txt")).outcome, "pass");
  assert.equal((await read(plain, "src/a.ts")).outcome, "deny");
  const always = compile({ ...defaults, readBudget: { ...(defaults["readBudget"] as JsonObject), when: "always" } });
  const made = stage(t, { packs: [kits], settings: { kits: { options: always } }, files });
  assert.equal((await read(made, "big.log")).outcome, "deny");
  made.env = { MAX_READ_BYTES: "99999999", READ_ALLOW_GLOBS: "**" };
  assert.equal((await read(made, "big.log")).outcome, "deny", "a variable exempts nothing the setting refuses");
});

test("a run's capsules and manifests are always readable", async (t) => {
  const made = phase(t, { budget: { ...budget, maxFiles: 1, maxBytes: 1 } });
  made.write(`runs/${runId}/capsules/tdd_red.md`, "Goal: x\n");
  assert.equal((await read(made, `runs/${runId}/capsules/tdd_red.md`)).outcome, "pass");
});

test("what a pipeline can print", () => {
  const table: [string, unknown][] = [
    ["cat a", "unbounded"],
    ["cat a | head", { lines: 10 }],
    ["cat 'a | b' | tail -n 3", { lines: 3 }],
    ["cat a | tail -c 9", { bytes: 9 }],
    ["cat a | sort | head -5 | tail -2", { lines: 2 }],
    ["cat a > b", { lines: 0 }],
    ["cat a 2>&1", "unbounded"],
    ["cat a 2>/dev/null", "unbounded"],
    ["ls | head -2 | xargs cat", "unbounded"],
    ["tail -f a", "unbounded"],
    ["sed -n 3,7p a", { lines: 5 }],
    ["LC_ALL=C grep -l x a", { lines: 20 }],
  ];
  for (const [command, bound] of table) assert.deepEqual(outputBound(pipelinesOf(command)[0]!), bound, command);
  assert.equal(pipelinesOf("a && b; c || d\ne & f").length, 6);
});
