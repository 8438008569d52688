// Without a network, research is excused after honest attempts, and the record says which categories were missing.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { identify } from "../../src/project/identify.js";
import { openStore } from "../../src/store/index.js";
import { play } from "./agent.js";

test("offline, following the refusals allows an edit within twelve calls, with a note and a record", async (t) => {
  const a = play(t, { gates: ["research"] });
  await a.prompt("Fix the wrong constant in the settings reader");
  const edit = () => a.edit("src/a.ts", "1", "2");
  assert.equal((await edit()).outcome, "deny");
  await a.read("src/a.ts");
  const tries: [string, JsonObject, string][] = [
    ["WebSearch", { query: "constant settings" }, "fetch failed"],
    ["WebSearch", { query: "settings reader" }, "fetch failed"],
    ["WebSearch", { query: "reading settings" }, "fetch failed"],
    ["WebFetch", { url: "https://docs.rs/serde" }, "getaddrinfo EAI_AGAIN docs.rs"],
    ["WebFetch", { url: "https://nodejs.org/api/fs.html" }, "getaddrinfo EAI_AGAIN nodejs.org"],
    ["Bash", { command: "npm view yaml" }, "Exit code 1\nnpm error network request failed, ENOTFOUND"],
    ["WebFetch", { url: "https://github.com/a/b" }, "getaddrinfo EAI_AGAIN github.com"],
    ["WebFetch", { url: "https://github.com/search?q=x" }, "getaddrinfo EAI_AGAIN github.com"],
    ["Bash", { command: "gh search issues settings" }, "Exit code 127\ngh: command not found"],
  ];
  for (const [index, [tool, input, error]] of tries.entries()) {
    await a.before(tool, input);
    await a.failed(tool, input, error);
    if (index === 1) assert.match((await edit()).text, /web: [^;]*2 failed so far; ask something else/);
  }
  const done = await edit();
  assert.equal(done.outcome, "pass", done.text);
  assert.match(
    done.context,
    new RegExp(
      String.raw`Research continued without docs \(3 different attempts reached no provider: ` +
        String.raw`docs\.rs, nodejs\.org, npm\), web .*, github`,
    ),
  );
  const records = [...openStore({ home: a.env["INTERLOCK_HOME"]!, id: identify(a.root).id }).records()];
  const listed = records.flatMap(
    (r) => (r.body["opinions"] ?? []) as { data?: { excused?: { category: string }[] } }[],
  );
  assert.deepEqual(
    listed.flatMap((o) => o.data?.excused?.map((e) => e.category) ?? []),
    ["docs", "web", "github"],
  );
});
