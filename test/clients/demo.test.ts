// The demo's session, played by the real client as `npm run demo -- --claude` plays it: each call is answered as the demo says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { playSession } from "../../src/live/session.js";
import { installed } from "./installed.js";
import { binary, needsClient, root } from "./workplace.js";

interface DemoCall {
  say: string;
  tool: string;
  input: Record<string, unknown>;
  expect: "pass" | "deny";
  gate?: string;
}

test("the demo's session on the real client", needsClient, async (t) => {
  const demo = (await import(pathToFileURL(join(root, "demo/session.mjs")).href)) as {
    task: string;
    session: DemoCall[];
  };
  const place = installed(t, readFileSync(join(root, "demo/interlock.yaml"), "utf8"));
  place.put("src/main.js", 'import { log } from "./log.js";\nlog("start");\n');
  place.put("src/log.js", "export const log = (...words) => process.stderr.write(`${words.join(' ')}\\n`);\n");
  place.put("package.json", '{ "type": "module", "private": true }\n');
  const session = demo.session.map((call) =>
    typeof call.input.file_path === "string"
      ? { ...call, input: { ...call.input, file_path: resolve(place.project, call.input.file_path) } }
      : call,
  );
  const outcomes = await playSession({ binary, ...place, task: demo.task, session });
  assert.equal(outcomes.length, session.length);
  for (const [n, { say, expect, gate }] of session.entries()) {
    const { denied, reason } = outcomes[n]!;
    assert.equal(denied ? "deny" : "pass", expect, `${say} ${reason}`);
    if (gate) assert.ok(reason.includes(gate), `${say} ${reason}`);
  }
});
