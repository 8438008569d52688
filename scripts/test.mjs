// Runs the tests with node's own runner: `node scripts/test.mjs [path-part ...]` (all of them when no part is given).
// Ends with the runner's summary, then nothing.
import { spawn } from "node:child_process";
import { join, relative } from "node:path";
import { build } from "./build.mjs";
import { root, transpile, walk } from "./transpile.mjs";

const parts = process.argv.slice(2).filter((a) => !a.startsWith("--"));
const flags = process.argv.slice(2).filter((a) => a.startsWith("--"));
await transpile();
if (!flags.includes("--no-build")) await build();

const out = join(root, "build");
const all = [...walk(out, (f) => f.endsWith(".test.js"))].map((f) => relative(root, f)).sort();
const files = parts.length ? all.filter((f) => parts.some((p) => f.includes(p.replace(/\.ts$/, ".js")))) : all;
if (!files.length) {
  console.error(`no test file matches: ${parts.join(" ")}`);
  process.exit(2);
}
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
