// Runs the project's tests at the end of a tdd phase: red must leave them failing, green and refactor passing.
// Invariant: the exit code of the test command decides; a command that can't run proves nothing.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Counts, countsIn } from "../../../facts/test-reporters.js";
import { readBoundedText } from "../../../project/bounded-read.js";

export interface TestGateResult {
  exitCode: number | null;
  counts?: Counts;
  /** Why the phase can't end like this. */
  problem?: string;
}

/** The configured test command, TEST_CMD, or what the project's files suggest. */
export function testCommandOf(
  project: string,
  configured: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (configured) return configured;
  if (env["TEST_CMD"]) return env["TEST_CMD"];
  const has = (name: string) => existsSync(join(project, name));
  if (has("package.json") && /"test"\s*:/.test(readBoundedText(join(project, "package.json"), 1 << 20)))
    return "npm test";
  if (has("Cargo.toml")) return "cargo test";
  if (has("go.mod")) return "go test ./...";
  if (["pytest.ini", "pyproject.toml", "setup.py", "tests/conftest.py"].some(has)) return "python3 -m pytest -q";
  return undefined;
}

export function runTestGate(
  command: string,
  wanted: "fail" | "pass",
  place: { project: string; log: string; env: NodeJS.ProcessEnv; timeoutMs: number },
): TestGateResult {
  const { status, stdout, stderr, error } = spawnSync("sh", ["-c", command], {
    cwd: place.project,
    env: place.env,
    encoding: "utf8",
    timeout: place.timeoutMs,
    maxBuffer: 256 << 20,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = `${stdout ?? ""}${stderr ?? ""}`;
  writeFileSync(place.log, output);
  const counts = countsIn(output);
  const known = { exitCode: status, ...(counts && { counts }) };
  if (error || status === null)
    return { ...known, problem: `the test command did not end: ${error?.message ?? "signal"}` };
  if (status === 126 || status === 127) return { ...known, problem: `the test command can't be run: ${command}` };
  if (counts && counts.passed + counts.failed === 0) return { ...known, problem: "no test was run" };
  if (wanted === "fail" && status === 0) return { ...known, problem: "the tests pass; red must leave a failing test" };
  if (wanted === "pass" && status !== 0)
    return {
      ...known,
      problem: `the tests fail${counts ? `: ${counts.failed} of ${counts.passed + counts.failed}` : ""}`,
    };
  return known;
}
