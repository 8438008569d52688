// The seed's cases through the built program, as the client calls it: one process per event.
import assert from "node:assert/strict";
import { test } from "node:test";
import { destructiveCalls, exemptCalls } from "../../src/testing/intent-cases.js";
import { intentProject } from "./intent-project.js";

const intents = `active_intents:
  - { id: INT-001, name: Login, status: IN_PROGRESS, owned_scope: [src/auth/**] }
`;
const files = { ".orchestration/active_intents.yaml": intents, "src/auth/login.ts": "export const login = 1;\n" };

test("the built program: destructive tools are refused without an intent and pass with one, exempt ones pass", (t) => {
  const p = intentProject(t, files);
  for (const [tool, input] of exemptCalls)
    if (!tool.endsWith("select_active_intent")) assert.equal(p.refusal(tool, input), undefined, tool);
  for (const [name, tool, input] of destructiveCalls)
    assert.match(p.refusal(tool, input) ?? "", /intent\/gatekeeper[^]*You must cite a valid active Intent ID/, name);
  p.does("mcp__interlock__select_active_intent", { intent_id: "INT-001" }, () => undefined);
  for (const [name, tool, input] of destructiveCalls) assert.equal(p.refusal(tool, input), undefined, name);
});
