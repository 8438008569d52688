import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { asInstalled } from "./own-command.js";

test("a refusal names commands that exist on the user's PATH", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "interlock-path-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const text = 'they can run: interlock allow v-1 --reason "..."; see the interlock page, /opt/interlock allow';
  assert.equal(asInstalled(text, folder), text.replace("interlock allow v-1", "npx agent-interlock allow v-1"));
  writeFileSync(join(folder, "interlock"), "");
  assert.equal(asInstalled(text, `/nowhere:${folder}`), text);
});
