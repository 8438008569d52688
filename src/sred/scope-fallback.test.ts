import assert from "node:assert/strict";
import { test } from "node:test";
import { claimPattern } from "./message.js";
import { failureLines, failurePatterns, fallbackProject } from "./scope-fallback.js";

test("a scope becomes PROJECT[-VARIANT]", () => {
  const rows: [scope: string | undefined, project: string][] = [
    ["my-scope", "MY-SCOPE"],
    ["cache", "CACHE"],
    ["web_ui/list", "WEB-UI-LIST"],
    ["--x--", "X"],
    ["api-2", "API2"],
    ["3d-view", "P3D-VIEW"],
    ["café", "CAFE"],
    ["数据", "UNKNOWN-PROJECT"],
    ["", "UNKNOWN-PROJECT"],
    [undefined, "UNKNOWN-PROJECT"],
    ["x".repeat(200), "X".repeat(64)],
  ];
  for (const [scope, project] of rows) {
    assert.equal(fallbackProject(scope), project);
    assert.match(fallbackProject(scope), claimPattern);
  }
});

test("the three failure texts are the seed's", () => {
  assert.deepEqual(Object.keys(failurePatterns), ["NETWORK_TIMEOUT", "SDK_ERROR", "PARSE_ERROR"]);
  assert.deepEqual(failureLines("NETWORK_TIMEOUT", "CACHE", ["A", "B"]), [
    "[SRED-GUARD] Discovery failed (network timeout).",
    "Fallback suggestion: SRED-Claim: CACHE",
    "Alternatives: A, B",
    "Please ask the user to confirm or select a different project identifier:",
    "- CACHE (derived from scope)",
    "- A",
    "- B",
    "- Enter manually",
    "Then retry the commit with the selected SRED-Claim trailer.",
  ]);
  assert.match(
    failureLines("SDK_ERROR", "X", []).join("\n"),
    /\(SDK error\)\.\n[^]*confirm the fallback suggestion or enter/,
  );
  assert.match(
    failureLines("PARSE_ERROR", "X", []).join("\n"),
    /\(invalid response\)\.\n[^]*which project identifier to use:/,
  );
});
