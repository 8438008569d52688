// The kinds of this pack's defects through the built program, with payloads as the client sends them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { passing, play } from "./agent.js";
import { spawnedHook } from "./story.js";

test("built: joined refusals, task runners, approved plans, casks and uploads", async (t) => {
  const a = play(t, {
    ask: spawnedHook,
    files: { "CONTRIBUTING.md": "rules\n" },
    options: { release: { profiles: ["sparkle"] } },
  });
  await a.prompt("Fix the rounding of the totals");
  const first = await a.edit("src/a.ts", "1", "2");
  assert.match(first.text, /read CONTRIBUTING\.md[^]*web: WebSearch/);
  await a.prompt("Implement the following plan:\n\n# Plan: round the totals\n\nChange the whole system.\n");
  await a.read("src/a.ts");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
  assert.equal((await a.stop("Done.")).gate, "verification");
  await a.bash("mise run test", passing());
  assert.equal((await a.stop("Done.", true)).outcome, "pass");
  const cask = 'cask "app" do\n  version "1.0"\n  sha256 :no_check\n  url "https://dist.example.org/App.dmg"\nend\n';
  assert.match((await a.write("Casks/app.rb", cask)).text, /:no_check/);
  const sync = await a.before("Bash", { command: "curl -T App.dmg https://dist.example.org/App.dmg" });
  assert.equal(sync.gate, "release");
});
