// The catalogue of hazards: every entry is used, and exceptions match by name and by id.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { adviceOn, classAdvice, type HazardId, hazard, hazardCatalogue, hazardName, isExcepted } from "./hazards.js";

const ids = Object.keys(hazardCatalogue) as HazardId[];

test("every hazard of the catalogue can happen", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.ts$/.test(file) && !/\.test\.ts$|^model\//.test(file),
  );
  const text = files.map((file) => readFileSync(join("src", file), "utf8")).join("\n");
  const used = new Set(text.match(/(?<=!)[a-z][\w-]*|(?<=")[a-z][\w-]*(?=")/g));
  assert.deepEqual(
    ids.filter((id) => !used.has(id)),
    [],
  );
});

test("titles say what happens, in one line without a full stop", () => {
  for (const id of ids) assert.match(hazardCatalogue[id].title, /^[a-z][^\n]{5,90}[^.]$/, id);
});

test("a hazard takes class and level from the catalogue, and a more exact name from its caller", () => {
  assert.deepEqual(hazard("mkfs"), { class: "disk", level: 3, id: "mkfs" });
  assert.deepEqual(hazard("backup-remove", "restic-forget"), {
    class: "infrastructure",
    level: 2,
    id: "backup-remove",
    name: "restic-forget",
  });
  assert.equal(hazardName(hazard("firewall-off")), "firewall");
});

const exceptions: [HazardId, string | undefined, string, boolean][] = [
  ["mkfs", undefined, "mkfs", true],
  ["mkfs", undefined, "mk*", true],
  ["mkfs", undefined, "wipefs", false],
  ["backup-remove", "restic-forget", "restic-forget", true],
  ["backup-remove", "restic-forget", "restic-*", true],
  ["backup-remove", "restic-forget", "backup-remove", true],
  ["backup-remove", "restic-forget", "borg-*", false],
  ["backup-remove", "restic-forget", "restic", false],
  ["firewall-off", undefined, "firewall", true],
];
for (const [id, name, except, expected] of exceptions)
  test(`except ${except}: ${name ?? id} is ${expected ? "let through" : "kept"}`, () =>
    assert.equal(isExcepted(hazard(id, name), [except]), expected));

test("every class says why and what to do instead", () => {
  for (const id of ids) {
    const { why, next } = adviceOn(hazard(id));
    assert.ok(why && next, id);
  }
  assert.ok(Object.values(classAdvice).every(({ why }) => why.length > 10));
});
