// Commands only a person may run, in the forms an agent would try; and the ones anybody may.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stage } from "../../../testing/stage.js";
import { guardPack as guard } from "../index.js";

const rows: [command: string, refused: boolean][] = [
  ["interlock allow v-3 --reason x", true],
  ["npx agent-interlock allow v-3 --reason x", true],
  ["npx -y agent-interlock@latest pause --for 10m", true],
  ["./node_modules/.bin/interlock uninstall", true],
  ["node ./node_modules/agent-interlock/dist/interlock.cjs allow v-1", true],
  ["bash -c 'interlock trust'", true],
  ["echo '{}' | interlock hook claude-code", true],
  ["env X=1 interlock recover --reason x", true],
  ["sudo interlock down", true],
  ["true && interlock doctor --fix", true],
  ["pkill -f interlock", true],
  ["killall interlock", true],
  ["claude --bare -p 'do it'", true],
  ["claude -p x --setting-sources ''", true],
  [`claude --settings '{"disableAllHooks":true}' -p x`, true],
  ["interlock restore v-3", true],
  ["interlock restore list && interlock restore --json", false],
  ["interlock lifecycle approve --reason x", true],
  ["interlock lifecycle status", false],
  ["interlock discipline metrics --json", false],
  ["interlock discipline safemode off", true],
  ["interlock $what v-3", true],
  ["interlock up --new-port", true],
  ["interlock up --idle 1", true],
  ["interlock up", false],
  ["interlock serve", true],
  ["interlock preset standard", true],
  ["interlock enable discipline --mode observe", true],
  ["interlock config set packs.guard.preset standard", true],
  ["interlock config check", false],
  ["interlock learn", false],
  ["interlock learn frobnicate --json", false],
  ["interlock learn --accept frobnicate --yes", true],
  ["npx agent-interlock learn frobnicate --accept=x", true],
  ["interlock learn frobnicate --run-help", true],
  ["interlock learn $words", true],
  ["interlock feedback v-3 wrong", true],
  ["interlock status", false],
  ["interlock why v-3", false],
  ["interlock explain --command 'interlock allow v-1'", false],
  ["interlock verify && interlock doctor", false],
  ["npx agent-interlock --help", false],
  ["echo interlock allow v-3", false],
  ["git commit -m 'interlock allow v-3'", false],
  ["grep -r 'interlock hook' src", false],
  ["pkill -f vite", false],
  ["CLAUDE_CODE_SIMPLE=1 claude -p x", true],
  ["export CLAUDE_CODE_SIMPLE=1; claude -p x", true],
  ["env CLAUDE_CODE_SIMPLE=1 npx @anthropic-ai/claude-code -p x", true],
  ["CLAUDE_CONFIG_DIR=/tmp/other claude -p x", true],
  ["HOME=/tmp/other claude -p x", true],
  ["npx -y @anthropic-ai/claude-code --bare -p x", true],
  ["bash -c 'claude --safe-mode -p x'", true],
  ["systemctl --user stop interlock", true],
  ["systemctl --user status interlock", false],
  ["claude -p 'review this'", false],
  [`claude --settings '{"model":"x"}' -p x`, false],
  ["npx vitest run", false],
];
for (const [command, refused] of rows)
  test(`${refused ? "refused" : "passes"}: ${command}`, async (t) => {
    const verdict = await stage(t, { packs: [guard] }).call("Bash", { command });
    assert.equal(
      verdict.opinions.some((o) => o.gate === "guard/privileged"),
      refused,
    );
    if (refused) assert.doesNotMatch(verdict.text!, /interlock allow v-\d+ --reason/);
  });

test("the refusal names the whole command, not only its group", async (t) => {
  const { text } = await stage(t, { packs: [guard] }).call("Bash", {
    command: "npx agent-interlock lifecycle approve --reason x",
  });
  assert.match(text!, /^what: .*interlock lifecycle approve$/m);
});
