import assert from "node:assert/strict";
import { test } from "node:test";
import { changeStateText, objectAt, parseStateFile, pushBounded, readStateFile } from "./state-file.js";

test("a state file is read completely, including unknown fields", () => {
  const source =
    '{"active_workflow":{"type":"fix","mine":1},' +
    '"phases":{"01-requirements":{"status":"pending","x":[1]}},"other":{"y":null}}';
  assert.deepEqual(JSON.parse(JSON.stringify(parseStateFile(source))), JSON.parse(source));
});

test("text that is not a state is rejected with a message", () => {
  for (const [source, why] of [
    ["{", /not valid JSON/],
    ["", /not valid JSON/],
    ["[]", /no object/],
    ["null", /no object/],
    ['"x"', /no object/],
  ] as const)
    assert.throws(() => parseStateFile(source), why);
});

test("an invalid field is ignored and reported; the rest counts", () => {
  const { state, problems } = readStateFile(
    '{"code_review":{"team_size":"3","enabled":false},"phases":{"a":{"status":7},"b":{"status":"pending"}},' +
      '"skill_usage_log":[{"agent":1},{}],"current_phase":"b"}',
  );
  assert.equal(state.current_phase, "b");
  assert.equal(state.code_review?.enabled, false);
  assert.equal(state.code_review?.team_size, undefined);
  assert.equal(state.phases?.["a"]?.status, undefined);
  assert.equal(state.phases?.["b"]?.status, "pending");
  assert.equal(state.skill_usage_log, undefined);
  assert.equal(problems.length, 3);
  assert.match(problems.join(), /phases\.a\.status.*code_review\.team_size/);
});

test("a change keeps other fields and increments the version if there is one", () => {
  const changed = changeStateText('{"a":{"b":[1,null]},"state_version":3}', (s) =>
    pushBounded(objectAt(s, "c", "d"), "list", { n: 1 }),
  );
  assert.deepEqual(JSON.parse(changed), { a: { b: [1, null] }, state_version: 4, c: { d: { list: [{ n: 1 }] } } });
  assert.ok(changed.endsWith("}\n"));
  assert.equal(JSON.parse(changeStateText("{}", () => undefined)).state_version, undefined);
  const state = {};
  for (let i = 0; i < 30; i++) pushBounded(state, "list", { i }, 20);
  assert.deepEqual(
    (state as { list: { i: number }[] }).list.map((e) => e.i),
    Array.from({ length: 20 }, (_, i) => i + 10),
  );
});
