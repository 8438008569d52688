// The state is the fold of the ledger: after any sequence of appends, crashes and re-openings, both agree.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { type JsonObject, openStore, type StoreOptions, verify } from "./index.js";
import { mergePatch } from "./state/merge-patch.js";

const key = fc.constantFrom(
  "a",
  "b",
  "guard/x",
  "guard/y",
  "gate@s1",
  "gate@s2",
  "gate@s2/main",
  "other@s3",
  "__proto__",
  "constructor",
  "ö",
);
const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string({ maxLength: 6 }),
  fc.constant([1, { a: null }]),
);
const patch = fc.dictionary(
  key,
  fc.oneof(leaf, fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 2 })), { maxKeys: 3 })),
  {
    maxKeys: 4,
  },
) as fc.Arbitrary<JsonObject>;

test("state fold equals snapshot after random sequences", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(patch, { nil: undefined }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      (patches, records) => {
        const place = { home: mkdtempSync(join(tmpdir(), "interlock-fold-")), id: "p1" };
        const live = { kept: records - 1, records: 1, most: 2 };
        const options: StoreOptions = { sync: "never", segment: { bytes: 1e9, records }, live };
        let expected: JsonObject = {};
        for (const one of patches) {
          openStore(place, options).append(() => ({ type: "event", body: {}, patch: one }));
          if (one) expected = mergePatch(expected, one) as JsonObject;
        }
        const { state, condition } = openStore(place, options).read();
        assert.equal(JSON.stringify(sorted(state)), JSON.stringify(sorted(expected)));
        assert.equal(condition.ok, true);
        let folded: JsonObject = {};
        for (const record of openStore(place).records())
          if (record.patch) folded = mergePatch(folded, record.patch) as JsonObject;
        assert.equal(JSON.stringify(sorted(folded)), JSON.stringify(sorted(state)));
        assert.equal(verify(place).verdict, "intact");
        rmSync(place.home, { recursive: true });
      },
    ),
    {
      numRuns: 60,
      // A session that is brought back and leaves again with the same record.
      examples: [[[{ "gate@s2": {} }, undefined, { "other@s3": {}, "gate@s2": 0, "gate@s1": {} }, undefined], 1]],
    },
  );
});

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, one]) => [name, sorted(one)]);

/** The table of RFC 7386, appendix A. */
const table: [unknown, unknown, unknown][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [target, patch, result] of table)
  test(`merge patch ${JSON.stringify(patch)} onto ${JSON.stringify(target)}`, () => {
    const before = JSON.stringify(target);
    assert.deepEqual(mergePatch(target as never, patch as never), result);
    assert.equal(JSON.stringify(target), before, "the target was changed");
  });

test("a patch named __proto__ reaches no prototype", () => {
  const result = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  assert.equal(JSON.stringify(result), '{"__proto__":{"polluted":true}}');
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
