// interlock query-log: asks a log a question instead of reading it. Invariant: at most 32,000 bytes are printed.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type LogQuery, logQueries, QueryError, queryLog } from "../../runs/query-log.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { countOption, runsProjectRoot } from "../lib/runs-here.js";
import { sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock query-log <question> <file> [--json]

  tail <file> [--lines <n>]                 the last lines (120)
  grep <pattern> <file> [--ignore-case]     lines that match, with numbers; RE2 syntax
  errors <file>                             each kind of error once: where it first stands, how often
  tests <file>                              test counts and the names of failing tests
  lean-summary <file>                       Lean errors, each place once, with the goal
  lean-classify <file>                      CLASS|FILE|LINE|SUMMARY for each Lean error

The answer has at most 32,000 bytes; the file must lie inside the project.

Examples:
  interlock query-log tail runs/20260213T091500Z-1a2b3c4d/logs/tdd_green.log --lines 40
  interlock query-log grep "loss=0\\.[0-4]" results/exp-1/train.log
`;

export async function run(args: string[]): Promise<number> {
  const spec = { lines: "text", "ignore-case": "flag", json: "flag", cwd: "text" } as const;
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [query, ...rest] = words;
  if (query === undefined) throw new UsageError(`say what to ask\n${usage}`);
  if (!(logQueries as readonly string[]).includes(query))
    throw unknownWord("unknown question", query, logQueries, usage);
  const wanted = query === "grep" ? 2 : 1;
  atMost(rest, wanted, usage);
  const pattern = query === "grep" ? rest[0] : undefined;
  const file = rest[wanted - 1];
  if (file === undefined)
    throw new UsageError(`say which ${query === "grep" && !pattern ? "pattern and file" : "file"}\n${usage}`);
  try {
    const lines = countOption("lines", values.lines, usage);
    const question = { pattern, lines, ignoreCase: values["ignore-case"] };
    // As typed from the current folder, else from the project's root, as manifests write it.
    const typed = resolve(values.cwd ?? process.cwd(), file);
    const found = existsSync(typed) ? typed : file;
    const project = runsProjectRoot(values);
    const answer = await withProgress("reading the log", () => queryLog(project, found, query as LogQuery, question));
    if (values.json) printJson({ query, file, ...answer });
    else if (answer.text) console.log(answer.text);
    return 0;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    sayError(`interlock: ${error.message}\n  ${error.remedy}`);
    return 1;
  }
}
