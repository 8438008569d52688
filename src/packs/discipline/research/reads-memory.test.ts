import assert from "node:assert/strict";
import { test } from "node:test";
import { joinSpans } from "./reads-memory.js";

test("adjacent spans are joined, others are kept apart", () => {
  assert.deepEqual(
    joinSpans([
      [5, 6],
      [1, 2],
      [3, 4],
      [9, 9],
    ]),
    [
      [1, 6],
      [9, 9],
    ],
  );
  assert.deepEqual(
    joinSpans([
      [1, 100],
      [5, 6],
    ]),
    [[1, 100]],
  );
  assert.deepEqual(joinSpans([]), []);
});
