// What was changed and what was verified: edits since the last successful verification, and test runs as evidence.
// Invariant: only a run whose own success was seen clears the edits; a failed, hidden or empty run clears nothing.

import { resolve } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { setOf } from "../../../facts/lazy-pattern.js";
import type { Requirement } from "../../../facts/prompts/prompt.js";
import type { Event } from "../../../model/event.js";
import { after, at, failed, memory, type Project } from "../../../model/gate.js";
import { isObject } from "../../../model/json.js";
import { matchCompiled } from "../../../project/globs.js";
import { isConfiguredCall, succeededCommands } from "../command-success.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf } from "../edits.js";
import { taskMemory } from "../prompts/task-memory.js";
import { endedRun, type PendingRun, withStarted } from "./background-runs.js";
import { changedLines, smallLines } from "./changed-lines.js";
import { hasTests } from "./test-command.js";

export interface RunEvidence {
  at: number;
  runner: string;
  level: "test" | "check";
  command: string;
  ok: boolean | "unknown";
  exit?: number;
  collected?: number;
  passed?: number;
  failed?: number;
  skipped?: number;
  why?: string;
}

export interface WorkState {
  edits: number;
  files: string[];
  /** Edits of files that need verification. */
  lastEditAt: number;
  /** Code edited since the last successful verification, in order of first edit. */
  unverified: string[];
  runs: RunEvidence[];
  /** Commits and pushes since the person's last prompt. */
  commits: number;
  pushes: number;
  docsEdited: boolean;
  testsEdited: boolean;
  ranTests: boolean;
  /** Whether code was edited in the current turn, and whether that turn has ended. */
  editedNow: boolean;
  ended: boolean;
  /** Since the person's last prompt no call was made and no turn has ended. */
  untouched?: boolean;
  /** Files were changed since the last commit. */
  uncommitted?: boolean;
  /** Files the agent made in this session. */
  made?: string[];
  /** Lines of code changed since the last successful verification. */
  lines?: number;
  /** Lines of code the current task has changed. */
  size?: { task: string; lines: number };
  /** `git commit` was tried since the person's last prompt and failed. */
  triedCommit?: boolean;
  /** A team's lead began this session and no person has spoken in it: what it does is handed to the lead. */
  member?: boolean;
  /** Test runs in the background that have not shown their result. */
  pending?: PendingRun[];
}

const maxFiles = 100;
const maxRuns = 20;

export const workMemory = memory<WorkState>({
  id: "discipline/work",
  on: [...after(), ...failed("shell"), ...at("prompt", "turn.end")],
  state: {
    scope: "session",
    initial: {
      edits: 0,
      files: [],
      lastEditAt: 0,
      unverified: [],
      runs: [],
      commits: 0,
      pushes: 0,
      docsEdited: false,
      testsEdited: false,
      ranTests: false,
      editedNow: false,
      ended: false,
    },
  },
  learn({ event, facts, config, state, project, now, recall }) {
    const options = config as unknown as DisciplineOptions;
    if (event.kind === "turn.end") {
      if (!state.value.ended || state.value.untouched) state.replace({ ...state.value, ...endedTurn });
      return;
    }
    if (event.kind === "prompt") {
      const { prompt } = facts;
      const member = !prompt?.person && (state.value.member ?? recall(taskMemory).prompts === 0) && fromLead(event);
      if (member !== (state.value.member ?? false) && (member || prompt?.person))
        state.update((s) => void (s.member = member));
      if (prompt?.person && !prompt.command) state.replace(nextTurn(state.value, prompt.kind !== "passthrough"));
      // A machine wakes the agent after its turn has ended: what was edited then was that turn's business.
      else if (!prompt?.person && state.value.ended) state.replace(nextTurn(state.value, false));
      return;
    }
    if (state.value.ended || state.value.untouched) state.replace({ ...state.value, ...goingOn });
    if (looking.has(event.tool!.kind) && !state.value.pending?.length) return;
    const good = event.kind === "tool.after" && event.outcome?.ok !== false;
    const touched = good ? editsOf(facts, options).flatMap((c) => (c.below === undefined ? [] : [c.below])) : [];
    const code = good ? codeOf(facts, options, project) : [];
    const ended = state.value.pending?.length ? endedRun(state.value.pending, facts) : undefined;
    const run = ended?.run ?? facts.run ?? (good ? declaredRun(facts, options) : undefined);
    const commits = good ? (facts.shell?.commits.length ?? 0) : 0;
    const tried = !good && (facts.shell?.commits.length ?? 0) > 0;
    const pushes = good ? (facts.shell?.pushes.length ?? 0) : 0;
    const restored = good ? restoredBy(facts) : [];
    if (!touched.length && !run && !commits && !tried && !pushes && !restored.length) return;
    state.update((s) => {
      if (touched.length) {
        s.edits++;
        s.uncommitted = true;
        if (code.length) Object.assign(s, { lastEditAt: now, editedNow: true });
        s.testsEdited ||= touched.some((path) => /test|spec/i.test(path));
        s.files = [...new Set([...s.files, ...touched])].slice(-maxFiles);
        s.docsEdited ||= touched.some((path) =>
          /(?:^|\/)(?:docs?\/|readme|changelog)|\.(?:md|mdx|rst|adoc)$/i.test(path),
        );
        s.unverified = [...new Set([...s.unverified, ...code])].slice(-maxFiles);
        if (code.length) grow(s, recall(taskMemory).id, changedLines(facts));
        for (const p of s.pending ?? []) p.covers = p.covers.filter((path) => !touched.includes(path));
        const made = madeBy(facts);
        if (made.length) s.made = [...new Set([...(s.made ?? []), ...made])].slice(-maxFiles);
      }
      if (restored.length) s.unverified = s.unverified.filter((path) => !restored.includes(path));
      s.commits += commits;
      if (commits) s.uncommitted = false;
      if (commits || tried) s.triedCommit = tried;
      s.pushes += pushes;
      // What a check has proved and a push has handed over is tested by the project's CI.
      const checked = s.runs.some((r) => r.ok === true && r.at >= s.lastEditAt);
      if (pushes && checked && options.verify.accept === "checks" && hasCi(project)) s.unverified = [];
      if (!run) return;
      const started = withStarted(s.pending ?? [], facts, s.unverified, now);
      if (started) s.pending = started;
      if (ended) s.pending = s.pending?.filter((p) => p.id !== ended.pending.id);
      s.ranTests ||= run.level === "test";
      const { collected, passed, failed: bad, skipped } = run.counts ?? {};
      s.runs = [
        ...s.runs,
        {
          at: ended?.pending.at ?? now,
          runner: run.runner,
          level: run.level,
          command: facts.keep(run.command.slice(0, 120)),
          ok: run.ok ?? ("unknown" as const),
          exit: run.exitCode,
          collected,
          passed,
          failed: bad,
          skipped,
          why: run.why,
        },
      ].slice(-maxRuns);
      // After a passing test run, what a follow-up changed is proved by a check, and so is what was changed on the way
      // to an answer; `accept: tests` wants tests each time.
      const tested = s.runs.some((r) => r.level === "test" && r.ok === true);
      const { aboutChecks, latest, small } = recall(taskMemory);
      const enough =
        run.level === "test" ||
        (options.verify.accept === "checks" &&
          (tested ||
            aboutChecks ||
            (small && (s.lines ?? 0) <= smallLines) ||
            latest === "question" ||
            onlyBuildFiles(s.unverified) ||
            !hasTests(project)));
      if (run.ok !== true || !enough) return;
      s.unverified = ended ? s.unverified.filter((path) => !ended.pending.covers.includes(path)) : [];
      if (!s.unverified.length) s.lines = 0;
    });
  },
});

/** Tools that change nothing and run nothing. */
const looking: ReadonlySet<string> = new Set(["read", "search", "web"]);

/** What these say is read by the build. */
const onlyBuildFiles = (paths: readonly string[]): boolean =>
  paths.every((p) => /(?:^|\/)(?:Cargo\.toml|go\.mod|build\.gradle(?:\.kts)?|tsconfig[\w.]*\.json|pom\.xml)$/.test(p));

const endedTurn = { ended: true, untouched: false };
const goingOn = { ended: false, untouched: false };

/** How Claude Code gives a member of a team its work. */
const fromLead = ({ prompt }: Event): boolean =>
  prompt?.machine === true && /^\s*<teammate-message\s[^>]*teammate_id=/.test(prompt.text);

function grow(s: WorkState, task: string, lines: number): void {
  s.lines = (s.lines ?? 0) + lines;
  s.size = { task, lines: (s.size?.task === task ? s.size.lines : 0) + lines };
}

/**
 * A prompt after an ended turn begins a new one. What was done is counted from the last prompt that asked for
 * something.
 */
function nextTurn(before: Readonly<WorkState>, asks: boolean): WorkState {
  const s = { ...before, untouched: true };
  if (s.ended) s.editedNow = false;
  if (asks) Object.assign(s, { commits: 0, pushes: 0, docsEdited: false, testsEdited: false, ranTests: false });
  if (asks) delete s.triedCommit;
  return s;
}

const remark = /(^|\s)(?:\/\/|#(?!\[|include|define|if|else|endif|pragma|!)|--\s|;;).*$|\/\*[^]*?\*\/|^\s*\*.*$/gm;
const withoutRemarks = (text: string): string => text.replace(remark, "$1").replace(/\s+/g, " ").trim();

/** In a language in which a line break says nothing: the same but for layout, and the same texts. */
function sameButLayout(path: string, old: string, now: string): boolean {
  if (!/\.(?:[cm]?[jt]sx?|rs|go|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|dart|scala|zig)$/i.test(path)) return false;
  const [was, is] = [old, now].map((text) => ({
    code: withoutRemarks(text)
      .replace(/\s*([{}()[\],;<>|&=+*/.:?!-])\s*/g, "$1")
      .replace(/,([)\]}>])/g, "$1"),
    texts: (text.match(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g) ?? []).join("\n"),
  }));
  return was!.code === is!.code && was!.texts === is!.texts;
}

/** An edit of comments and layout alone. */
function onlyRemarks({ event }: Facts): boolean {
  const { tool } = event;
  const edits = tool?.kind === "edit" ? tool.edits : undefined;
  return (
    !!edits?.length &&
    edits.every(
      (e) =>
        e.old !== e.new &&
        (withoutRemarks(e.old) === withoutRemarks(e.new) ||
          sameButLayout(String(tool?.input["file_path"] ?? ""), e.old, e.new)),
    )
  );
}

const markup = /\.(?:tsx|jsx|vue|svelte|astro|html?)$/i;
const presented =
  /\bclass(?:Name)?=(?:"[^"]*"|'[^']*'|\{`[^`$]*`\})|"(?:[A-Z][^"\n]*|[^"\n]* [^"\n]*)"|>[^<>{}=;()]*(?=<|$)/g;
const withoutLooks = (text: string): string => text.replace(presented, " _ ").replace(/\s+/g, " ").trim();

/** An edit of a page that changes classes and words a person reads, and nothing else. */
function onlyLooks({ event }: Facts): boolean {
  const { tool } = event;
  const edits = tool?.kind === "edit" && markup.test(String(tool.input["file_path"] ?? "")) ? tool.edits : undefined;
  return !!edits?.length && edits.every((e) => e.old !== e.new && withoutLooks(e.old) === withoutLooks(e.new));
}

const manifest = /(?:^|\/)(?:package\.json|go\.mod|Cargo\.toml|pyproject\.toml|pubspec\.yaml|\.?mise\.toml)$/;
const ownVersion = /^\s*(?:"version"\s*:|version\s*[:=]|go\s|toolchain\s)\s*["']?(?:go)?\d[\w.+-]*["']?,?\s*$/;

/** A release's number or the language's in a manifest: no line of code is another for it. */
export function onlyVersion({ event }: Facts): boolean {
  const { tool } = event;
  const edits = tool?.kind === "edit" && manifest.test(String(tool.input["file_path"] ?? "")) ? tool.edits : undefined;
  return !!edits?.length && edits.every((e) => !e.all && versionOnly(e.old.split("\n"), e.new.split("\n")));
}

const versionOnly = (old: readonly string[], now: readonly string[]): boolean =>
  old.length === now.length &&
  old.every((line, i) => line === now[i] || (ownVersion.test(line) && ownVersion.test(now[i]!)));

/** What they change is layout. */
const formatters = setOf(`
  prettier biome gofmt gofumpt goimports black isort ruff rustfmt dprint stylua shfmt clang-format swiftformat ktlint
  swift-format yapf autopep8 oxfmt taplo`);

/** Changed files that need verification: text files that exist, and deleted files with an extension; no folders. */
function codeOf(facts: Facts, options: DisciplineOptions, project: Project): string[] {
  if (onlyRemarks(facts) || onlyLooks(facts) || onlyVersion(facts)) return [];
  return editsOf(facts, options).flatMap(({ kind, below, broad, by }) => {
    if (below === undefined || formatters.has(by ?? "") || matchCompiled(options.verify.exempt, below)) return [];
    const there = kind === "delete" || broad ? /\.\w+$/.test(below) : project.read(below) !== undefined;
    return there ? [below] : [];
  });
}

const hasCi = (project: Project): boolean =>
  project.list(".github/workflows").length > 0 || project.exists(".gitlab-ci.yml") || project.exists(".circleci");

/** Files that git put back as they were committed. */
function restoredBy(facts: Facts): string[] {
  const { shell, world } = facts;
  const { root } = world.project;
  return (shell?.commands ?? []).flatMap(({ program, argv }) => {
    const [verb, ...rest] = argv;
    if (program !== "git" || (verb !== "checkout" && verb !== "restore")) return [];
    const named = verb === "checkout" ? rest.slice(rest.indexOf("--") + 1) : rest;
    if (verb === "checkout" && !rest.includes("--")) return [];
    if (rest.some((w) => w === undefined || /^--?(?:source|s\b|staged|S\b)/.test(w))) return [];
    return named.flatMap((w) => (w && !w.startsWith("-") ? (belowRoot(root, resolve(facts.event.cwd, w)) ?? []) : []));
  });
}

/** Files that were not there before the call. */
function madeBy(facts: Facts): string[] {
  const { tool, outcome } = facts.event;
  const response = isObject(outcome?.response) ? outcome.response : {};
  const { root } = facts.world.project;
  const seen = facts.observed?.changes.filter((c) => c.op === "created" && !c.shared).map((c) => c.path) ?? [];
  const written = tool!.kind === "write" && response["type"] === "create" ? facts.targets.map((t) => t.path) : [];
  return [...seen, ...written].flatMap((path) => belowRoot(root, path) ?? []);
}

/** Whether something the prompt asked for was done. */
export function isFulfilled(ask: Requirement, done: Readonly<WorkState>): boolean {
  // Nothing was changed since the last commit: there is nothing to commit.
  if (ask === "commit") return done.uncommitted === false || (done.commits > 0 && !done.uncommitted);
  if (ask === "push") return done.pushes > 0;
  if (ask === "tests") return done.ranTests || done.testsEdited;
  if (ask === "docs") return done.docsEdited;
  return true;
}

/** A command listed in `verify.commands` is proof by its exit code. */
function declaredRun(facts: Facts, { verify }: DisciplineOptions) {
  if (!verify.commands.length) return undefined;
  const { root } = facts.world.project;
  const found = succeededCommands(facts).find((c) => verify.commands.some((words) => isConfiguredCall(c, words, root)));
  return found
    ? {
        runner: found.program,
        level: "test" as const,
        command: facts.event.tool!.command!,
        ok: true,
        exitCode: 0,
        counts: undefined,
        why: undefined,
      }
    : undefined;
}
