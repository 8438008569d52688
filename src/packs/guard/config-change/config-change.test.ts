// A settings file that would switch Interlock off is not loaded; any other is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const settings = "/p/.claude/settings.local.json";
const reload = { source: "local_settings", file_path: settings };

test("a reload that would disarm Interlock is refused with the reason, and no override lifts it", async (t) => {
  const asked: (string | undefined)[] = [];
  const disarms = (path: string | undefined) => {
    asked.push(path);
    return "it sets disableAllHooks";
  };
  const s = stage(t, { packs: [guard], world: { disarms } });
  const verdict = await s.verdict("ConfigChange", reload);
  assert.equal(verdict.outcome, "deny");
  assert.equal(verdict.gate, "guard/config-change");
  assert.match(verdict.text ?? "", /settings\.local\.json[^]*disableAllHooks[^]*interlock doctor --fix/);
  assert.doesNotMatch(verdict.text ?? "", /interlock allow/);
  assert.deepEqual([...new Set(asked)], [settings]);
});

test("a reload that leaves the hooks in force passes", async (t) => {
  const s = stage(t, { packs: [guard], world: { disarms: () => undefined } });
  assert.equal((await s.verdict("ConfigChange", reload)).outcome, "pass");
});
