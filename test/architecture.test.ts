// docs/architecture.md shows the rooms as they are and names files that exist.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const page = readFileSync("docs/architecture.md", "utf8");

test("the picture of the rooms equals ls src", () => {
  const picture = /```\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  const drawn = picture.match(/^[\w-]+(?=\/)/gm) ?? [];
  assert.deepEqual(drawn.sort(), readdirSync("src").sort());
});

test("every file and folder the page names exists", () => {
  const named = [...page.matchAll(/`((?:src|scripts)\/[\w./-]+)`/g)].map((match) => match[1]!);
  const inWalk = [...page.matchAll(/`((?:cli|engine|facts|hook|hosts|packs|server|shell|store)\/[\w./-]+\.ts)/g)];
  assert.ok(named.length > 50 && inWalk.length > 20);
  const missing = [...named, ...inWalk.map((match) => join("src", match[1]!))].filter((path) => !existsSync(path));
  assert.deepEqual(missing, []);
});

test("the walk of an event has at most twenty steps", () => {
  const steps = page.match(/^\| \d+ \|/gm) ?? [];
  assert.ok(steps.length > 10 && steps.length <= 20, `${steps.length} steps`);
});
