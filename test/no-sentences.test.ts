// No rule may depend on a sentence for people: rewording a reason must not change a verdict.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// Tests run from build/test; the sources lie beside build.
const src = fileURLToPath(new URL("../../src/", import.meta.url));

/** `x.reason` matched, compared or searched; an event's own `reason` is a word of the host, not a sentence. */
const reads = [
  /\.test\(\s*(?!event\b)[\w.!?]+\.reason\b/,
  /\.exec\(\s*(?!event\b)[\w.!?]+\.reason\b/,
  /\.reason\b[?!]?\.(?:match|test|includes|startsWith|endsWith|indexOf|search|split|slice|replace)\(/,
  /(?<!\bevent)\.reason\s*[!=]==/,
];
/** `{ reason }` taken out of an effect and then matched. */
const taken = /\.(?:test|exec)\(\s*reason\s*\)|\breason\.(?:match|includes|startsWith|endsWith|indexOf|search)\(/;

for (const room of ["packs", "facts"])
  test(`no file in src/${room} matches on a reason`, () => {
    const found = readdirSync(join(src, room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .filter((name) => {
        const text = readFileSync(join(src, room, name), "utf8");
        return taken.test(text) || reads.some((pattern) => pattern.test(text));
      });
    assert.deepEqual(found, []);
  });
