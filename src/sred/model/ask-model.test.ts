import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { temporary } from "../../testing/temporary.js";
import { until } from "../../testing/until.js";
import { askModel, readModelAnswer } from "./ask-model.js";
import { isReachable, modelEndpoint } from "./endpoint.js";
import { modelInput, sanitise } from "./model-input.js";
import { answerKey, answerLife, keepAnswer, keptAnswer } from "./suggestion-cache.js";

const good = { suggestedProject: "CACHE", alternatives: ["PLAN"], reasoning: "same scope", confidence: 0.9 };

test("what a model is shown has no control characters and at most 4 KB", () => {
  assert.equal(sanitise("a\u0000b\u001b[31mc\r\nd\te\u202ef"), "ab[31mc\nd\tef");
  assert.equal(Buffer.byteLength(sanitise("é".repeat(9_000))), 4_096);
  assert.equal(sanitise("aé", 2), "a");
  const context = { scope: "x", paths: Array(900).fill("p".repeat(300)), issueKeys: [], now: 0 };
  const input = modelInput(`feat: \u0007${"y".repeat(9_000)}`, context, []);
  assert.ok(Buffer.byteLength(input) <= 4_096);
  assert.doesNotMatch(input, /\u0007/);
});

test("an answer must pass the schema", () => {
  const answer = { project: "CACHE", alternatives: ["PLAN"], reasoning: "same scope", confidence: 0.9 };
  assert.deepEqual(readModelAnswer(JSON.stringify({ output: good })), { answer });
  assert.deepEqual(readModelAnswer(JSON.stringify({ text: `Sure:\n${JSON.stringify(good)}` })), { answer });
  const garbage = [
    { output: { ...good, suggestedProject: "cache" } },
    { output: { ...good, suggestedProject: "A; rm -rf /" } },
    { output: { ...good, confidence: 7 } },
    { output: { ...good, alternatives: "PLAN" } },
    { output: null },
    { text: "I like turtles." },
    { text: "" },
    {},
  ];
  for (const said of garbage)
    assert.deepEqual(readModelAnswer(JSON.stringify(said)).answer, { failure: "PARSE_ERROR" }, JSON.stringify(said));
  assert.deepEqual(readModelAnswer("").answer, { failure: "SDK_ERROR" });
  const limit = { failure: "NETWORK_TIMEOUT", detail: "aborted" };
  assert.deepEqual(readModelAnswer(JSON.stringify(limit)).answer, { failure: "NETWORK_TIMEOUT" });
});

test("the endpoint is the configured one, or the proxy's", () => {
  assert.deepEqual(modelEndpoint({}), { host: "api.anthropic.com", port: 443 });
  assert.deepEqual(modelEndpoint({ ANTHROPIC_BASE_URL: "http://127.0.0.1:81/v1" }), { host: "127.0.0.1", port: 81 });
  assert.deepEqual(modelEndpoint({ HTTPS_PROXY: "http://proxy.example:3128" }), { host: "proxy.example", port: 3128 });
  assert.deepEqual(modelEndpoint({ ANTHROPIC_BASE_URL: "nonsense" }), { host: "api.anthropic.com", port: 443 });
});

test("a session that hangs is killed with everything it started; a closed port is offline", async (t) => {
  const folder = temporary("sred-model");
  const server = createServer().listen(0, "127.0.0.1");
  t.after(() => server.close());
  await until(() => server.listening, "the port is open");
  const { port } = server.address() as { port: number };
  assert.equal(await isReachable({ host: "127.0.0.1", port }, 5_000), true);
  const child = join(folder, "hangs.mjs");
  const starts = `spawn("sleep", ["600"], { stdio: "ignore" }).pid`;
  writeFileSync(
    child,
    `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(join(folder, "pid"))}, String(${starts})); setInterval(() => {}, 1000);\n`,
  );
  const question = { input: "x", sdk: "file:///sdk.mjs", executable: "/bin/true", child, cwd: folder };
  const env = { PATH: process.env["PATH"], ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` };
  const asked = await askModel({ ...question, env, ms: 3_000 });
  assert.deepEqual(asked.answer, { failure: "NETWORK_TIMEOUT" });
  const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
  await until(() => !exists(pid), "the process it started is gone");
  const closed = await askModel({ ...question, env: { ...env, ANTHROPIC_BASE_URL: "http://127.0.0.1:9" } });
  assert.deepEqual(closed.answer, { failure: "OFFLINE" });
  assert.deepEqual((await askModel({ ...question, sdk: undefined, env })).answer, { failure: "SDK_ERROR" });
  assert.deepEqual((await askModel({ ...question, executable: undefined, env })).answer, { failure: "SDK_ERROR" });
});

function exists(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("answers are kept for five minutes, for one repository, scope and content", () => {
  const folder = temporary("sred-answers");
  const base = { repository: "r1", scope: "cache", staged: ["a.ts 1", "b.ts 2"] };
  const key = answerKey(base);
  const answer = { project: "CACHE", alternatives: [], reasoning: "x", confidence: 0.9 };
  keepAnswer(folder, key, answer, 1_000);
  assert.deepEqual(keptAnswer(folder, key, 1_000 + answerLife - 1), answer);
  assert.equal(keptAnswer(folder, key, 1_000 + answerLife), undefined);
  assert.equal(keptAnswer(folder, key, 999), undefined, "a clock that went back");
  assert.equal(answerKey({ ...base, staged: ["b.ts 2", "a.ts 1"] }), key);
  const others = [
    { ...base, repository: "r2" },
    { ...base, scope: "plan" },
    { ...base, scope: undefined },
    { ...base, staged: ["a.ts 1", "b.ts 3"] },
    { ...base, staged: ["a.ts 1"] },
  ];
  for (const other of others) assert.notEqual(answerKey(other), key, JSON.stringify(other));
  writeFileSync(
    join(folder, "sred", "suggestions", `${key}.json`),
    JSON.stringify({ at: 1_000, answer: { project: "a b" } }),
  );
  assert.equal(keptAnswer(folder, key, 1_001), undefined, "a damaged answer is none");
});
