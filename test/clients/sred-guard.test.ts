// The SR&ED guard on the real Claude Code: the agent reads the refusal, runs the offered command, and that is it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runClaude } from "../../src/live/claude.js";
import { callId } from "../../src/live/model.js";
import { installed } from "./installed.js";
import { bash, binary, needsClient, toldOf } from "./workplace.js";

const tags = "SRED-Type: experimental-development\nSRED-Claim: CACHE";

test("an untagged commit is refused with the command that then passes and is recorded", needsClient, async (t) => {
  const place = installed(t, "packs:\n  sred:\n    enabled: true\n");
  const git = (...args: string[]) => place.run("git", ...args).stdout.trim();
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  for (let i = 0; i < 3; i++) {
    place.put("src/cache/a.ts", `${i}\n`);
    git("add", "-A");
    git("commit", "-q", "-m", `feat(cache): ${i}\n\n${tags}`);
  }
  place.put("src/cache/a.ts", "new\n");
  const offered = `git add -A && git commit --quiet -m 'feat(cache): tiers\n\n${tags}'`;
  const run = await runClaude({
    binary,
    scripts: [
      {
        marker: "go",
        steps: [bash(`git add -A && git commit -q -m "feat(cache): tiers"`), bash(offered), { text: "done" }],
      },
    ],
    project: place.project,
    home: place.home,
    mode: "bypassPermissions",
  });
  const [refused, passed] = [0, 1].map((step) => toldOf(run, callId("go", step)));
  assert.ok(refused!.isError);
  assert.match(refused!.text, /BLOCKED sred\/commit-guard/);
  assert.match(refused!.text, /Suggested: SRED-Claim: CACHE\n/);
  assert.ok(refused!.text.includes(`\n${offered}\n`), refused!.text);
  assert.equal(passed!.isError, false, passed!.text);
  assert.equal(git("log", "-1", "--format=%B").trim(), `feat(cache): tiers\n\n${tags}`);
  assert.equal(git("rev-list", "--count", "HEAD"), "4");
  const { recorded } = JSON.parse(place.interlock("sred", "relink", "--json").stdout) as { recorded: number };
  assert.equal(recorded, 1);
});
