// 200 constructed sessions: every planted incident is found, and hardly anything else is reported.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { backtest } from "../../src/look/backtest.js";
import { type LookCase, sure } from "../../src/look/findings.js";
import { temporary } from "../../src/testing/temporary.js";
import { plantedSessions } from "./planted.js";

/** Gates that ask for a way of working say what they say in every session; they plant nothing. */
const isAlarm = (id: string): boolean => !id.startsWith("discipline/");

test("finds every planted incident in 200 sessions with at most 2 % false alarms", async () => {
  const folder = temporary("look");
  const sessions = plantedSessions(200);
  mkdirSync(join(folder, "projects"), { recursive: true });
  for (const { name, text } of sessions) writeFileSync(join(folder, "projects", `${name}.jsonl`), text);

  const found = await backtest({ paths: [folder], userHome: "/home/ada" });

  assert.equal(found.sessions, 200);
  assert.deepEqual(found.skipped.failed, []);
  assert.deepEqual(found.skipped.unknownFormat, []);
  const reported: { id: string; found: LookCase }[] = [
    ...found.findings.incidents.values(),
    ...found.findings.gates.values(),
  ]
    .filter(({ id }) => isAlarm(id))
    .flatMap(({ id, cases }) => sure(cases).map((one) => ({ id, found: one })));
  const expected = sessions.flatMap(({ name, planted }) => planted.map((one) => ({ name, ...one })));
  const missed: string[] = [];
  const matched = new Set<LookCase>();
  for (const { name, id, mark } of expected) {
    const hit = reported.find(
      (r) => r.id === id && !matched.has(r.found) && r.found.file.includes(name) && r.found.what.includes(mark),
    );
    if (hit) matched.add(hit.found);
    else missed.push(`${name}: ${id} ${mark}`);
  }
  assert.deepEqual(missed, []);
  const alarms = reported.filter((r) => !matched.has(r.found)).map((r) => `${r.id} ${r.found.file} ${r.found.what}`);
  assert.ok(
    alarms.length <= expected.length * 0.02,
    `${alarms.length} false alarms:\n${alarms.slice(0, 20).join("\n")}`,
  );
});
