import assert from "node:assert/strict";
import { test } from "node:test";
import { families } from "./index.js";

test("a program is claimed by one family only", () => {
  const seen = new Map<string, number>();
  for (const family of families) for (const name of family.names) seen.set(name, (seen.get(name) ?? 0) + 1);
  assert.deepEqual(
    [...seen].filter(([, count]) => count > 1).map(([name]) => name),
    [],
  );
});
