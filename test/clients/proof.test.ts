// The live proof tells a guarded client from an unguarded one, and a hook that works from one that only seems to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { proveRefusal } from "../../src/live/proof.js";
import { binary, needsClient } from "./workplace.js";

const deny = JSON.stringify({
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "guarded" },
});
const hooks = (command: string) => ({ PreToolUse: [{ hooks: [{ type: "command", command, timeout: 10 }] }] });

const rows: [string, Record<string, unknown>, string[]][] = [
  ["a guard that works", hooks(`case "$(cat)" in *settings.local*) printf '%s' '${deny}';; esac`), []],
  [
    "no hook",
    {},
    [
      "a write that switches hooks off is refused",
      "a sub-agent's write that switches hooks off is refused",
      "every hook gave a usable answer",
    ],
  ],
  [
    "a guard whose answer is malformed",
    hooks(`cat >/dev/null; printf '%s' 'note: ${deny}'`),
    ["a write that switches hooks off is refused", "a sub-agent's write that switches hooks off is refused"],
  ],
  [
    "a guard that crashes",
    hooks("exit 127"),
    [
      "a write that switches hooks off is refused",
      "a sub-agent's write that switches hooks off is refused",
      "every hook gave a usable answer",
    ],
  ],
  [
    "a guard that refuses everything, so that no sub-agent starts",
    hooks(`cat >/dev/null; printf '%s' '${deny}'`),
    ["a harmless write passes", "a sub-agent's write that switches hooks off is refused"],
  ],
];

for (const [name, registered, red] of rows) {
  test(`live proof: ${name}`, needsClient, async () => {
    const proof = await proveRefusal({ binary, hooks: () => registered });
    assert.equal(proof.version, "2.1.325");
    assert.deepEqual(
      proof.checks.filter((check) => !check.ok).map((check) => check.name),
      red,
      JSON.stringify(proof.checks, null, 1),
    );
    assert.equal(proof.ok, red.length === 0);
  });
}
