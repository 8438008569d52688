// The signature is HMAC-SHA256 as Node's own makes it, whatever is signed.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { hmac } from "./frame.js";

test("hmac agrees with node:crypto for every length of key, head and data", () => {
  const text = fc.oneof(fc.string({ maxLength: 90 }), fc.string({ unit: "grapheme", maxLength: 400 }));
  const bytes = fc.uint8Array({ maxLength: 700 }).map((list) => Buffer.from(list));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), text, fc.oneof(text, bytes), (key, head, data) => {
      const own = hmac({ id: "k", bytes: Buffer.from(key) }, head, data);
      assert.equal(own, createHmac("sha256", key).update(head).update(data).digest("hex"));
    }),
    { numRuns: 2_000 },
  );
});
