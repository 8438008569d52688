// Whether what each commit changed was in the scope of the intent it was made under.
// Invariant: lines a trace gives to an agent are judged. Without a trace nobody knows who changed a file: one outside
// the scopes the commit names is a warning. A scope counts as it stood in that commit or stands at the range's end.

import { parseIntents } from "../intents/document.js";
import { findIntent, type Intent, type IntentSet, ignoreFiles, intentsFile, lineOf } from "../intents/intent.js";
import { type IgnoreRules, inScope, isIgnoredPath, readIgnoreFile } from "../intents/scope-patterns.js";
import type { GitCommit } from "../sred/read-commits.js";
import { trailersOf } from "../sred/trailers.js";
import { isRecord } from "../trace/marks.js";
import type { TraceNote } from "../trace/note.js";
import { NotesStore } from "../trace/notes-store.js";
import { type TraceGit, withGit } from "../trace/trace-git.js";
import { type CheckResult, type CiFinding, type CiInput, plural } from "./ci-report.js";

export const checkIntents = (input: CiInput): Promise<CheckResult> =>
  withGit(input, async (git) => {
    const tree = new IntentTree(git);
    const now = await tree.at(input.range.to);
    const own = input.commits.filter(({ parents }) => parents.length < 2);
    const notes = new NotesStore(git);
    const made: Made[] = [];
    for (const commit of own) made.push(whatFor(commit, await notes.of(commit.hash)));
    const named = made.filter(({ trailers, edits }) => trailers.length || edits.some(({ intent }) => intent));
    if (!now.set) {
      if (!named.length) return { used: false, checked: false, summary: `there is no ${intentsFile}` };
      const summary = `${plural(named.length, "commit")} name intents, but ${intentsFile} is not in the repository`;
      return { checked: false, summary, notCheckable: [`scopes: commit ${intentsFile}`] };
    }
    if (now.set.problem) return broken(now.set);
    const findings: CiFinding[] = [];
    for (const one of made) findings.push(...judged(one, [await tree.at(one.commit.hash), now]));
    const untraced = made.filter(({ traced, trailers }) => !traced && !trailers.length).length;
    return {
      checked: named.length > 0,
      summary: `${named.length} of ${plural(own.length, "commit")} name an intent`,
      notCheckable: untraced ? [`${plural(untraced, "commit")} without trace and Intent trailer`] : [],
      findings,
    };
  });

function broken({ problem }: IntentSet): CheckResult {
  const { what, fix, line = 1 } = problem!;
  const finding = { level: "error" as const, message: what, next: fix, file: intentsFile, line };
  return {
    checked: true,
    summary: `${intentsFile} is not valid`,
    findings: [{ rule: "intents/file", ...finding }],
  };
}

interface Made {
  commit: GitCommit;
  /** The intents its trailers name. */
  trailers: string[];
  /** What a trace says agents wrote. */
  edits: { path: string; intent: string | undefined; line: number }[];
  traced: boolean;
}

function whatFor(commit: GitCommit, note: TraceNote | undefined): Made {
  const trailers = trailersOf(commit.message).flatMap(({ key, value }) => (key === "intent" && value ? [value] : []));
  const edits = new Map<string, Made["edits"][number]>();
  for (const { path, ranges } of note?.files ?? [])
    for (const [line, , mark] of ranges) {
      if (!isRecord(mark)) continue;
      const intent = note?.authors[mark]?.intent;
      const key = `${intent}\0${path}`;
      if (!edits.has(key)) edits.set(key, { path, intent, line });
    }
  return { commit, trailers: [...new Set(trailers)], edits: [...edits.values()], traced: note !== undefined };
}

interface IntentState {
  set: IntentSet | undefined;
  ignored: IgnoreRules[];
}

/** Intents and .intentignore of a commit. */
class IntentTree {
  readonly #known = new Map<string, IntentState>();

  constructor(private readonly git: TraceGit) {}

  async at(commit: string): Promise<IntentState> {
    const files = [intentsFile, ...ignoreFiles];
    const found = await Promise.all(files.map((file) => this.git.object(`${commit}:${file}`)));
    const key = found.map((object) => object?.oid ?? "").join(" ");
    const known = this.#known.get(key);
    if (known) return known;
    const [intents, ...ignores] = found.map((o) => (o?.type === "blob" ? o.data.toString("utf8") : undefined));
    const state: IntentState = {
      set: intents === undefined ? undefined : parseIntents(intents),
      ignored: ignores.flatMap((text) => (text === undefined ? [] : [readIgnoreFile(text)])),
    };
    this.#known.set(key, state);
    return state;
  }
}

const isControlFile = (path: string): boolean => path.startsWith(".orchestration/") || path === ".intentignore";

function judged({ commit, trailers, edits, traced }: Made, states: readonly IntentState[]): CiFinding[] {
  const findings: CiFinding[] = [];
  const add = (
    rule: string,
    level: CiFinding["level"],
    message: string,
    next: string,
    where: Partial<CiFinding> = {},
  ) => findings.push({ rule: `intents/${rule}`, level, message, next, commit: commit.hash, ...where });
  const sets = states.flatMap(({ set }) => (set && !set.problem ? [set] : []));
  for (const id of new Set([...trailers, ...edits.flatMap(({ intent }) => intent ?? [])])) {
    if (!sets.some((set) => findIntent(set, id)))
      add("unknown", "error", `there is no intent ${id}`, `add it to ${intentsFile}, or correct the trailer`);
    else if (states.every(({ ignored }) => ignored.some(({ intents }) => intents.includes(id))))
      add("ignored", "error", `the intent ${id} is excluded in .intentignore`, "select another intent");
  }
  const within = (id: string, path: string): boolean => sets.some((set) => isWithin(set, id, path));
  for (const { path, intent, line } of edits) {
    if (isControlFile(path)) continue;
    const where = { file: path, line };
    if (states.every(({ ignored }) => ignored.some((rules) => isIgnoredPath(rules, path))))
      add("ignored", "error", `${path} is excluded in .intentignore and an agent changed it`, "revert it", where);
    else if (intent === undefined)
      add("no-intent", "warning", `an agent changed ${path} under no intent`, "select an intent first", where);
    else if (sets.some((set) => findIntent(set, intent)) && !within(intent, path))
      add("out-of-scope", "error", `${path} is outside the scope of ${intent}`, scopeRemedy(intent), where);
  }
  if (traced) return findings;
  const known = trailers.filter((id) => sets.some((set) => findIntent(set, id)));
  for (const { path } of known.length ? commit.files : [])
    if (!isControlFile(path) && !known.some((id) => within(id, path)))
      add(
        "maybe-out-of-scope",
        "warning",
        `${path} is outside the scope of ${known.join(", ")}; without a trace nobody knows who changed it`,
        "fetch the notes: git fetch origin refs/notes/interlock:refs/notes/interlock",
        { file: path },
      );
  return findings;
}

const scopeRemedy = (id: string): string =>
  `widen its scope in ${intentsFile}, or move the change to another intent than ${id}`;

/** In its own scope and in that of every intent above it. */
function isWithin(set: IntentSet, id: string, path: string): boolean {
  const intent: Intent | undefined = findIntent(set, id);
  return intent !== undefined && lineOf(set, intent).every((one) => inScope(one, path));
}
