// Runs the tests with Node's own runner: `node scripts/test.mjs [--no-build] [part of a path ...]`; all without a part.
// Builds first, and installs the agent clients when a chosen test needs one. The last lines are the runner's summary.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { build } from "./build.mjs";
import { installClaude } from "./clients.mjs";
import { root, transpile, walk } from "./transpile.mjs";

const parts = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const flags = process.argv.slice(2).filter((a) => a.startsWith("--"));
await transpile();

const all = [...walk(join(root, "build"), (f) => f.endsWith(".test.js"))].map((f) => relative(root, f)).sort();
const files = parts.length ? all.filter((f) => parts.some((p) => f.includes(p.replace(/\.ts$/, ".js")))) : all;
if (!files.length) {
  console.error(`no test file matches: ${parts.join(" ")}`);
  process.exit(2);
}
if (files.some((f) => /^build\/test\/(?:clients\/|demo\.)/.test(f.replaceAll("\\", "/")))) installClients();
if (!flags.includes("--no-build")) await build();

const env = { ...process.env, NODE_OPTIONS: "--enable-source-maps", INTERLOCK_TEST: "1" };
delete env.NODE_EXTRA_CA_CERTS;
const child = spawn(
  process.execPath,
  [
    "--test",
    "--test-concurrency=2",
    "--test-timeout=900000",
    ...flags.filter((f) => f.startsWith("--test-")),
    ...files,
  ],
  { cwd: root, stdio: "inherit", env },
);
child.on("exit", (code, signal) => process.exit(signal ? 1 : code));

/** Without a client its tests are skipped with the reason. CI must not skip them. */
function installClients() {
  try {
    installClaude();
  } catch (error) {
    console.error(error.message);
    if (process.env.CI === "true") process.exit(1);
    console.error("the tests that need Claude Code will be skipped");
  }
}
