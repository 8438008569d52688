import assert from "node:assert/strict";
import { test } from "node:test";
import { disciplineGateNames } from "../../src/packs/discipline/gate-names.js";
import discipline from "../../src/packs/discipline/index.js";
import { type Heard, play } from "./agent.js";
import { stories } from "./stories.js";

const bare = (id: string) => id.slice("discipline/".length);
const whole = (h: Heard) => `${h.text}\n${h.context}\n${h.shown}`;

test("every gate has a story of each part, and a page that can be filled", () => {
  const told = stories.map((s) => s.gate);
  for (const gate of discipline.gates) {
    assert.ok(told.includes(bare(gate.id)), `${gate.id} has no story`);
    assert.ok(gate.about && gate.remedy && gate.title, `${gate.id} lacks words`);
    if (gate.state) assert.ok(gate.window && gate.reset, `${gate.id} remembers and says neither window nor reset`);
  }
  for (const story of stories) assert.ok(story.later.length > 0, `${story.gate}: nothing is said of later`);
  assert.deepEqual([...told].sort(), discipline.gates.map((g) => bare(g.id)).sort(), "each gate once");
});

test("the settings know exactly the pack's gates", () => {
  assert.deepEqual([...disciplineGateNames].sort(), discipline.gates.map((g) => bare(g.id)).sort());
});

for (const story of stories)
  test(`${story.gate}: reached, ${story.how === "note" ? "tells" : "refuses"}, remedy, then as documented`, async (t) => {
    const a = play(t, {
      options: story.options,
      files: story.files,
      guard: story.guard,
      gates: [story.gate, ...(story.with ?? [])],
    });
    const first = await story.reach(a);
    assert.equal(first.outcome, story.how === "note" ? "pass" : story.how, whole(first));
    if (story.how === "deny") assert.equal(first.gate, story.gate, first.text);
    assert.match(whole(first), story.says);
    assert.ok(first.text.split("\n").length <= 5, "at most five lines");
    await story.remedy(a);
    const second = await story.again(a);
    assert.equal(second.outcome, "pass", whole(second));
    if (story.how === "note") assert.doesNotMatch(whole(second), story.says);
    for (const { when, run, outcome, says } of story.later) {
      const heard = await run(a);
      assert.equal(heard.outcome, outcome, `${when}: ${whole(heard)}`);
      if (says) assert.match(whole(heard), says, when);
    }
  });
