// What was changed and what was verified: edits since the last successful verification, and test runs as evidence.
// Invariant: only a run whose own success was seen clears the edits; a failed, hidden or empty run clears nothing.

import { resolve } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { setOf } from "../../../facts/lazy-pattern.js";
import type { Requirement } from "../../../facts/prompts/prompt.js";
import { testFilePattern } from "../../../facts/test-changes.js";
import type { TestRun } from "../../../facts/test-run.js";
import type { ProgramCall } from "../../../facts/test-runners.js";
import type { Event } from "../../../model/event.js";
import { after, at, failed, memory, type Project } from "../../../model/gate.js";
import { isObject } from "../../../model/json.js";
import { isConfiguredCall, succeededCommands } from "../command-success.js";
import type { DisciplineOptions } from "../discipline-options.js";
import { editsOf } from "../edits.js";
import { taskMemory } from "../prompts/task-memory.js";
import { endedRun, type PendingRun, withStarted } from "./background-runs.js";
import { changedCode } from "./changed-code.js";
import { changedLines, smallLines } from "./changed-lines.js";
import { hasTests, idleTestCommand, testCommand } from "./test-command.js";

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
  /** When code was last pushed. */
  pushedAt?: number;
  /** Something was committed since the last push. */
  unpushed?: boolean;
  /** `git commit` was tried since the person's last prompt and failed. */
  triedCommit?: boolean;
  /** A team's lead began this session and no person has spoken in it: what it does is handed to the lead. */
  member?: boolean;
  /** The project's own test command found no test to run, and none was written since. */
  noTests?: true;
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
    const code = good ? changedCode(facts, options, project) : [];
    const ended = state.value.pending?.length ? endedRun(state.value.pending, facts) : undefined;
    const run = ended?.run ?? facts.run ?? (good ? declaredRun(facts, options) : undefined);
    const commits = good ? (facts.shell?.commits.length ?? 0) : 0;
    const tried = !good && (facts.shell?.commits.length ?? 0) > 0;
    const pushes = good ? (facts.shell?.pushes.length ?? 0) : 0;
    const restored = good ? restoredBy(facts) : [];
    const gone = touched.filter((path) => !project.exists(path));
    const ran = good ? scriptsRun(facts) : [];
    const watched = good && state.value.pushedAt !== undefined && (facts.shell?.commands ?? []).some(asksCi);
    const started = state.value.noTests && good && succeededCommands(facts).some(startsProgram);
    const happened = started || commits || tried || pushes || restored.length || ran.length || watched;
    if (!touched.length && !run && !happened) return;
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
      if (ran.length) s.unverified = s.unverified.filter((path) => !s.noTests && !ran.includes(path));
      if (started) s.unverified = [];
      if (touched.some((path) => testFilePattern.test(path))) delete s.noTests;
      // A file the agent made for itself and took away again is nobody's work.
      s.unverified = s.unverified.filter((path) => !(gone.includes(path) && s.made?.includes(path)));
      s.commits += commits;
      if (commits) Object.assign(s, { uncommitted: false, unpushed: true });
      if (pushes) Object.assign(s, { unpushed: false, pushedAt: now });
      if (commits || tried) s.triedCommit = tried;
      s.pushes += pushes;
      // What was pushed is tested by the project's CI: before it is merged, after a check has proved it, or while the
      // agent watches.
      const checked = s.runs.some((r) => r.ok === true && r.at >= s.lastEditAt);
      const handedOver = (pushes && (checked || forReview(facts))) || (watched && (s.pushedAt ?? 0) >= s.lastEditAt);
      if (handedOver && options.verify.accept === "checks" && hasCi(project)) s.unverified = [];
      if (!run) return;
      const pending = withStarted(s.pending ?? [], facts, s.unverified, now);
      if (pending) s.pending = pending;
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
      if (run.level === "test" && run.counts) {
        delete s.noTests;
        if (findsNone(run, project, s.unverified)) s.noTests = true;
      }
      if (s.noTests && s.runs.some((r) => r.ok === true && r.at >= s.lastEditAt)) s.unverified = [];
      // After a passing test run, what a follow-up changed is proved by a check, and so is what was changed on the way
      // to an answer; `accept: tests` wants tests each time.
      const tested = s.runs.some((r) => r.level === "test" && r.ok === true);
      const { aboutChecks, latest, small } = recall(taskMemory);
      const enough =
        (run.level === "test" && run.ok === true) ||
        (options.verify.accept === "checks" &&
          (tested ||
            s.noTests ||
            aboutChecks ||
            (small && (s.lines ?? 0) <= smallLines) ||
            latest === "question" ||
            onlyBuildFiles(s.unverified) ||
            !hasTests(project)));
      if ((run.ok !== true && !run.checked) || !enough) return;
      s.unverified = ended ? s.unverified.filter((path) => !ended.pending.covers.includes(path)) : [];
      if (!s.unverified.length) s.lines = 0;
    });
  },
});

/** The command that a refusal would name ran whole, and there was no test: not one that a filter left out. */
function findsNone({ counts, command }: TestRun, project: Project, files: readonly string[]): boolean {
  const plain = command.replace(/\s*(?:2>&1\s*)?(?:\|[^|].*|;\s*echo .*)?$/, "").trim();
  const { collected = 0, passed = 0, failed = 0, skipped = 0 } = counts ?? {};
  const asked = [testCommand(project, files), testCommand(project), idleTestCommand(project)];
  return asked.includes(plain) && collected + passed + failed + skipped === 0;
}

/** `npm start`, `go run .`: the program itself is tried. */
const startsProgram = ({ program, argv }: ProgramCall): boolean =>
  /^(?:(?:go|cargo|swift|dotnet) run|(?:npm|pnpm|yarn|bun) (?:run )?(?:start|dev))\b/.test(
    `${program} ${argv.slice(0, 2).join(" ")}`,
  );

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

/** `gh run watch`, `gh pr checks`, `gh pr view 7 --json statusCheckRollup`: how the runs of CI stand. */
const asksCi = ({ program, argv }: ProgramCall): boolean =>
  (program === "gh" && /^(?:run (?:list|view|watch)|pr checks)$/.test(argv.slice(0, 2).join(" "))) ||
  (program === "gh" &&
    argv.some((w) => w !== undefined && /\bstatusCheckRollup\b|\/check-(?:runs|suites)\b/.test(w))) ||
  (program === "glab" && /^(?:ci|pipeline) (?:list|view|status|get)$/.test(argv.slice(0, 2).join(" ")));

const hasCi = (project: Project): boolean =>
  project.list(".github/workflows").length > 0 || project.exists(".gitlab-ci.yml") || project.exists(".circleci");

/** Programs that run the file they are given. */
const interpreters = setOf("node bun deno tsx ts-node python python3 ruby perl php lua bash sh zsh swift Rscript");

/** Files of the project that a call ran, or fed to a program, with success: to run a script is to try it. */
function scriptsRun(facts: Facts): string[] {
  const { root } = facts.world.project;
  const succeeded = succeededCommands(facts);
  const fed = facts.effects.flatMap((e) =>
    e.kind === "read" && e.by === "redirection" && e.path !== undefined ? (belowRoot(root, e.path) ?? []) : [],
  );
  const run = succeeded.flatMap(({ program, argv, path, cwd }) => {
    const given = argv.find((word) => word === undefined || !word.startsWith("-"));
    const file = path ?? (interpreters.has(program) ? given : undefined);
    return file === undefined ? [] : (belowRoot(root, resolve(cwd ?? facts.event.cwd, file)) ?? []);
  });
  return succeeded.length ? [...run, ...fed] : run;
}

const trunk = /^(?:main|master|trunk|develop)$/;

/** Pushed to a branch of its own: nothing of it counts before it is merged. */
function forReview({ shell, git, event }: Facts): boolean {
  // Git says where it went; without its words, the command or the current branch does.
  const shown = [...(event.outcome?.text ?? "").matchAll(/^ .*\S +-> +(\S+)/gm)].map((m) => m[1]!);
  const named = (shell?.pushes ?? []).flatMap((push) => push.refs ?? []).map((ref) => ref.replace(/^.*:/, ""));
  const branches = shown.length ? shown : named.length && !named.includes("HEAD") ? named : [git?.branch ?? "main"];
  return branches.every((branch) => !trunk.test(branch));
}

/** Files that git put back as they were committed. */
function restoredBy(facts: Facts): string[] {
  const { shell, world } = facts;
  const { root } = world.project;
  return (shell?.commands ?? []).flatMap(({ program, argv }) => {
    const [verb, ...rest] = argv;
    if (program !== "git" || (verb !== "checkout" && verb !== "restore")) return [];
    const named = rest.slice(rest.indexOf("--") + 1);
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
  if (ask === "push") return done.pushes > 0 || !(done.unpushed || done.uncommitted);
  if (ask === "tests") return done.ranTests || done.testsEdited;
  if (ask === "docs") return done.docsEdited;
  return true;
}

/** A command listed in `verify.commands` is proof by its exit code. */
function declaredRun(facts: Facts, { verify }: DisciplineOptions): TestRun | undefined {
  if (!verify.commands.length) return undefined;
  const { root } = facts.world.project;
  const found = succeededCommands(facts).find((c) => verify.commands.some((words) => isConfiguredCall(c, words, root)));
  return found
    ? { runner: found.program, level: "test", command: facts.event.tool!.command!, ok: true, exitCode: 0 }
    : undefined;
}
