// A session that was silent while many others ran, resumed in the built program: it finds what it had done and what it
// still owes; without its kept state nothing opens.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/model/json.js";
import { openStore } from "../../src/store/index.js";
import { type Agent, play } from "./agent.js";
import { spawnedHook } from "./story.js";

const place = (a: Agent) => {
  const home = join(a.home, "interlock");
  return { home, id: readdirSync(join(home, "projects"))[0]! };
};

/** Sessions enough that those before them leave the snapshot. */
function others(a: Agent): void {
  const store = openStore(place(a), { sync: "never" });
  for (let n = 0; n < 640; n++) {
    const session = `other-${n % 80}`;
    const patch: JsonObject = { [`engine/refusals@${session}`]: { total: n } };
    store.append(() => ({ type: "event", session, body: {}, patch }), undefined, session);
  }
}

const live = (a: Agent): string[] => {
  const { home, id } = place(a);
  const [first] = readFileSync(join(home, "projects", id, "state.json"), "utf8").split("\n");
  return Object.keys(JSON.parse(first!).payload.live);
};

test("built: a resumed session keeps its research and its debts", async (t) => {
  const a = play(t, { ask: spawnedHook, files: { "src/a.ts": "export const a = 1;\n" } });
  for (const session of ["researched", "second"]) {
    a.session = session;
    await a.start();
    await a.prompt("Implement the following plan:\n\n# Plan: round the totals\n\nChange the whole system.\n");
    await a.read("src/a.ts");
    assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass");
    a.put("src/a.ts", "export const a = 1;\n");
  }
  others(a);
  assert.equal(live(a).includes("researched"), false, "it is still in the snapshot");

  a.session = "fresh";
  await a.start();
  await a.prompt("Fix the rounding of the totals");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "deny", "a new session has done no research");

  a.session = "researched";
  await a.start("resume");
  assert.equal((await a.edit("src/a.ts", "1", "2")).outcome, "pass", "research of the resumed session is lost");
  assert.equal((await a.stop("Done.")).gate, "verification");

  const { home, id } = place(a);
  rmSync(join(home, "projects", id, "sessions"), { recursive: true });
  a.session = "second";
  const refused = await a.edit("src/a.ts", "2", "3");
  assert.deepEqual([refused.outcome, /guard\/record/.test(refused.text)], ["deny", true], refused.text);
});
