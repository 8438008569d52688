// Ordinary commands that take Interlock's entries out of the settings, with the real Claude Code: the model is told at
// once, the session stays governed, and the next session starts with its hooks or the user knows the next step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClaudeRun, runClaude } from "../../src/live/claude.js";
import { callId, type ModelStep } from "../../src/live/model.js";
import { type Installed, installed } from "./installed.js";
import { bash, binary, needsClient, toldOf } from "./workplace.js";

const makefile = "clean:\n\tgit stash --all\nformat:\n\tfind . -name '*.json' -delete\n";
const rules = "rules:\n  - { id: no-deploy, on: shell, match: deploy, message: deploys are for people }\n";
const identity = "-c user.name=t -c user.email=t@example.invalid";

const session = (place: Installed, steps: ModelStep[]): Promise<ClaudeRun> =>
  runClaude({
    binary,
    ...place,
    mode: "bypassPermissions",
    scripts: [{ marker: "main", steps: [...steps, { text: "all done" }] }],
  });

function prepared(t: Parameters<typeof installed>[0], scope: string): Installed {
  return installed(t, rules, {
    args: ["--scope", scope],
    prepare(place) {
      place.put("Makefile", makefile);
      place.put("data.json", "{}");
    },
  });
}

test("hooks lost to a stash and to a mass edit are put back, and the model is told", needsClient, async (t) => {
  const place = prepared(t, "local");
  const git = (words: string) => place.run("sh", "-c", `git ${identity} ${words}`);
  git("add Makefile interlock.yaml data.json");
  git("commit -qm first");
  git("config user.name t");
  git("config user.email t@example.invalid");
  const settings = place.read(".claude/settings.local.json")!;
  const run = await session(place, [bash("make clean"), bash("make format"), bash("echo # deploy")]);
  assert.equal(run.result, "all done", run.stderr);
  assert.equal(toldOf(run, callId("main", 2)).isError, true, "the session stays governed");
  const said = run.context.join("\n");
  assert.equal(said.match(/INTERLOCK WAS REMOVED/g)?.length, 2, said);
  assert.equal(place.read(".claude/settings.local.json"), settings);
  const next = await session(place, [bash("echo # deploy")]);
  assert.equal(toldOf(next, callId("main", 0)).isError, true, "the next session is governed");
});

test("hooks lost to git switch: the model is told to stop and ask for interlock init", needsClient, async (t) => {
  const place = prepared(t, "project");
  place.run("sh", "-c", `git add Makefile interlock.yaml && git ${identity} commit -qm first && git branch old`);
  place.run("sh", "-c", `git add -f .claude data.json && git ${identity} commit -qm settings`);
  const run = await session(place, [bash("git switch old"), bash("echo # deploy")]);
  assert.equal(run.result, "all done", run.stderr);
  assert.equal(place.read(".claude/settings.json"), undefined);
  assert.match(run.context.join("\n"), /INTERLOCK WAS REMOVED[^]*interlock init --scope local/);
  assert.equal(toldOf(run, callId("main", 1)).isError, true, "the session stays governed");
});
