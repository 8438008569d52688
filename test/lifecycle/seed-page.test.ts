// docs/seeds/001.md: no row is empty, and every file it names exists; every gate has its test beside it.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { lifecyclePack } from "../../src/packs/lifecycle/index.js";

const page = readFileSync(join(process.cwd(), "docs/seeds/001.md"), "utf8");
const rows = page.split("\n").filter((line) => line.startsWith("|") && !/^\|[-|]+$/.test(line));
const places = ["src/packs/lifecycle", "src/packs/lifecycle/gates", "src/packs/lifecycle/model", "test/lifecycle"];
const more = ["src/facts", "test/clients", "test", "src/hosts/claude-code/protocol", "src/hosts/claude-code/install"];

test("every row says what shows the behaviour", () => {
  assert.ok(rows.length > 100);
  for (const row of rows) {
    const cells = row.split("|").slice(1, -1);
    assert.equal(cells.length, 2, row);
    for (const cell of cells) assert.ok(cell.trim().length > 3, row);
  }
});

test("every test and source file the page names exists", () => {
  const named = new Set([...page.matchAll(/\w[\w./-]*\.(?:test\.ts|ts)\b/g)].map(([name]) => name));
  assert.ok(named.size > 20);
  for (const name of named)
    assert.ok(
      ["", ...places, ...more].some((folder) => existsSync(join(process.cwd(), folder, name))),
      name,
    );
});

test("the names of tests that the page quotes are names of tests", () => {
  const texts = [...places, "src/facts", "test/clients", "test"].flatMap((folder) =>
    readdirSync(join(process.cwd(), folder))
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(process.cwd(), folder, name), "utf8")),
  );
  const all = texts.join("\n");
  for (const [, file, quoted] of page.matchAll(/(\w[\w-]*\.test\.ts) ((?:"[^"]+"(?:, )?)+)/g))
    for (const [, name] of quoted!.matchAll(/"([^"]+)"/g))
      assert.ok(all.includes(name!.replace(/ \.\.\.$/, "")), `${file}: ${name}`);
});

test("every gate of the pack has its test beside it", () => {
  for (const { id } of lifecyclePack.gates) {
    const name = id.replace("lifecycle/", "");
    assert.ok(existsSync(join(process.cwd(), `src/packs/lifecycle/gates/${name}.test.ts`)), name);
  }
});
