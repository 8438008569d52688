// prepare-commit-msg and commit-msg: an `Intent: <id>` trailer for each intent whose lines are being committed.
// Invariant: never a second time, never in a merge, squash, fixup, rebase, pick or revert, and never in a message that
// is still empty, which git would then not abort.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { homedir } from "../project/node-builtins.js";
import { follow } from "./align.js";
import { isBusy, keepSquash, squashedCommits } from "./commit-origin.js";
import type { CommitPlace } from "./finalise.js";
import { isRecord, markAfter, noMark } from "./marks.js";
import { type TraceGit, withGit } from "./trace-git.js";
import { type LogEntry, WorkingLog } from "./working-log.js";

const usualName = "Intent";

/** Adds the trailers to a message given with -m or -F; `source` is git's second argument. Returns those it added. */
export async function prepareMessage(place: CommitPlace, file: string, source: string): Promise<string[]> {
  keepSquash(place.folder, place.root, place.gitDir);
  return source === "message" ? addIntents(place, file) : [];
}

/** After the editor, when it is known whether the person wrote something. */
export const finishMessage = (place: CommitPlace, file: string): Promise<string[]> => addIntents(place, file);

async function addIntents(place: CommitPlace, file: string): Promise<string[]> {
  const path = resolve(place.root, file);
  const message = readFileSync(path, "utf8");
  const log = new WorkingLog(place.folder, place.root);
  if (log.isEmpty() || isBusy(place.gitDir) || squashedCommits(place.gitDir).length) return [];
  return withGit(place, async (git) => {
    const settings = await settingsOf(git);
    const name = settings.get("interlock.intenttrailer") ?? usualName;
    if (/^(?:off|false|no)$/i.test(name) || !/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) return [];
    if (!isOwn(place, message, settings) || new RegExp(`^${name}:`, "im").test(message)) return [];
    const intents = [...(await stagedIntents(git, log))].sort();
    if (!intents.length) return [];
    const trailers = intents.flatMap((id) => ["--trailer", `${name}: ${id}`]);
    const done = await git.run([
      "interpret-trailers",
      "--in-place",
      "--if-exists",
      "addIfDifferent",
      ...trailers,
      path,
    ]);
    return done ? intents : [];
  });
}

async function settingsOf(git: TraceGit): Promise<Map<string, string>> {
  const wanted = "^(interlock\\.intenttrailer|core\\.commentchar|commit\\.template)$";
  const list = await git.text(["config", "-z", "--get-regexp", wanted]);
  return new Map(
    (list?.split("\0") ?? []).filter(Boolean).map((one) => [one.split("\n")[0]!, one.slice(one.indexOf("\n") + 1)]),
  );
}

/** A message with words of its own: not empty, not the untouched template, not one that git or a fixup made. */
function isOwn(place: CommitPlace, message: string, settings: ReadonlyMap<string, string>): boolean {
  const sign = settings.get("core.commentchar") ?? "#";
  const wordsOf = (text: string) =>
    text
      .split(/^. -+ >8 -+$/m)[0]!
      .split("\n")
      .filter((line) => !line.startsWith(sign) && !/^Signed-off-by: /i.test(line))
      .join("\n")
      .trim();
  const words = wordsOf(message);
  if (!words || /^(?:fixup|squash|amend)! |^Merge |^Revert "/.test(words)) return false;
  const template = settings.get("commit.template");
  if (template === undefined) return true;
  try {
    return words !== wordsOf(readFileSync(resolve(place.root, template.replace(/^~(?=\/)/, homedir())), "utf8"));
  } catch {
    return true; // git itself complains about a template that is not there
  }
}

/** Intents of agent lines that stand in the index. */
async function stagedIntents(git: TraceGit, log: WorkingLog): Promise<Set<string>> {
  const staged = new Set((await git.text(["diff", "--cached", "--name-only", "-z"]))?.split("\0"));
  const intents = new Set<string>();
  for (const entry of log.all())
    if (staged.has(entry.path)) for (const intent of await intentsStaged(git, entry)) intents.add(intent);
  return intents;
}

async function intentsStaged(git: TraceGit, entry: LogEntry): Promise<string[]> {
  const lines = await git.lines(`:${entry.path}`);
  if (!lines) return [];
  const marks = follow(entry.lines, lines).map((origin) => markAfter(origin, entry.marks, noMark, entry.authors));
  return marks.flatMap((mark) => (isRecord(mark) ? (entry.authors[mark]?.intent ?? []) : []));
}
