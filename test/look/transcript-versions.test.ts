// Every form of transcript, and everything that is none: read, or passed over with a count.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { backtest } from "../../src/look/backtest.js";
import { lookPage } from "../../src/look/look-page.js";
import { lookReport } from "../../src/look/look-report.js";
import { caseScreen, firstScreen } from "../../src/look/look-screen.js";
import { readSession } from "../../src/look/read-session.js";
import { hostileTexts } from "../../src/testing/hostile-text.js";
import { temporary } from "../../src/testing/temporary.js";
import { TranscriptBuilder } from "./transcript-builder.js";

const options = { session: "s", root: "/home/ada/p", style: "objects" as const };
const plainPaint = { bold: String, dim: String, red: String, green: String };

function saved(text: string, name = "t.jsonl"): string {
  const file = join(temporary("look"), name);
  writeFileSync(file, text);
  return file;
}

const lookAt = (file: string) => backtest({ paths: [file], userHome: "/home/ada" });

test("logs of other agents are passed over with a count", async () => {
  const codex = [
    { timestamp: "2026-01-01T00:00:00Z", type: "session_meta", payload: { id: "x", cwd: "/p" } },
    { timestamp: "2026-01-01T00:00:01Z", type: "response_item", payload: { type: "function_call", name: "shell" } },
  ];
  const copilot = { kind: 0, v: { version: 3, requests: [] } };
  const opencode = JSON.stringify({ info: { id: "ses" }, messages: [] }, null, 2);
  const folder = temporary("look");
  writeFileSync(join(folder, "codex.jsonl"), codex.map((row) => JSON.stringify(row)).join("\n"));
  writeFileSync(join(folder, "copilot.jsonl"), JSON.stringify(copilot));
  writeFileSync(join(folder, "opencode.jsonl"), opencode);
  writeFileSync(join(folder, "empty.jsonl"), "");
  writeFileSync(join(folder, "binary.jsonl"), Buffer.from([0, 255, 10, 123, 0]));
  const found = await lookAt(folder);
  assert.equal(found.sessions, 0);
  // Four: an empty file holds no format at all.
  assert.equal(found.skipped.unknownFormat.length, 4);
  assert.deepEqual(found.skipped.failed, []);
});

test("rows with fields of the wrong type are passed over", async () => {
  const t = new TranscriptBuilder(options).prompt("hello");
  for (const message of [null, 7, "x", [], {}, { content: 7 }, { content: [null, 7, { type: "tool_use" }] }])
    t.raw({ type: "assistant", message: message as never }).raw({ type: "user", message: message as never });
  t.raw({ type: "user", timestamp: 5, cwd: 7, message: { content: [{ type: "tool_result", tool_use_id: {} }] } });
  t.raw({ type: "progress", data: { type: "agent_progress", message: { message: { content: "x" } } } });
  t.raw({ type: "attachment", attachment: { type: "file", content: [] } });
  t.bash("ls").bash("git commit -m x");
  const found = await lookAt(saved(t.text));
  assert.equal(found.sessions, 1);
  assert.equal(found.calls, 2);
  assert.deepEqual(found.skipped.failed, []);
});

test("a file that was attached counts as read", async () => {
  const content = { type: "text", file: { filePath: "/home/ada/p/src/a.js", content: "let a = 1;\n" } };
  const edited = (t: TranscriptBuilder) => t.edit("src/a.js", "let a = 1;\n", "1", "2").text;
  const without = await lookAt(saved(edited(new TranscriptBuilder(options).prompt("change it"))));
  assert.equal(without.findings.incidents.get("unread-edit")!.cases.length, 1);
  const t = new TranscriptBuilder(options).prompt("change it");
  t.raw({ type: "attachment", cwd: "/home/ada/p", attachment: { type: "file", content } });
  const attached = await lookAt(saved(edited(t)));
  assert.equal(attached.findings.incidents.get("unread-edit")!.cases.length, 0);
});

test("a session that starts in the middle: an unread file is only a maybe", async () => {
  const whole = new TranscriptBuilder(options).prompt("start").say("yes").prompt("go on");
  whole.edit("src/a.js", "let a = 1;\n", "1", "2");
  const middle = whole.rows.slice(3).join("\n");
  const [found] = (await lookAt(saved(middle))).findings.incidents.get("unread-edit")!.cases;
  assert.match(found!.doubt ?? "", /starts in the middle/);
});

test("a claim after a run whose own success is hidden is only a maybe", async () => {
  const t = new TranscriptBuilder(options).prompt("fix the sum");
  t.read("src/sum.js", "export const sum = 1;\n").edit("src/sum.js", "export const sum = 1;\n", "1", "2");
  t.bash("npm test 2>&1 | summarise", "Passed: 254, Failed: 0\nWall clock: 51.5s\n").say("All 254 tests pass.");
  const { findings } = await lookAt(saved(t.text));
  const claims = findings.incidents.get("unproved-claim")!.cases;
  assert.deepEqual(
    claims.map((c) => c.doubt),
    ["a command since the edit speaks of passing tests, perhaps a commit hook"],
  );
});

test("a resumed session that copies the one before is counted once", async () => {
  const first = new TranscriptBuilder({ ...options, branch: "main" }).prompt("commit").bash('git commit -m "one"');
  const folder = temporary("look");
  writeFileSync(join(folder, "first.jsonl"), first.text);
  writeFileSync(join(folder, "second.jsonl"), first.bash('git commit -m "two"').text);
  const found = await lookAt(folder);
  assert.equal(found.calls, 2);
  assert.equal(found.findings.incidents.get("main-commit")!.cases.length, 2);
});

test("odd files: empty, binary, compressed, links in a ring, pipes, lines of any size or depth", async () => {
  const folder = temporary("look");
  const put = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
  put("empty.jsonl", "");
  put("binary.jsonl", randomBytes(100_000));
  put("compressed.jsonl", gzipSync('{"type":"user"}\n'));
  put("deep.jsonl", `${"[".repeat(200_000)}\n`);
  put("odd.jsonl", '[1,2\nnull\n"x"\n{"type":null,"message":7}\n{"type":"assistant","message":{"content":[null,7]}}\n');
  put("huge.jsonl", Buffer.concat([Buffer.alloc(65 << 20, 97), Buffer.from("\n")]));
  put("good.jsonl", new TranscriptBuilder({ ...options, branch: "main" }).prompt("x").bash('git commit -m "a"').text);
  symlinkSync(".", join(folder, "ring"));
  symlinkSync("/nowhere", join(folder, "gone.jsonl"));
  mkdirSync(join(folder, "folder.jsonl"));
  if (process.platform !== "win32") execFileSync("mkfifo", [join(folder, "pipe.jsonl")]);
  const found = await lookAt(folder);
  assert.equal(found.calls, 1, "the good one is read once, also behind a ring of links");
  const passedOver = found.skipped.unknownFormat.map((file) => basename(file)).sort();
  assert.deepEqual(passedOver, ["binary.jsonl", "compressed.jsonl", "deep.jsonl", "huge.jsonl"]);
  assert.deepEqual(found.skipped.failed, []);
});

test("lines longer than a read, and letters cut by it, arrive whole", () => {
  const long = "ä€𝄞".repeat(1_300_000);
  const t = new TranscriptBuilder(options).prompt(long).bash("ls").prompt("ü");
  const steps = readSession(saved(t.text))!.steps;
  const texts = steps.flatMap((step) => (step.kind === "prompt" ? [step.text] : []));
  assert.equal(texts[0] === long, true);
  assert.equal(texts[1], "ü");
});

test("secrets and hostile text: redacted, inert on the screen, escaped on the page", async () => {
  const t = new TranscriptBuilder({ ...options, branch: "main" }).prompt("commit");
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  t.bash(`git commit -m "token ${secret}"`);
  for (const text of hostileTexts) t.bash(`git commit -m '${text}'`);
  const report = lookReport(await lookAt(saved(t.text)));
  const commits = report.incidents.find((line) => line.id === "main-commit")!;
  assert.ok(commits.cases.length > 10, `${commits.cases.length} commits`);
  const page = lookPage(report);
  const screen = [...firstScreen(report, plainPaint, "interlock look"), ...caseScreen(commits, plainPaint, 500)];
  for (const text of [page, screen.join("\n"), JSON.stringify(report)]) assert.ok(!text.includes(secret));
  assert.doesNotMatch(screen.join(""), /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
  const tags = new Set([...page.matchAll(/<\/?([a-z!][a-z0-9]*)/gi)].map(([, tag]) => tag!.toLowerCase()));
  const ours = "!doctype html head meta title style body h1 h2 p details summary b span small ul li code br pre".split(
    " ",
  );
  assert.deepEqual(
    [...tags].filter((tag) => !ours.includes(tag)),
    [],
  );
  assert.match(page, /default-src 'none'/);
  assert.doesNotMatch(page, /<[a-z][^>]*\s(?:src|href|on\w+)=/i);
});
