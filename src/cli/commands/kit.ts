// interlock kit: runs a phase of a kit, or a chain of them, as agent sessions bound to the phase's rules.
// Invariant: one run per call; its exit code is the phase's, and `run_finished` carries it whatever happens.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { interlockHome } from "../../hook/folders.js";
import { type KitName, kitActions, kitNames, needsFile } from "../../runs/actions.js";
import { readCapsule } from "../../runs/capsule.js";
import { isRunId } from "../../runs/ids.js";
import { outsideReason } from "../../runs/inside.js";
import { requestDefaults } from "../../runs/request.js";
import { createRun, lineageBelow, type Run, RunError, type RunRecords } from "../../runs/run.js";
import { type InteropRequest, requestSchema, schemaFindings } from "../../runs/schemas.js";
import { parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { kitChains } from "../lib/kit/chains.js";
import { type KitContext, kitOptionsOf, type PhaseResult, resultJson } from "../lib/kit/kit-context.js";
import { kitRuntime } from "../lib/kit/kit-runtime.js";
import { look } from "../lib/kit/looks.js";
import { requestText, runPhase, writeHandover } from "../lib/kit/run-phase.js";
import { green, red, yellow } from "../lib/paint.js";
import { countOption, runRecordsHere } from "../lib/runs-here.js";
import { say, sayError } from "../lib/wrap.js";

const verbsOf = (kit: KitName): string => Object.keys(kitActions[kit]).join(" ");

export const usage = `Usage: interlock kit [options] <tdd|research|math> <phase> [arguments...]

  tdd       ${verbsOf("tdd")}
  research  ${verbsOf("research").replace(/(.{60,75}) /, "$1\n            ")}
  math      ${verbsOf("math")}

Options stand before the kit:
  --runtime <command>        what does the phase: claude (default), script (the kit's own under kits/), or any
                             command that reads its prompt from stdin
  --run-id <id>              instead of a new one
  --parent-run-id <id>       the run that asks ($RUN_ID unless told)
  --request <id>             the request it answers
  --tracked-max-files <n>    files listed in the manifest (400)
  --tracked-max-bytes <n>    and their bytes (20000000)
  --json                     one object on stdout; progress on stderr
  --by-phase                 a kit's own script does a chain phase by phase, each bound by its own record

tdd ship and full commit on the branch tdd/<feature>, and no more unless told:
  --push                     push the branch to origin
  --pr                       and open a pull request with gh
  --archive-spec             remove the spec in a second commit

research program, and the experiments it runs:
  --max-cycles <n>  --max-gpu-hours <n>  --wall-hours <n>   limits; your settings may be lower
  --time-budget <seconds>    of one experiment; else twice what its spec estimates, 15 minutes at least
  --skip-handoffs            go on although HANDOFF.md waits
  --keep-code                keep the code of cycles that were not confirmed

Each phase is a session of its own, bound to the phase's rules: interlock help and docs/kits.md list them.

Examples:
  interlock kit tdd red docs/my-feature.md
  interlock kit research cycle experiments/exp-001.md
  interlock kit --runtime 'codex exec -' math full specs/lemma.md
`;

const spec = {
  runtime: "text",
  "run-id": "text",
  "parent-run-id": "text",
  request: "text",
  "tracked-max-files": "text",
  "tracked-max-bytes": "text",
  push: "flag",
  pr: "flag",
  "archive-spec": "flag",
  "max-cycles": "text",
  "max-gpu-hours": "text",
  "wall-hours": "text",
  "time-budget": "text",
  "skip-handoffs": "flag",
  "keep-code": "flag",
  "by-phase": "flag",
  json: "flag",
  cwd: "text",
  home: "text",
} as const;

export async function run(args: string[]): Promise<number> {
  const at = args.findIndex((word) => (kitNames as readonly string[]).includes(word));
  const { values, words } = parseOptions(at < 0 ? args : args.slice(0, at), spec, usage, "words");
  if (words.length) throw unknownWord("unknown kit", words[0]!, kitNames, usage);
  if (at < 0) throw new UsageError(`say which kit: tdd, research or math\n${usage}`);
  const [kit, verb, ...given] = args.slice(at) as [KitName, string?, ...string[]];
  if (verb === undefined) throw new UsageError(`say which phase of ${kit}: ${verbsOf(kit)}`);
  if (!Object.hasOwn(kitActions[kit], verb))
    throw unknownWord(`unknown phase of ${kit}`, verb, Object.keys(kitActions[kit]), usage);
  const opened = await openHere(values);
  const project = opened.repository.root;
  checkArguments(project, kit, verb, given);
  if (kitActions[kit][verb]!.kind === "look") return look(project, kit, verb, given);
  const options = kitOptionsOf(opened);
  const runtime = kitRuntime(
    project,
    kit,
    values.runtime ?? process.env["INTERLOCK_KIT_RUNTIME"] ?? options.runtime,
    process.env,
    options.scripts[kit],
  );
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  if (values["run-id"] !== undefined && !isRunId(values["run-id"]))
    throw new UsageError(`"${values["run-id"]}" is no run id; leave --run-id out, or use 20260213T091500Z-1a2b3c4d`);
  const limits = limitsOf(values);
  const request = requestOf(project, values["run-id"], values.request);
  const made = newRun(project, kit, verb, given, values, request, runtime.name);
  const context: KitContext = {
    opened,
    project,
    kit,
    verb,
    args: given,
    run: made,
    options,
    runtime,
    signal: stop.signal,
    tell: (line) => sayError(line),
    ...(request && { request }),
    ...limits,
    ship: {
      push: values.push || values.pr || options.ship.push || options.ship.pullRequest,
      pullRequest: values.pr || options.ship.pullRequest,
      archiveSpec: values["archive-spec"] || options.ship.archiveSpec,
    },
    byPhase: values["by-phase"],
  };
  const results = await play(context);
  return report(context, results, values.json === true);
}

type LimitName =
  | "tracked-max-files"
  | "tracked-max-bytes"
  | "max-cycles"
  | "max-gpu-hours"
  | "wall-hours"
  | "time-budget";

/** Read before the run is made: a mistyped number leaves no run behind. */
function limitsOf(
  values: Partial<Record<LimitName, string>> & { "skip-handoffs"?: boolean; "keep-code"?: boolean },
): Pick<KitContext, "maxFiles" | "maxBytes" | "program" | "timeBudget"> {
  const count = (name: LimitName) => countOption(name, values[name], usage);
  return {
    maxFiles: count("tracked-max-files"),
    maxBytes: count("tracked-max-bytes"),
    timeBudget: count("time-budget"),
    program: {
      maxCycles: count("max-cycles"),
      gpuHours: count("max-gpu-hours"),
      wallHours: count("wall-hours"),
      skipHandoffs: values["skip-handoffs"],
      keepCode: values["keep-code"],
    },
  };
}

function checkArguments(project: string, kit: KitName, verb: string, given: readonly string[]): void {
  const types = kitActions[kit][verb]!.args;
  const wanted = types.join(" ") + (types.length ? "; a path is a file of the project, such as docs/feature.md" : "");
  const least = types.filter((type) => !type.endsWith("?")).length;
  const most = types.some((type) => type.endsWith("*")) ? Number.POSITIVE_INFINITY : types.length;
  const option = given.find((word) => word.startsWith("--"));
  if (option)
    throw new UsageError(
      `"${option}" stands behind the kit; options come first: interlock kit ${option} ... ${kit} ${verb}`,
    );
  if (given.length < least || given.length > most)
    throw new UsageError(`${kit} ${verb} takes: ${wanted || "no arguments"}\n${usage}`);
  given.forEach((word, i) => {
    const type = types[Math.min(i, types.length - 1)]!;
    const problem = type.startsWith("path")
      ? (outsideReason(project, word) ?? missingReason(project, `${kit}.${verb}`, word))
      : word.startsWith("-")
        ? "it is an option; options stand before the kit"
        : "";
    if (problem) throw new UsageError(`"${word}": ${problem}`);
  });
}

function missingReason(project: string, action: string, path: string): string | undefined {
  if (!needsFile.has(action) || existsSync(join(project, path))) return undefined;
  return `there is no such file. Write it first, or name another: interlock kit ${action.replace(".", " ")} <file>`;
}

/** The request as the pump froze it; it must be the one that was named. */
function requestOf(project: string, runId: string | undefined, id: string | undefined): InteropRequest | undefined {
  const text = runId && id ? requestText(project, runId) : undefined;
  if (text === undefined) return undefined;
  const value = JSON.parse(text) as InteropRequest;
  if (schemaFindings(requestSchema, value).length || value.request_id !== id)
    throw new UsageError(`runs/${runId}/artifacts/request.json is not the request ${id}`);
  return value;
}

function newRun(
  project: string,
  kit: KitName,
  phase: string,
  args: readonly string[],
  values: { "run-id"?: string; "parent-run-id"?: string; request?: string; home?: string },
  request: InteropRequest | undefined,
  agentRuntime: string,
): Run {
  const records = runRecordsHere(project, values.home && interlockHome(process.env, values.home));
  const asking = process.env["RUN_ID"];
  const known = asking && (records.read(asking) ?? records.copy?.(asking));
  const parentRunId = values["parent-run-id"] ?? (known ? asking : undefined);
  if (parentRunId && depthBelow(parentRunId, records) > requestDefaults.maxDepth)
    throw new UsageError(`runs are nested ${requestDefaults.maxDepth} deep at most; finish this one first`);
  const start = {
    kit,
    phase,
    args,
    agentRuntime,
    ...(values["run-id"] && { runId: values["run-id"] }),
    ...(parentRunId && { parentRunId }),
    ...(values.request && { requestId: values.request }),
    ...(request && { readBudget: request.read_budget }),
    ...(request?.timeout_seconds && { timeoutSeconds: request.timeout_seconds }),
  };
  return createRun(project, start, records);
}

/** An asking run whose record can't be believed is refused. */
function depthBelow(parentRunId: string, records: RunRecords): number {
  try {
    return lineageBelow(parentRunId, records).depth;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    throw new UsageError(`${error.message}; ${error.remedy}`);
  }
}

/** The phase or the chain; a kit's own script does its chains itself. */
async function play(context: KitContext): Promise<PhaseResult[]> {
  const { kit, verb, args, run, runtime } = context;
  const startedAt = new Date();
  const finished = (exitCode: number, results: readonly PhaseResult[]) => {
    const last = results.at(-1);
    const pointers: Record<string, string> = last
      ? { capsule: last.capsule, manifest: last.manifest, log: last.log }
      : {};
    run.append({
      event: "run_finished",
      kit,
      phase: verb,
      exit_code: exitCode,
      status: last?.status ?? "failed",
      pointers,
    });
  };
  try {
    const chain = kitChains[`${kit}.${verb}`];
    if (!chain) {
      const result = await runPhase(context, { phase: verb, args });
      finished(result.exitCode, [result]);
      return [result];
    }
    const byScript = runtime.kind === "script" && !context.byPhase;
    const results = byScript ? [await scriptChain(context)] : await chain(context);
    const whole = byScript ? results[0] : await wholeChain(context, results, startedAt);
    const all = whole ? [...results, whole] : results;
    finished(all.at(-1)?.exitCode ?? 1, all);
    return all;
  } catch (error) {
    run.append({ event: "run_failed", kit, reason: error instanceof Error ? error.message : String(error) });
    finished(3, []);
    throw error;
  }
}

/** A kit's script runs the whole chain and sets its phase variables itself. */
async function scriptChain(context: KitContext): Promise<PhaseResult> {
  const { runKitScript } = await import("../lib/kit/script-chain.js");
  return runKitScript(context);
}

/** The chain as one: its capsule is the last phase's, its manifest points at all logs. */
async function wholeChain(
  context: KitContext,
  results: readonly PhaseResult[],
  startedAt: Date,
): Promise<PhaseResult | undefined> {
  const last = results.at(-1);
  if (!last) return undefined;
  const { text } = readCapsule(join(context.project, last.capsule));
  const { capsule, manifest } = await writeHandover(context, context.verb, {
    startedAt,
    log: last.log,
    logs: [...new Set(results.map((r) => r.log))],
    exitCode: last.exitCode,
    timedOut: false,
    findings: last.findings,
    refused: [],
    args: context.args,
    command: ["interlock", "kit", context.kit, context.verb],
    capsuleText: `===CAPSULE===\n${text}===/CAPSULE===\n`,
  });
  return { ...last, phase: context.verb, capsule, manifest };
}

function report(context: KitContext, results: readonly PhaseResult[], json: boolean): number {
  const { run, kit, verb } = context;
  const last = results.at(-1);
  const exitCode = last?.exitCode ?? 1;
  const status = last?.status ?? "failed";
  if (json)
    printJson({
      run_id: run.id,
      status,
      exit_code: exitCode,
      kit,
      phase: verb,
      phases: results.filter((r) => r.phase !== verb || results.length === 1).map(resultJson),
      paths: {
        run_root: run.relativeRoot,
        events: `${run.relativeRoot}/events.jsonl`,
        log: last?.log ?? null,
        capsule: last?.capsule ?? null,
        manifest: last?.manifest ?? null,
      },
    });
  else {
    const paint = status === "ok" ? green : status === "blocked" ? yellow : red;
    say(`${kit} ${verb}: ${paint(status)}, exit code ${exitCode}, run ${run.id}`);
    for (const { what, next } of last?.findings ?? []) say(`  ${what}\n    next: ${next}`);
    if (last) say(`  ${last.capsule}\n  ${last.manifest}\n  ${last.log}`);
  }
  return exitCode;
}
