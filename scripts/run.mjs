// The bootstrap behind `npm run demo`, `npm test` and the rest: needs nothing but Node and npm.
// Installs the development dependencies when the lock file changed since the last install, then runs the task.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const onWindows = process.platform === "win32";
const [task = "help", ...args] = process.argv.slice(2);

const tasks = {
  install: () => 0,
  build: () => node("scripts/build.mjs"),
  test: () => node("scripts/test.mjs", ...args),
  demo: () => node("scripts/demo.mjs", ...args),
  check: () => node("scripts/check.mjs", ...args),
  bench: () => node("scripts/bench.mjs", ...args),
  nightly: () => node("scripts/test.mjs", ...args),
  "compare-fig": () => node("scripts/compare-fig.mjs", ...args),
};

const [major] = process.versions.node.split(".").map(Number);
if (major < 20)
  fail(`Interlock needs Node 20 or newer; this is ${process.version}. Install a newer Node and run the same command.`);
if (!tasks[task]) fail(`unknown task "${task}". Known: ${Object.keys(tasks).join(", ")}`);
install();
if (task === "nightly") process.env.INTERLOCK_NIGHTLY = "1";
process.exit(tasks[task]());

function install() {
  const stamp = join(root, "node_modules", ".interlock-lock");
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("installing development dependencies (once per change of package-lock.json) ...");
  // `npm ci` refuses the lock file when the registry lacks builds for other platforms. `npm install` then takes the
  // same versions.
  if (!npm("ci") && !npm("install", "--no-save"))
    fail("npm could not install (its message is above). Run the same command again when the registry is reachable.");
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

function npm(...words) {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const options = { cwd: root, stdio: ["ignore", 2, 2], shell: onWindows };
  return spawnSync(onWindows ? "npm.cmd" : "npm", [...words, ...quiet], options).status === 0;
}

function node(script, ...rest) {
  return spawnSync(process.execPath, [join(root, script), ...rest], { cwd: root, stdio: "inherit" }).status ?? 1;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(3);
}
