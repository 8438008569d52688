// A settings reload is refused while the file would disarm Interlock, and passes once it is repaired.
import assert from "node:assert/strict";
import { test } from "node:test";
import { disarms } from "../../hosts/claude-code/settings/disarm.js";
import { stage } from "../../testing/stage.js";
import guard from "./index.js";

const files: readonly [refused: boolean, text: string][] = [
  [true, '{"disableAllHooks":true}'],
  [false, '{"disableAllHooks":false}'],
  [false, '{"model":"opus"}'],
];

for (const [refused, text] of files)
  test(`guard/config-change: ${text} is ${refused ? "refused until it is repaired" : "loaded"}`, async (t) => {
    let content = text;
    const s = stage(t, { packs: [guard], world: { disarms: () => disarms(content) } });
    const reload = () => s.verdict("ConfigChange", { source: "local_settings", file_path: "settings.local.json" });
    const verdict = await reload();
    assert.equal(verdict.outcome, refused ? "deny" : "pass", verdict.text);
    if (!refused) return;
    assert.equal(verdict.gate, "guard/config-change");
    content = "{}";
    assert.equal((await reload()).outcome, "pass");
  });
