// Runs the tests: `node scripts/test.mjs [--no-build] [--times] [part of a path ...]`; all of them without a part.
// `--times` lists the slowest files; `--test-only` and `--test-name-pattern=...` are as in Node's own runner.
// Builds first, and installs the agent clients when a chosen test needs one. The last lines are the runner's summary.
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
import { runTests } from "./test-runner.mjs";
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

process.exitCode = await runTests(files, { whole: !parts.length, flags });

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
