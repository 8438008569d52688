// The bootstrap behind `npm run demo`, `npm test` and the rest: needs nothing but Node and npm.
// It installs the development dependencies when the lock file changed since the last install, then runs the task.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [task = "help", ...args] = process.argv.slice(2);

const tasks = {
  install: () => 0,
  build: () => node("scripts/build.mjs"),
  test: () => node("scripts/test.mjs", ...args),
  demo: () => node("scripts/demo.mjs", ...args),
  check: () => node("scripts/check.mjs", ...args),
  bench: () => node("scripts/bench.mjs", ...args),
  nightly: () => node("scripts/test.mjs", ...args),
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
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  // A registry that lacks the builds for other platforms makes `npm ci` refuse the lock file; `npm install` then takes the same versions.
  const ways = [["ci"], ["install", "--no-save"]];
  if (
    !ways.some(
      (way) =>
        spawnSync(npm, [...way, ...quiet], { cwd: root, stdio: ["ignore", 2, 2], shell: process.platform === "win32" })
          .status === 0,
    )
  )
    fail(
      "npm could not install (its message is above). Interlock's own set-up needs the npm registry once; run the same command again when it is reachable.",
    );
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

function node(script, ...rest) {
  return spawnSync(process.execPath, [join(root, script), ...rest], { cwd: root, stdio: "inherit" }).status ?? 1;
}

function fail(sentence) {
  console.error(sentence);
  process.exit(3);
}
