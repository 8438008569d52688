// `npm run check`: every check there is, then the tests; `--static` leaves the tests out. One command, one summary.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./transpile.mjs";

const bin = (name) => join(root, "node_modules", ".bin", name);
const steps = [
  ["types", bin("tsc"), ["--noEmit", "-p", "."]],
  ["types of the dashboard's pages", bin("tsc"), ["--noEmit", "-p", "web"]],
  ["lint and format", bin("biome"), ["check", "--error-on-warnings", "."]],
  ["import directions", process.execPath, ["scripts/directions.mjs"]],
  ["names and line length", process.execPath, ["scripts/words.mjs"]],
  ["unused code", bin("knip"), []],
  ["generated files", process.execPath, ["scripts/generate.mjs", "--check"]],
  ["build", process.execPath, ["scripts/build.mjs"]],
  ["package", bin("publint"), ["run", ".", "--strict"]],
  ["tests", process.execPath, ["scripts/test.mjs", "--no-build"]],
];

const wanted = process.argv.includes("--static") ? steps.slice(0, -1) : steps;
const failed = [];
for (const [name, command, args] of wanted) {
  if (command.includes("node_modules") && !existsSync(command)) throw new Error(`${command} is missing: run npm ci`);
  console.error(`-- ${name}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (status === 0) continue;
  failed.push(name);
  console.error(`-- ${name}: FAILED`);
}
if (failed.length) {
  console.error(`${failed.length} of ${wanted.length} checks failed: ${failed.join(", ")}`);
  process.exit(1);
}
console.error(`all ${wanted.length} checks passed`);
