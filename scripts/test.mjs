// Runs the tests with Node's own runner: `node scripts/test.mjs [--no-build] [part of a path ...]`; all without a part.
// Builds first, and installs the agent clients when a chosen test needs one. The last lines are the runner's summary.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { build } from "./build.mjs";
import {
  installAgentSdk,
  installClaude,
  installMiniflare,
  installOtlpDefinitions,
  installSarifSchema,
  installVitest,
} from "./clients.mjs";
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
installWhatIsNeeded();
if (!flags.includes("--no-build")) await build();

const env = { ...process.env, INTERLOCK_TEST: "1" };
delete env.NODE_EXTRA_CA_CERTS;
const child = spawn(
  process.execPath,
  [
    "--test",
    // Reaches the test files, but not the programs they start, which would read their maps in vain.
    "--enable-source-maps",
    // One more than there are processors: many tests wait for a process or a limit.
    `--test-concurrency=${Math.min(8, availableParallelism() + 1)}`,
    `--test-timeout=${process.env.INTERLOCK_NIGHTLY ? 7_200_000 : 900_000}`,
    ...(process.stdout.isTTY || flags.some((f) => f.startsWith("--test-reporter"))
      ? []
      : [`--test-reporter=${new URL("report.mjs", import.meta.url)}`]),
    ...flags.filter((f) => f.startsWith("--test-")),
    ...files,
  ],
  { cwd: root, stdio: "inherit", env },
);
child.on("exit", (code, signal) => process.exit(signal ? 1 : code));

/** What some tests need besides the development dependencies. Without it they are skipped with the reason; on CI that
 * is a failure. Installed here, with the whole environment: the tests run without the variables that slow Node down. */
function installWhatIsNeeded() {
  const needs = [
    [/^build\/test\/(?:clients\/|demo\.)/, installClaude],
    [/^build\/test\/clients\/kits/, installVitest],
    [/^build\/test\/clients\/sred-model/, installAgentSdk],
    [/^build\/test\/ci\/ci-forms/, installSarifSchema],
    [/^build\/test\/telemetry/, installOtlpDefinitions],
    [/^build\/test\/report\/downloads-worker/, installMiniflare],
  ];
  for (const [pattern, install] of needs) {
    if (!files.some((file) => pattern.test(file.replaceAll("\\", "/")))) continue;
    try {
      install();
    } catch (error) {
      console.error(error.message);
      if (process.env.CI === "true") process.exit(1);
      console.error("the tests that need it will be skipped");
    }
  }
}
