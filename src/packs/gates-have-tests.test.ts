// Every gate of every pack has its test beside it: `<file>.test.ts` for the gate in `<file>.ts`, naming the gate's id.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { registry } from "./registry.js";

const folder = join(process.cwd(), "src/packs");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

for (const entry of registry) {
  const pack = await entry.load();
  for (const { id } of pack.gates)
    test(`${id} has its test beside it`, () => {
      const definition = new RegExp(String.raw`\b(?:gate|phaseGate)(?:<[^]{0,80}?>)?\(\{\s*id: "${id}"`);
      const file = sources.find((name) => !name.endsWith(".test.ts") && definition.test(read(name)));
      assert.ok(file, "the gate is defined in a file of src/packs");
      const beside = file.replace(/\.ts$/, ".test.ts");
      assert.ok(sources.includes(beside), `${beside} is missing`);
      assert.ok(read(beside).includes(id), `${beside} does not name ${id}`);
    });
}
