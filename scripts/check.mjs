// `npm run check`: types, lint and format, import directions, unused code, generated files, tests. One command, one summary.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./transpile.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);
const steps = [
  ["types", bin("tsc"), ["--noEmit", "-p", "."]],
  ["lint and format", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["import directions", process.execPath, ["scripts/directions.mjs"]],
  ["unused code", bin("knip"), []],
  ["generated files", process.execPath, ["scripts/generate.mjs", "--check"]],
  ["tests", process.execPath, ["scripts/test.mjs"]],
];

const still = process.argv.includes("--static");
let failed = 0;
for (const [name, command, args] of steps) {
  if (still && name === "tests") continue;
  if (command.includes("node_modules") && !existsSync(command)) throw new Error(`${command} is missing: run npm ci`);
  console.error(`-- ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    failed++;
    console.error(`-- ${name}: FAILED`);
  }
}
if (failed) {
  console.error(`${failed} of ${steps.length} checks failed`);
  process.exit(1);
}
console.error("all checks passed");
