// Canonical JSON against the examples of RFC 8785 and what UTF-8 cannot hold.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonical } from "./canonical-json.js";

const numbers: [number, string][] = [
  [0, "0"],
  [-0, "0"],
  [5e-324, "5e-324"],
  [-5e-324, "-5e-324"],
  [1.7976931348623157e308, "1.7976931348623157e+308"],
  [9007199254740992, "9007199254740992"],
  [295147905179352830000, "295147905179352830000"],
  [9.999999999999997e22, "9.999999999999997e+22"],
  [1e23, "1e+23"],
  [1.0000000000000001e23, "1.0000000000000001e+23"],
  [999999999999999700000, "999999999999999700000"],
  [1e21, "1e+21"],
  [9.999999999999997e-7, "9.999999999999997e-7"],
  [0.000001, "0.000001"],
  [1e9 / 3, "333333333.3333333"],
  [0.002, "0.002"],
  [1e-27, "1e-27"],
  [4.5, "4.5"],
];

for (const [value, text] of numbers) test(`number ${text}`, () => assert.equal(canonical(value), text));

test("members are sorted by UTF-16 code units (RFC 8785, 3.2.3)", () => {
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\u{1f600}": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  assert.equal(
    canonical(value),
    '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
      '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
  );
});

test("strings use the shortest escapes (RFC 8785, 3.2.2.2)", () => {
  assert.equal(
    canonical('\u20ac$\u000f\nA\'\u0042"\\\\"/\u007f\u2028'),
    '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f\u2028"',
  );
});

test("literals and structure", () => {
  assert.equal(
    canonical({ b: [null, true, false, {}], a: undefined, c: [undefined] }),
    '{"b":[null,true,false,{}],"c":[null]}',
  );
});

test("lone surrogates become U+FFFD, in values and in names, and names that then coincide are one", () => {
  assert.equal(canonical(["a\ud800b", "\udc00", "\ud83d\ude00"]), '["a\ufffdb","\ufffd","😀"]');
  assert.equal(canonical({ "\ud800": 1, "\udbff": 2 }), '{"\ufffd":2}');
  assert.ok(!canonical("\ud800").includes("\\u"));
});

test("__proto__ is a name like any other", () => {
  assert.equal(canonical(JSON.parse('{"__proto__":1,"a":2}')), '{"__proto__":1,"a":2}');
});

for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1, Symbol("s")])
  test(`${String(value)} has no JSON form`, () => assert.throws(() => canonical({ value }), TypeError));

test("JSON nested too deeply is refused, not a stack overflow", () => {
  let deep: unknown = 1;
  for (let n = 0; n < 100_000; n++) deep = [deep];
  assert.throws(() => canonical(deep), RangeError);
});

test("any JSON value: parses back to itself, is one line, and is a fixed point", () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false } as never), (value) => {
      const text = canonical(value);
      assert.ok(!/[\n\r]/.test(text));
      assert.equal(canonical(JSON.parse(text)), text);
      assert.equal(Buffer.from(text).toString(), text);
    }),
    { numRuns: 500 },
  );
});
