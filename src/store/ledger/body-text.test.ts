// Words leave the ledger's part of a body, facts stay, and both parts make the body again.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonObject } from "../../model/json.js";
import { joinBody, splitBody } from "./body-text.js";

const body: JsonObject = {
  event: "tool.before",
  hostEvent: "PreToolUse",
  digest: "ab",
  cwd: "/home/zebra",
  ms: 3,
  tool: { name: "Bash", kind: "shell", id: "toolu_1", input: { command: "echo zebra", list: ["zebra"] } },
  prompt: { text: "zebra", machine: false },
  outcome: { ok: true, exitCode: 0, text: "zebra" },
  effects: [{ kind: "write", path: "/zebra", how: "zebra" }],
  verdict: { id: "v-1", outcome: "deny", gate: "guard/x", text: "zebra" },
  opinions: [{ gate: "guard/x", mode: "enforce", kind: "deny", what: "zebra", why: "zebra", lifted: "zebra" }],
  acts: [{ gate: "sred/commit-link", act: "sred-link", link: { commit: "abc", claims: ["a"] } }],
};

test("words go apart, facts stay", () => {
  const { open, apart } = splitBody("event", body);
  assert.ok(!JSON.stringify(open).includes("zebra"), JSON.stringify(open));
  assert.deepEqual(open["verdict"], { id: "v-1", outcome: "deny", gate: "guard/x" });
  assert.deepEqual(open["opinions"], [{ gate: "guard/x", mode: "enforce", kind: "deny", lifted: "by a person" }]);
  assert.deepEqual(open["acts"], body["acts"]);
  assert.deepEqual(joinBody(open, apart!), body);
});

test("records of installations and runs keep their body", () => {
  assert.deepEqual(splitBody("kit-run", { manifest: "m", sha256: "ab" }), { open: { manifest: "m", sha256: "ab" } });
});

test("whatever the body, both parts make it again", () => {
  const key = fc.constantFrom("event", "gate", "text", "lifted", "acts", "x", "y");
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 5 }), (made) => {
      const one = JSON.parse(JSON.stringify(made)) as JsonObject;
      const { open, apart } = splitBody("event", one);
      assert.deepEqual(apart ? joinBody(open, apart) : open, one);
    }),
    { numRuns: 500 },
  );
});
