// The status line in the real client, at a terminal: drawn beside the user's own, from what the client really sends.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installed } from "./installed.js";
import { atClientTerminal } from "./interactive.js";
import { bash, needsClient, root } from "./workplace.js";

test("the client draws our line beside the user's own, and a refusal shows in it", needsClient, async (t) => {
  const place = installed(t, "", {
    args: ["--statusline"],
    prepare({ home }) {
      mkdirSync(join(home, ".claude"), { recursive: true });
      const kept = join(home, "payloads.jsonl");
      const command = `cat >> ${kept}; echo >> ${kept}; echo OWN-LINE`;
      writeFileSync(join(home, ".claude/settings.json"), JSON.stringify({ statusLine: { type: "command", command } }));
    },
  });
  const drawn = await atClientTerminal({
    place,
    prompt: "publish the branch",
    steps: [bash("git push --force origin main"), { text: "It was refused." }],
    wanted: ["OWN-LINE|interlockhooks", "1blocked"],
  });
  assert.match(drawn, /OWN-LINE\|interlockhooks/);
  assert.match(drawn, /1blocked/);
  const keysOf = (text: string) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => Object.keys(JSON.parse(line)));
  const known = new Set(
    keysOf(readFileSync(join(root, "test/clients/fixtures/statusline-2.1.325.jsonl"), "utf8")).flat(),
  );
  const sent = keysOf(readFileSync(join(place.home, "payloads.jsonl"), "utf8"));
  assert.ok(sent.length > 0);
  for (const keys of sent)
    assert.deepEqual(
      keys.filter((key) => !known.has(key)),
      [],
      "the fixture is what it sends",
    );
});
