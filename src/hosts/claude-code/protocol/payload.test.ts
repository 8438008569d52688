import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parsePayload, payloadLimits } from "./payload.js";

const bytes = (text: string) => Buffer.from(text, "utf8");
const nest = (depth: number, open: string, close: string, core: string) =>
  open.repeat(depth) + core + close.repeat(depth);

test("payloads that are read", async (t) => {
  const rows: [string, Buffer, unknown][] = [
    ["an object", bytes('{"a":1}'), { a: 1 }],
    ["with a byte order mark", bytes('\ufeff{"a":1}'), { a: 1 }],
    ["with white space round it", bytes(' \r\n{"a":1}\n'), { a: 1 }],
    ["invalid UTF-8", Buffer.concat([bytes('{"a":"'), Buffer.from([0xff, 0xc3]), bytes('"}')]), { a: "\ufffd\ufffd" }],
    ["a lone surrogate", bytes('{"a":"\\ud800"}'), { a: "\ud800" }],
    ["an escaped NUL", bytes('{"a":"\\u0000"}'), { a: "\0" }],
    ["brackets and colons in strings", bytes(`{"a":"${"[{:,".repeat(60_000)}"}`), { a: "[{:,".repeat(60_000) }],
    ["quotes and backslashes in strings", bytes('{"a\\\\":"\\"[\\\\"}'), { "a\\": '"[\\' }],
    ["nesting at the limit", bytes(nest(payloadLimits.depth - 1, '{"a":', "}", "{}")), undefined],
    ["a key that is in every object", bytes('{"constructor":1}'), { constructor: 1 }],
  ];
  for (const [name, input, expected] of rows)
    await t.test(name, () => {
      const parsed = parsePayload(input);
      assert.ok(parsed.ok, JSON.stringify(parsed));
      if (expected) assert.deepEqual(parsed.payload, expected);
    });
});

test("payloads that are refused, with the reason", async (t) => {
  const rows: [string, Buffer, RegExp][] = [
    ["nothing", bytes(""), /not JSON/],
    ["cut off", bytes('{"a": {"b'), /not JSON/],
    ["an unfinished escape", bytes('{"a\\'), /not JSON/],
    ["a raw NUL", bytes('{"a":"\0"}'), /not JSON/],
    ["an array", bytes("[1]"), /not a JSON object/],
    ["null", bytes("null"), /not a JSON object/],
    ["too large", Buffer.alloc(payloadLimits.bytes + 1, 0x20), /more than 8388608/],
    ["too deep", bytes(nest(payloadLimits.depth, '{"a":', "}", "{}")), /nests deeper than 64/],
    ["too deep in arrays", bytes(`{"a":${nest(100_000, "[", "]", "")}}`), /nests deeper than 64/],
    [
      "too many keys",
      bytes(`{${Array.from({ length: payloadLimits.keys + 1 }, (_, i) => `"${i}":0`).join()}}`),
      /50000 keys/,
    ],
    ["too many values", bytes(`{"a":[${"0,".repeat(payloadLimits.values + 1)}0]}`), /1000000 values/],
  ];
  for (const [name, input, reason] of rows)
    await t.test(name, () => {
      const parsed = parsePayload(input);
      assert.ok(!parsed.ok);
      assert.match(parsed.reason, reason);
    });
});

test("no own __proto__ survives, however it is spelled, and no prototype changes", () => {
  const parsed = parsePayload(bytes('{"__proto__":{"x":1},"a":[{"\\u005f_proto__":{"y":1}}]}'));
  assert.ok(parsed.ok);
  const inner = (parsed.payload.a as object[])[0]!;
  for (const object of [parsed.payload, inner]) {
    assert.equal(Object.hasOwn(object, "__proto__"), false);
    assert.equal(Object.getPrototypeOf(object), Object.prototype);
  }
  assert.equal((Object.assign({}, inner) as { y?: number }).y, undefined);
});

test("any bytes give an answer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (random) => {
      assert.equal(typeof parsePayload(Buffer.from(random)).ok, "boolean");
    }),
    { numRuns: 2_000 },
  );
});

test("what JSON.parse reads within the payloadLimits, it reads the same", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4 })), (value) => {
      const text = JSON.stringify(value);
      const parsed = parsePayload(bytes(text));
      assert.ok(parsed.ok);
      if (!text.includes("__proto__")) assert.deepEqual(parsed.payload, JSON.parse(text));
    }),
    { numRuns: 500 },
  );
});
