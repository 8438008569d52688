// One phase from start to end: signed record, snapshot, prompt, agent, checks, capsule, manifest, events.
// Invariant: the record is there before the agent starts and gone after its checks; every way out writes the events.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { JsonObject } from "../../../model/json.js";
import type { PhaseRecord } from "../../../packs/kits/phase-memory.js";
import { phaseVariables, rulesOf } from "../../../packs/kits/phase-rules.js";
import {
  type LetThrough,
  phaseFindings,
  takePhaseSnapshot,
  testFileCount,
} from "../../../packs/kits/phase-snapshot.js";
import {
  allowedOf,
  endedPhase,
  madeBelow,
  recordedPhase,
  sessionsOf,
  startedPhase,
} from "../../../packs/kits/phase-state.js";
import { estimatedHours } from "../../../packs/kits/research/research-documents.js";
import { ruleLines } from "../../../packs/kits/rule-lines.js";
import { kitFolder } from "../../../packs/kits/uses-kits.js";
import { hashFile } from "../../../project/file-hash.js";
import { isAlive } from "../../../project/process-alive.js";
import { logTail, runAgent } from "../../../runs/agent-runner.js";
import { capsuleFor, type PhaseFacts, readCapsule, writeCapsule } from "../../../runs/capsule.js";
import { buildManifest, writeManifest } from "../../../runs/manifest.js";
import { phasePrompt } from "../../../runs/prompts/phase-prompt.js";
import { trackedDefaults } from "../../../runs/tracked-defaults.js";
import { changedMs, trackedFiles } from "../../../runs/tracked-files.js";
import { recordSlices } from "../state-write.js";
import type { KitContext, PhaseResult } from "./kit-context.js";
import { runTestGate, type TestGateResult, testCommandOf } from "./test-gate.js";

export interface PhaseJob {
  phase: string;
  args: readonly string[];
  /** The phase before in this run. */
  before?: PhaseResult;
}

type Finding = PhaseResult["findings"][number];

export async function runPhase(context: KitContext, job: PhaseJob): Promise<PhaseResult> {
  const { run, kit, project, options, opened } = context;
  const { phase } = job;
  const name = freeName(run, `${kit}_${phase}`);
  const log = run.pointer("logs", `${name}.log`);
  const startedAt = new Date();
  const blocker = startProblem(context, phase);
  run.append({ event: "phase_started", kit, phase, pointers: { log } });
  if (blocker)
    return finish(context, job, {
      name,
      startedAt,
      log,
      exitCode: 1,
      findings: [blocker],
      timedOut: false,
      refused: [],
    });
  const record = startRecord(context, job, startedAt.getTime());
  const from = opened.store.read().seq + 1;
  let tests: TestGateResult | undefined;
  let findings: Finding[] = [];
  let exit = { exitCode: null as number | null, timedOut: false, notStarted: undefined as string | undefined };
  try {
    const prompt = promptOf(context, job, record);
    exit = {
      notStarted: undefined,
      ...(await runAgent({
        command: context.runtime.command(phase, job.args),
        prompt,
        cwd: project,
        env: phaseEnvironment(context, record),
        log: join(project, log),
        timeoutMs: phaseTimeout(context, record),
        progress: (line) => context.tell(`[${kit} ${phase}] ${line}`),
        signal: context.signal,
      })),
    };
    if (exit.timedOut) leaveAbortedMetrics(project, record, startedAt);
    const state = opened.store.read().state as JsonObject;
    const newest = recordedPhase(state, run.id) ?? record;
    findings = phaseFindings(project, newest, options, letThroughSince(context, from, state));
    tellParents(context, record);
    const wanted = rulesOf(kit, phase)?.tests;
    if (wanted && exit.exitCode === 0) {
      tests = testsAtEnd(context, name, wanted);
      if (tests.problem)
        findings.push({ rule: `tests-${wanted}`, what: tests.problem, next: `run ${kit} ${phase} again` });
    }
  } finally {
    recordSlices(opened.store, "kit-phase", { run: run.id, kit, phase, ended: true }, (state) =>
      endedPhase(state, run.id),
    );
  }
  const sessions = sessionsOf(opened.store.read().state as JsonObject, run.id);
  const refused = refusalsSince(context, from, sessions);
  if (context.runtime.kind === "claude" && !sessions.length && !exit.notStarted)
    context.tell("no hook of this session reached Interlock: only its checks at the end held. Run: interlock doctor");
  if (exit.notStarted) context.tell(`${context.runtime.name} could not be started: ${exit.notStarted}`);
  const exitCode = exit.exitCode ?? (exit.notStarted ? 127 : exit.timedOut ? 124 : 130);
  return finish(context, job, { name, startedAt, log, exitCode, findings, timedOut: exit.timedOut, refused, tests });
}

/** A phase that a run does again gets a number, so that its log, capsule and manifest stay its own. */
function freeName(run: KitContext["run"], name: string): string {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`;
    if (!existsSync(run.file("capsules", `${free}.md`))) return free;
  }
}

/** An experiment has the time its spec estimates, twice, and 15 minutes at least, unless it was told otherwise. */
function phaseTimeout(context: KitContext, { kit, phase, subject }: PhaseRecord): number {
  const most = context.options.timeoutMinutes * 60;
  if (kit !== "research" || phase !== "run") return most * 1_000;
  const told = context.timeBudget || Number(process.env["EXP_TIME_BUDGET"] ?? 0);
  if (told > 0) return Math.min(told, most) * 1_000;
  const hours = subject ? estimatedHours(projectTextAt(context.project, subject)) : undefined;
  return Math.min(most, hours === undefined ? most : Math.max(900, hours * 7_200)) * 1_000;
}

const projectTextAt = (project: string, path: string): string =>
  existsSync(join(project, path)) ? readFileSync(join(project, path), "utf8") : "";

/** What an experiment that ran out of time leaves: metrics that say so, where it wrote none. */
function leaveAbortedMetrics(project: string, { kit, phase, results, subject }: PhaseRecord, startedAt: Date): void {
  if (kit !== "research" || phase !== "run" || !results) return;
  const file = join(project, results, "metrics.json");
  if (existsSync(file)) return;
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const usage = { gpu_hours: 0, wall_clock_seconds: seconds, total_training_steps: 0, total_runs: 0 };
  const metrics = {
    ...{ experiment: subject, timestamp: new Date().toISOString(), baseline: {}, treatment: {}, per_seed: [] },
    ...{ sanity_checks: {}, resource_usage: usage, abort_triggered: true, abort_reason: "out of time" },
    notes: "written by Interlock: the run was ended",
  };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(metrics, null, 2)}\n`);
}

/** Why a phase can't start here. */
function startProblem(context: KitContext, phase: string): Finding | undefined {
  const { kit, project, options } = context;
  if (kit !== "tdd" || context.runtime.kind === "script") return undefined;
  if (rulesOf("tdd", phase)?.tests && !testCommandOf(project, options.testCommand, process.env))
    return {
      rule: "test-command",
      what: "there is no test command",
      next: "set TEST_CMD, or packs.kits.testCommand in your interlock.yaml",
    };
  if (phase === "green" && testFileCount(project, options) === 0)
    return { rule: "no-tests", what: "there is no test file", next: "run: interlock kit tdd red <spec>" };
  return undefined;
}

function startRecord(context: KitContext, { phase, args }: PhaseJob, startedAt: number): PhaseRecord {
  const { run, kit, project, options, opened, request } = context;
  const [subject] = args;
  const budget = run.record.read_budget;
  const record: PhaseRecord = {
    kit,
    phase,
    run: run.id,
    startedAt,
    pid: process.pid,
    ...(run.record.parent_run_id && { parent: run.record.parent_run_id }),
    ...(subject && { subject }),
    ...(kit === "research" && subject?.endsWith(".md") && { results: resultsFor(subject) }),
    ...(budget && {
      budget: {
        maxFiles: budget.max_files,
        maxBytes: budget.max_total_bytes,
        allow: budget.allowed_paths,
        mustRead: request?.must_read ?? [],
      },
    }),
  };
  const snapshot = takePhaseSnapshot(project, record, options, kitFolder(opened.folder));
  const whole = { ...record, snapshot };
  const body = { run: run.id, kit, phase, snapshot: snapshot.sha256 };
  recordSlices(opened.store, "kit-phase", body, (state) => startedPhase(state, whole, isAlive));
  return whole;
}

/** `experiments/exp-001.md` -> `results/exp-001`. */
const resultsFor = (spec: string): string => `results/${spec.replace(/^.*\//, "").replace(/\.md$/, "")}`;

/** Not handed on: what would make a nested Claude refuse to start, and phases of others. */
const dropped = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT", "CLAUDE_CODE_SESSION_ID"];

function phaseEnvironment({ run, kit, project, options }: KitContext, record: PhaseRecord): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...dropped, ...Object.values(phaseVariables)]) delete env[name];
  return {
    ...env,
    RUN_ID: run.id,
    RUN_ROOT: run.relativeRoot,
    ...(run.record.parent_run_id && { PARENT_RUN_ID: run.record.parent_run_id }),
    READ_BUDGET_STATE_DIR: join(run.root, "artifacts"),
    [phaseVariables[kit]]: record.phase,
    ...(kit === "research" && record.subject && { EXP_SPEC_FILE: record.subject }),
    ...(record.results && { EXP_RESULTS_DIR: record.results }),
    ...(options.testCommand && { TEST_CMD: options.testCommand }),
    KIT_PROJECT_ROOT: project,
  };
}

function promptOf(context: KitContext, job: PhaseJob, record: PhaseRecord): string {
  const { kit, run, options, project, request } = context;
  const rules = rulesOf(kit, job.phase)!;
  const test = kit === "tdd" ? testCommandOf(project, options.testCommand, process.env) : undefined;
  const capsule = job.before && readCapsule(join(project, job.before.capsule));
  return phasePrompt({
    kit,
    phase: job.phase,
    args: job.args,
    runId: run.id,
    rules: ruleLines(rules, options, record.results),
    conditions: [
      ...(rules.tests && test ? [`\`${test}\` is run when you are done and must ${rules.tests}.`] : []),
      "Locked files are compared by hash; the phase fails when one was changed.",
    ],
    ...(job.before &&
      capsule &&
      !capsule.findings.length && {
        handed: { capsule: capsule.text, capsulePath: job.before.capsule, manifestPath: job.before.manifest },
      }),
    ...(request && {
      request: {
        file: `${run.relativeRoot}/artifacts/request.json`,
        mustRead: request.must_read,
        deliverables: request.deliverables_expected,
      },
    }),
  });
}

/** The runs above learn which files this phase made: their own rules may not allow them. */
function tellParents({ project, kit, opened, run }: KitContext, { parent, startedAt }: PhaseRecord): void {
  if (parent === undefined) return;
  const changed = trackedFiles(project, ["**"]).filter(
    (f) => changedMs(f) >= startedAt && !/^(?:runs|interop)\//.test(f.path),
  );
  const files: Record<string, string> = {};
  for (const { path } of changed.slice(0, 400)) {
    const digest = hashFile(join(project, path));
    if (digest) files[path] = digest;
  }
  const body = { run: run.id, kit, parent, files: Object.keys(files).length };
  recordSlices(opened.store, "kit-phase", body, (state) => madeBelow(state, parent, files));
}

function testsAtEnd(context: KitContext, name: string, wanted: "fail" | "pass"): TestGateResult {
  const { project, options, run, tell } = context;
  const command = testCommandOf(project, options.testCommand, process.env)!;
  tell(`[${name.replace("_", " ")}] ${command} (must ${wanted})`);
  const env = { ...process.env };
  for (const variable of ["NODE_TEST_CONTEXT", "NODE_OPTIONS"]) delete env[variable];
  return runTestGate(command, wanted, {
    project,
    log: run.file("logs", `${name}_tests.log`),
    env,
    timeoutMs: options.timeoutMinutes * 60_000,
  });
}

/** What a person allowed in the sessions of this run since a record: the ledger says which refusals were lifted. */
function letThroughSince({ opened, project, run, kit }: KitContext, from: number, state: JsonObject): LetThrough {
  const sessions = sessionsOf(state, run.id);
  const calls = new Set<string>();
  const files = new Set<string>();
  for (const { type, session, body } of opened.store.records({ from })) {
    if (type !== "event") continue;
    const { opinions, tool, effects } = body as { opinions?: JsonObject[]; tool?: JsonObject; effects?: JsonObject[] };
    if (!opinions?.some((o) => o["gate"] === `kits/${kit}` && o["lifted"])) continue;
    // A run below this one may have made the call.
    calls.add(String(tool?.["id"] ?? ""));
    if (!session || !sessions.includes(session)) continue;
    for (const { kind, path } of effects ?? [])
      if (kind !== "read" && typeof path === "string") files.add(relative(project, path));
  }
  const changes = Object.entries(allowedOf(state, run.id)).filter(([, { call }]) => calls.has(call));
  return { changes: Object.fromEntries(changes), files };
}

/** What gates refused to the sessions of this run since a record. */
function refusalsSince(context: KitContext, from: number, sessions: readonly string[]) {
  const found = new Map<string, { gate: string; times: number; reason: string }>();
  for (const { type, session, body } of context.opened.store.records({ from })) {
    if (type !== "event" || !session || !sessions.includes(session)) continue;
    const verdict = (body as JsonObject)["verdict"] as JsonObject | undefined;
    if (verdict?.["outcome"] !== "deny") continue;
    const gate = String(verdict["gate"] ?? "a gate");
    const reason = String(verdict["text"] ?? "");
    const known = found.get(gate);
    found.set(gate, { gate, reason: known?.reason ?? reason, times: (known?.times ?? 0) + 1 });
  }
  return [...found.values()].slice(0, 20);
}

interface Ending {
  /** Of its files. */
  name?: string;
  startedAt: Date;
  log: string;
  exitCode: number;
  timedOut: boolean;
  findings: readonly Finding[];
  refused: readonly { gate: string; times: number; reason: string }[];
  tests?: TestGateResult;
}

async function finish(context: KitContext, job: PhaseJob, ending: Ending): Promise<PhaseResult> {
  const { run, kit } = context;
  const { phase } = job;
  const { findings, refused, log } = ending;
  const exitCode = ending.exitCode || (findings.length ? 1 : 0);
  const status = findings.length ? "blocked" : exitCode === 0 ? "ok" : "failed";
  for (const { gate, times, reason } of refused)
    run.append({ event: "gate_refused", kit, phase, gate, reason, data: { times } });
  for (const { rule, what, next } of findings.slice(0, 20))
    run.append({ event: "phase_blocked", kit, phase, gate: `kits/${kit}`, reason: `${what}; ${next}`, data: { rule } });
  run.append({ event: "phase_finished", kit, phase, exit_code: exitCode, status, pointers: { log } });
  const { capsule, manifest } = await writeHandover(context, phase, {
    ...ending,
    exitCode,
    args: job.args,
    logs: [log],
    command: context.runtime.command(phase, job.args),
  });
  return { phase, exitCode, status, log, capsule, manifest, findings, ...(ending.timedOut && { timedOut: true }) };
}

export interface Handover extends Ending {
  args: readonly string[];
  logs: readonly string[];
  command: readonly string[];
  /** A capsule that is there already. */
  capsuleText?: string;
}

/** Capsule and manifest of a phase or of a whole chain. */
export async function writeHandover(
  context: KitContext,
  phase: string,
  ending: Handover,
): Promise<{ capsule: string; manifest: string }> {
  const { run, kit, project } = context;
  const name = ending.name ?? `${kit}_${phase}`;
  const capsule = run.pointer("capsules", `${name}.md`);
  const manifest = run.pointer("manifests", `${name}.json`);
  const changed = trackedFiles(project, trackedDefaults[kit].tracked)
    .filter((file) => changedMs(file) >= ending.startedAt.getTime())
    .map((file) => file.path);
  const [problem] = ending.findings;
  const { counts } = ending.tests ?? {};
  const facts: PhaseFacts = {
    kit,
    phase,
    goal: [kit, phase, ...ending.args].join(" "),
    exitCode: ending.exitCode,
    changed,
    refused: [
      ...ending.refused.map(({ gate, times }) => ({ gate, times })),
      ...(problem ? [{ gate: `kits/${kit} ${problem.rule}`, times: ending.findings.length }] : []),
    ],
    ...(counts && { tests: { passed: counts.passed, failed: counts.failed, skipped: counts.skipped ?? 0 } }),
    timedOut: ending.timedOut,
    pointers: [manifest, ending.log],
    log: ending.log,
    ...(problem && { next: `${problem.what}: ${problem.next}` }),
  };
  // A phase that broke its rules is reported by facts: its own words may say otherwise.
  const text = ending.findings.length ? "" : (ending.capsuleText ?? logTail(join(project, ending.log)));
  writeCapsule(run.file("capsules", `${name}.md`), capsuleFor(text, facts));
  run.append({ event: "capsule_written", kit, phase, pointers: { capsule } });
  const built = await buildManifest({
    project,
    metadata: {
      run_id: run.id,
      kit,
      phase,
      started_at: ending.startedAt.toISOString(),
      finished_at: new Date().toISOString(),
      exit_code: ending.exitCode,
      command: ending.command.slice(0, 50).map((word) => word.slice(0, 500)),
      cwd: project,
      parent_run_id: run.record.parent_run_id,
      request_id: run.record.request_id,
      agent_runtime: context.runtime.name,
      pid: process.pid,
    },
    capsulePath: capsule,
    logs: ending.logs.map((path) => ({ path })),
    cacheFile: join(kitFolder(context.opened.folder), "hashes.json"),
    ...(context.maxFiles && { maxFiles: context.maxFiles }),
    ...(context.maxBytes && { maxTotalBytes: context.maxBytes }),
  });
  writeManifest(run.file("manifests", `${name}.json`), built);
  const { tracked, omitted } = built.artifact_index;
  run.append({ event: "artifact_indexed", kit, phase, data: { tracked: tracked.length, omitted: omitted.files } });
  run.append({ event: "manifest_written", kit, phase, pointers: { manifest } });
  return { capsule, manifest };
}

/** The frozen request of a run that was asked for. */
export function requestText(project: string, runId: string): string | undefined {
  try {
    return readFileSync(join(project, "runs", runId, "artifacts", "request.json"), "utf8");
  } catch {
    return undefined; // nobody asked for it through the queue
  }
}
