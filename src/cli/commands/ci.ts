// interlock ci: checks a range of commits, in CI or before a push. Reads only.
import { writeFileSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { ciMarkdown } from "../../ci/ci-markdown.js";
import { type CiCheckName, type CiReport, ciChecks, ciFailed } from "../../ci/ci-report.js";
import { ciSarif } from "../../ci/ci-sarif.js";
import { commitRange, UnknownRange } from "../../ci/commit-range.js";
import { runChecks } from "../../ci/run-checks.js";
import { coverage, describeCall } from "../../health/coverage.js";
import { interlockHome, userHomeOf, version } from "../../hook/folders.js";
import { identify, type Repository } from "../../project/identify.js";
import { askGitList } from "../../project/run-git.js";
import { openStore } from "../../store/index.js";
import { parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { ciText } from "../lib/ci-text.js";
import { schemaVersion } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { wrapText } from "../lib/wrap.js";

export const usage = `Usage: interlock ci [--range <from>..<to>] [--require <check>,...] [--json | --sarif | --markdown]
                    [--write <file>]

Checks commits: checkpoints in trailers, traces of agents' lines, intents in scope, SR&ED trailers, files of kits.
What this clone can't show is reported as "not checkable here", never as passed.

  --range <from>..<to>   these commits; without it those of the pull request or push (GitHub Actions, GitLab), else
                         those that are not on the default branch
  --require <check>,...  ${ciChecks.join(", ")}:
                         warnings, and what can't be checked here, fail too
  --json, --sarif, --markdown   on stdout instead of text
  --write <file>         also write a file: .json, .sarif or .md; may be given more than once
  --cwd <folder>         the repository, instead of the current folder

Exit code 0: nothing failed, 1: a check failed, 2: usage or unknown commits, 3: internal.

Examples:
  interlock ci
  interlock ci --range origin/main..HEAD --require coverage,intents
  interlock ci --write interlock.sarif --write summary.md
`;

const spec = {
  range: "text",
  require: "texts",
  json: "flag",
  sarif: "flag",
  markdown: "flag",
  write: "texts",
  cwd: "text",
  home: "text",
} as const;

type Form = "json" | "sarif" | "markdown";
const formOfEnding: Readonly<Record<string, Form>> = { ".json": "json", ".sarif": "sarif", ".md": "markdown" };

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, spec, usage);
  const chosen = (["json", "sarif", "markdown"] as const).filter((form) => values[form]);
  if (chosen.length > 1) throw new UsageError(`--${chosen.join(" and --")}: print one, --write the others\n${usage}`);
  const files = (values.write ?? []).map((file) => ({
    file,
    form: formOfEnding[extname(file)] ?? unknownEnding(file),
  }));
  const required = new Set((values.require ?? []).flatMap((list) => list.split(",")).map(checkName));
  const repository = identify(values.cwd ?? process.cwd());
  const report = await withProgress("checking the commits", () => checked(repository, values, required));
  const rendered = (form: Form): string => renderings[form](report, repository.root);
  for (const { file, form } of files) writeFileSync(resolve(values.cwd ?? ".", file), rendered(form));
  const [form] = chosen;
  process.stdout.write(form ? rendered(form) : wrapText(ciText(report)));
  return ciFailed(report) ? 1 : 0;
}

async function checked(
  repository: Repository,
  values: { range?: string; home?: string },
  required: ReadonlySet<CiCheckName>,
): Promise<CiReport> {
  const { root, id, gitDir } = repository;
  if (repository.kind !== "git" || !gitDir) throw new UsageError(`${root} is in no git repository`);
  const home = interlockHome(process.env, values.home);
  try {
    return await runChecks({
      root,
      id,
      gitDir,
      home,
      folder: join(home, "projects", id),
      range: commitRange(root, values.range, process.env),
      required,
      uncoveredCalls: () => uncovered(repository, home),
    });
  } catch (error) {
    throw error instanceof UnknownRange ? new UsageError(error.message) : error;
  }
}

function uncovered(repository: Repository, home: string) {
  const userHome = userHomeOf(process.env);
  const configDir = process.env["CLAUDE_CONFIG_DIR"];
  const places = { home: userHome, projectRoot: repository.root, interlockHome: home, configDir, gitDirs: [] };
  const store = openStore({ home, id: repository.id, label: repository.root });
  const { calls, missing } = coverage({ store, repository, places, userHome });
  return { calls, missing: missing.map((call) => ({ time: call.time, what: describeCall(call) })) };
}

const renderings: Record<Form, (report: CiReport, root: string) => string> = {
  json: (report) => `${JSON.stringify({ schema: schemaVersion, failed: ciFailed(report), ...report }, null, 2)}\n`,
  sarif: (report, root) =>
    `${JSON.stringify(
      ciSarif(report, version, (commit) => changedIn(root, commit)),
      null,
      2,
    )}\n`,
  markdown: (report) => ciMarkdown(report),
};

/** The first file a commit changed. */
const changedIn = (root: string, commit: string): string | undefined =>
  askGitList(root, ["diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", commit])?.[0];

function checkName(name: string): CiCheckName {
  if ((ciChecks as readonly string[]).includes(name)) return name as CiCheckName;
  throw unknownWord("there is no check", name, ciChecks, usage);
}

function unknownEnding(file: string): never {
  throw new UsageError(`--write "${file}": the name must end in ${Object.keys(formOfEnding).join(", ")}\n${usage}`);
}
