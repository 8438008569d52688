// interlock sred suggest: the project and type for what is staged, from history; from a model where that is enabled.
// Invariant: every failure of the model ends with the scope-derived fallback, said aloud; nothing is committed.
import { accessSync, constants, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Opened } from "../../../hook/open-project.js";
import { inert } from "../../../model/text.js";
import { cleanMessage } from "../../../sred/clean-message.js";
import { commitContext, commitPlace, stagedContent } from "../../../sred/commit-context.js";
import { readSredMessage } from "../../../sred/message.js";
import type { AskedModel } from "../../../sred/model/ask-model.js";
import { answerKey, keepAnswer, keptAnswer } from "../../../sred/model/suggestion-cache.js";
import { readHistory } from "../../../sred/ranking/history.js";
import { rankProjects } from "../../../sred/ranking/rank.js";
import { failureLines } from "../../../sred/scope-fallback.js";
import { type Suggestion, strongMatch, suggest } from "../../../sred/suggestion.js";
import { parseOptions, UsageError } from "../args.js";
import { openHere, printJson } from "../current-project.js";
import { withProgress } from "../progress.js";
import { say, sayError } from "../wrap.js";

export const usage = `Usage: interlock sred suggest [--message <text> | --file <file> | --scope <scope>] [options]

Names the SR&ED project and the type of SR&ED work that the staged files, the scope, the branch, the author and the
issue speak for, from 365 days of git history. Where \`packs.sred.model\` is on in your own configuration and the
history does not decide, a model is asked through the Claude Agent SDK: 8 seconds at most; answers are kept for 5
minutes.

  --message <text>   the commit message, as far as it is written
  --file <file>      the same from a file
  --scope <scope>    only the scope
  --all              the commit takes every changed file, as git commit -a does
  --no-model         ask no model
  --json             one object on stdout
  --cwd <folder>     the repository, instead of the current folder

Suggestions are machine-made until a person confirms them.
`;

const spec = {
  message: "text",
  file: "text",
  scope: "text",
  all: "flag",
  "no-model": "flag",
  json: "flag",
  cwd: "text",
  home: "text",
} as const;

const historyTime = 60_000;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, spec, usage);
  const given = [values.message, values.file, values.scope].filter((v) => v !== undefined);
  if (given.length > 1) throw new UsageError(`give only one of --message, --file and --scope\n${usage}`);
  const text =
    values.file !== undefined
      ? cleanMessage(textOf(values.file))
      : (values.message ?? (values.scope === undefined ? "" : `feat(${values.scope}): `));
  const opened = await openHere(values);
  const now = Date.now();
  const { root } = opened.repository;
  const message = readSredMessage(text);
  const staged = stagedContent(root, values.all === true);
  const context = commitContext(commitPlace(root), message, staged, now);
  const file = join(opened.folder, "sred", "history.json");
  const history = await withProgress("reading the history", () => readHistory({ root, file, now, ms: historyTime }));
  const ranking = rankProjects(history.commits, context);
  const wanted = modelIsWanted(opened) && !values["no-model"] && ranking.confidence < strongMatch;
  const key = answerKey({ repository: opened.repository.id, scope: message.scope, staged: staged.entries });
  const kept = wanted ? keptAnswer(opened.folder, key, now) : undefined;
  const asked: AskedModel | undefined = kept
    ? { answer: kept }
    : wanted
      ? await ask(opened, text, context, ranking.projects)
      : undefined;
  if (asked && !kept) keepAnswer(opened.folder, key, asked.answer, Date.now());
  const suggestion = suggest(message, context, history, asked?.answer);
  if (asked?.detail) sayError(`no answer of a model: ${inert(asked.detail, 300)}`);
  if (values.json)
    printJson({ ...suggestion, machineMade: true, cached: kept !== undefined, historyCommits: history.commits.length });
  else tell(suggestion);
  return 0;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}`);
  }
}

const modelIsWanted = ({ settings }: Opened): boolean => settings.config.packs["sred"]?.options["model"] === true;

async function ask(
  opened: Opened,
  text: string,
  context: Parameters<typeof rankProjects>[1],
  projects: ReturnType<typeof rankProjects>["projects"],
): Promise<AskedModel> {
  const { askModel } = await import("../../../sred/model/ask-model.js");
  const { modelInput } = await import("../../../sred/model/model-input.js");
  const script = realpathSync(process.argv[1]!);
  const cwd = join(opened.folder, "sred", "model");
  mkdirSync(cwd, { recursive: true });
  return askModel({
    input: modelInput(text, context, projects),
    sdk: sdkUrl(script),
    executable: clientInPath(process.env["PATH"] ?? ""),
    child: join(dirname(script), "sred-model.mjs"),
    cwd,
    env: process.env,
  });
}

/** Only beside Interlock itself: a project's own modules are never loaded. */
function sdkUrl(script: string): string | undefined {
  try {
    return pathToFileURL(createRequire(script).resolve("@anthropic-ai/claude-agent-sdk")).href;
  } catch {
    return undefined; // the optional dependency is not installed
  }
}

function clientInPath(path: string): string | undefined {
  const name = process.platform === "win32" ? "claude.exe" : "claude";
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/") || process.platform === "win32")
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not for us
  }
}

function tell(suggestion: Suggestion): void {
  const { project, alternatives, reasoning, confidence, type, typeReason, failure, isNew, cut, source } = suggestion;
  if (failure === "NETWORK_TIMEOUT" || failure === "SDK_ERROR" || failure === "PARSE_ERROR")
    for (const line of failureLines(failure, project, alternatives)) say(line);
  else {
    if (failure) say("[SRED-GUARD] (Discovery unavailable)");
    say(`SRED-Claim: ${project}${isNew ? "  (NEW)" : ""}`);
    say(`  ${inert(reasoning, 300)} Confidence ${confidence}, from ${source}.`);
    if (alternatives.length) say(`  alternatives: ${alternatives.join(", ")}`);
  }
  say(`SRED-Type: ${type}\n  ${inert(typeReason, 120)}`);
  if (cut) say("Only a part of the history was read in time.");
  say("Machine-made: a person confirms it by committing with it.");
}
