// Looking a text over by pairs finds exactly the formats whose hints occur in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatsFor } from "./format-hints.js";
import { formats, hinted } from "./secret-formats.js";

const hints = formats.flatMap((f) => f.hints);
const piece = fc.oneof(
  fc.constantFrom(...hints),
  fc.constantFrom(...hints).map((hint) => hint.slice(1)),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);

test("whatever the text, no format is missed and none is made up", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      assert.deepEqual(
        formatsFor(text),
        formats.filter((format) => hinted(text, format)),
      );
    }),
    { numRuns: 2_000 },
  );
});

test("every hint alone calls up its format", () => {
  for (const format of formats)
    for (const hint of format.hints) {
      const text = format.unclean ? `${hint.padEnd(format.unclean[0], "x")}${format.unclean[1]}` : hint;
      assert.ok(formatsFor(text).includes(format), `${format.kind} by ${hint}`);
    }
});
