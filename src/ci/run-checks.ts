// Runs all checks of `interlock ci` over one range of commits. Reads only.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { compile } from "../config/compile.js";
import { askGit } from "../project/run-git.js";
import { readCommits, withFiles } from "../sred/read-commits.js";
import { realIo } from "../store/io.js";
import { layout, segments } from "../store/layout.js";
import { withGit } from "../trace/trace-git.js";
import { checkCheckpoints } from "./check-checkpoints.js";
import { checkTraceCoverage } from "./check-coverage.js";
import { checkIntents } from "./check-intents.js";
import { checkSred } from "./check-sred.js";
import { checkValidators } from "./check-validators.js";
import { type CheckResult, type CiCheckName, type CiInput, type CiReport, ciCheck } from "./ci-report.js";

export interface CiOptions extends Omit<CiInput, "commits" | "hasRecord"> {
  /** Checks for which warnings and what can't be checked here are failures. */
  required: ReadonlySet<CiCheckName>;
}

export async function runChecks(options: CiOptions): Promise<CiReport> {
  const { root, range, required, home, id } = options;
  const revisions = [range.to, ...(range.from ? [`^${range.from}`] : [])];
  const cut = shallowCommits(root);
  const found = withFiles(root, readCommits(root, { revisions }).commits);
  // Of the oldest commits of a shallow clone git shows the whole tree as new.
  const commits = found.map((commit) => (cut.has(commit.hash) ? { ...commit, files: [] } : commit));
  const input: CiInput = { ...options, commits, hasRecord: segments(realIo, layout({ home, id })).length > 0 };
  const report: CiReport = {
    range,
    commits: commits.length,
    incomplete: commits.some(({ hash }) => cut.has(hash)),
    checks: [],
  };
  if (!commits.length) return report;
  const config = await committedConfig(options);
  const results: Record<CiCheckName, () => CheckResult | Promise<CheckResult>> = {
    checkpoints: () => checkCheckpoints(input),
    coverage: () => checkTraceCoverage(input),
    intents: () => checkIntents(input),
    sred: () => checkSred(input, config?.sred ?? false),
    validators: () => checkValidators(input, config?.problems),
  };
  for (const [name, check] of Object.entries(results) as [CiCheckName, () => Promise<CheckResult>][])
    report.checks.push(ciCheck(name, await check(), required.has(name)));
  return report;
}

/** Commits whose parents exist and were not fetched. */
function shallowCommits(root: string): Set<string> {
  const named = askGit(root, ["rev-parse", "--git-path", "shallow"])?.toString().trim();
  const file = named && resolve(root, named);
  return new Set(file && existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : []);
}

/** interlock.yaml as the range's end has it. */
async function committedConfig(
  input: Pick<CiInput, "root" | "range">,
): Promise<{ sred: boolean; problems: string[] } | undefined> {
  const object = await withGit(input, (git) => git.object(`${input.range.to}:interlock.yaml`));
  if (object?.type !== "blob") return undefined;
  const project = { name: "interlock.yaml", text: object.data.toString("utf8") };
  const { config, problems } = await compile({ name: "your configuration", text: undefined }, project, true);
  return { sred: config.packs["sred"]?.enabled ?? false, problems };
}
