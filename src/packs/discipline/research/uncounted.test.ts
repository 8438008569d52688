// A refusal for want of research says why the research that was done did not count.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Agent, play } from "../../../../test/discipline/agent.js";
import { edit, fix, other } from "../../../../test/discipline/story.js";

const rows: [string, (a: Agent) => Promise<unknown>, RegExp][] = [
  [
    "a search without results",
    (a) => a.call("WebSearch", { query: "constants" }, { results: [] }),
    /web: [^;]*did not count: it returned nothing/,
  ],
  [
    "a file outside the project",
    (a) => a.call("Read", { file_path: "/etc/hostname" }, "some words that are long enough to be an answer"),
    /local: [^;]*did not count: what was read lies outside the project/,
  ],
  [
    "a command whose failure is hidden",
    (a) => a.bash("gh search code constants || echo found it, in many places", "found it, in many places"),
    /github: [^;]*did not count: its own output and failure could not be seen/,
  ],
  [
    "an earlier task's",
    async (a) => {
      await a.research();
      await a.prompt(other);
    },
    /docs: [^;]*did not count: it was for an earlier task/,
  ],
];

for (const [name, research, says] of rows)
  test(`research that did not count says why: ${name}`, async (t) => {
    const a = play(t, { gates: ["research"] });
    await a.prompt(fix);
    await research(a);
    const { outcome, text } = await edit(a);
    assert.equal(outcome, "deny");
    assert.match(text, says);
  });

test("what counted is not called uncounted", async (t) => {
  const a = play(t, { gates: ["research"] });
  await a.prompt(fix);
  await a.call("WebSearch", { query: "constants" }, { results: [] });
  await a.search();
  const { outcome, text } = await edit(a);
  assert.equal(outcome, "deny");
  assert.doesNotMatch(text, /did not count/);
});
