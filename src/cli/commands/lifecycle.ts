// interlock lifecycle: starts, shows and moves a workflow without editing its state by hand.
// Invariant: file, state and record change together under the project's lock; a move that is not allowed changes
// nothing and exits 1.
import { existsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { projectOf } from "../../engine/project-reader.js";
import { difference } from "../../engine/slices.js";
import { manifestPlaces, manifestText } from "../../facts/agent-roles.js";
import type { Opened } from "../../hook/open-project.js";
import type { Project } from "../../model/gate.js";
import type { JsonObject } from "../../model/json.js";
import {
  acceptStateFile,
  advanceWorkflow,
  approveEscalation,
  type CommandDone,
  type CommandInput,
  type CommandRefused,
  cancelWorkflow,
  checkArticles,
  isCommandRefused,
  redoPhase,
  startWorkflow,
  workflowFaults,
} from "../../packs/lifecycle/commands/workflow-commands.js";
import { markLifecycleUsed } from "../../packs/lifecycle/detect.js";
import { phaseContextFrom } from "../../packs/lifecycle/gates/gate-context.js";
import { tableNames } from "../../packs/lifecycle/layouts/isdlc-tables.js";
import { looseningsIn } from "../../packs/lifecycle/layouts/loosening-report.js";
import { type ProjectView, viewProject } from "../../packs/lifecycle/model/project-view.js";
import { workflowMemory } from "../../packs/lifecycle/model/workflow-memory.js";
import { adoptStateFile, emptyWorkflowState, type WorkflowStates } from "../../packs/lifecycle/model/workflow-state.js";
import { replaceFile } from "../../project/replace-file.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, green, red, shown, yellow } from "../lib/paint.js";
import { enterBranch, nameIn, noBranch } from "../lib/workflow-branch.js";

export const usage = `Usage: interlock lifecycle <command> [--project <id>] [--json]

  start <workflow> [--branch] [--name <name>]   begin a workflow; --branch makes and enters its branch
        [--atdd]                                acceptance tests first: a checklist, and no test skipped at the gates
  status                                        where the workflow stands
  next                                          what the current phase still needs, and the next step
  advance                                       pass the gate of the current phase
  validate                                      check the state file and the configuration
  validate --articles I,IV [--violation <text>] record a constitutional check of the current phase
  redo [--to <phase>] --reason <text>           do a phase over; what it proved has to be proved again
  cancel --reason <text>                        end the workflow
  approve --reason <text>                       a person lets an escalated phase go on
  accept --reason <text>                        a person takes the state file as it is
  list                                          the workflows there are
`;

const spec = {
  branch: "flag",
  atdd: "flag",
  name: "text",
  to: "text",
  reason: "text",
  articles: "text",
  violation: "text",
  project: "text",
  json: "flag",
  cwd: "text",
  home: "text",
} as const;
type Values = { [K in keyof typeof spec]?: (typeof spec)[K] extends "flag" ? boolean : string };

interface Run {
  opened: Opened;
  project: Project;
  values: Values;
  cwd: string;
}

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, spec, usage, "words");
  const [command, ...rest] = words;
  if (command === undefined) throw new UsageError(`say what to do\n${usage}`);
  if (!commands.includes(command)) throw unknownWord("unknown command", command, commands, usage);
  atMost(rest, command === "start" ? 1 : 0, usage);
  const opened = await openHere(values);
  const run: Run = { opened, project: projectOf(opened.repository), values, cwd: values.cwd ?? process.cwd() };
  try {
    return await carryOut(run, command, rest[0]);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    const fault: CommandRefused = { why: error.message, next: error.next };
    if (command !== "validate" && command !== "status") return report(run, command, fault);
    if (values.json) printJson({ ok: false, faults: [fault] });
    else printFaults([fault]);
    return 1;
  }
}

/** A file that is in the way or cannot be read has to be repaired first. */
class Unusable extends Error {
  constructor(
    why: string,
    readonly next = "correct that file, or restore it from version control",
  ) {
    super(why);
  }
}

function carryOut(run: Run, command: string, given: string | undefined): number | Promise<number> {
  const { values } = run;
  switch (command) {
    case "start":
      return begin(run, given);
    case "status":
      return status(run);
    case "next":
      return next(run);
    case "list":
      return list(run);
    case "advance":
      return move(run, "advance", advanceWorkflow);
    case "validate":
      return values.articles === undefined && values.violation === undefined
        ? validate(run)
        : move(run, "validate", (m) => checkArticles(m, articlesIn(values.articles), values.violation));
    case "redo":
      return move(
        run,
        "redo",
        reasoned(values, (m, reason) => redoPhase(m, reason, values.to)),
      );
    case "cancel":
      return move(run, "cancel", reasoned(values, cancelWorkflow));
    case "approve":
      return personal(run, "approve", reasoned(values, approveEscalation));
    default:
      return personal(run, "accept", acceptStateFile);
  }
}

const commands = ["start", "status", "next", "list", "advance", "validate", "redo", "cancel", "approve", "accept"];

const articlesIn = (text = ""): string[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((a) => a.toUpperCase());

function reasonIn({ reason }: Values): string {
  if (!reason?.trim()) throw new UsageError(`a reason is needed: it goes in the record\n${usage}`);
  return reason.trim().slice(0, 500);
}

/** A missing reason is told before anything is locked. */
function reasoned(values: Values, make: (moving: CommandInput, reason: string) => CommandDone | CommandRefused) {
  const reason = reasonIn(values);
  return (moving: CommandInput) => make(moving, reason);
}

function sightHere({ opened, project, values, cwd }: Run): ProjectView {
  const env: Record<string, string> = {};
  const id = values.project ?? process.env["ISDLC_PROJECT"];
  if (id) env["ISDLC_PROJECT"] = id;
  const { options: config } = opened.settings.config.packs["lifecycle"]!;
  let sight: ProjectView;
  try {
    sight = viewProject({ cwd, env }, project, config, opened.home, join(".isdlc", "state.json"))!;
  } catch (error) {
    throw new Unusable((error as Error).message);
  }
  inTheWay(sight);
  if (values.project !== undefined && sight.paths.path === undefined)
    throw new UsageError(`.isdlc/monorepo.json names no project "${values.project}"\n${usage}`);
  return sight;
}

function inTheWay({ paths: place, name }: ProjectView): void {
  const folder = dirname(place.file);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new Unusable(
      `${dirname(name)} is a file where a folder belongs`,
      `move it away: mv ${dirname(name)} ${dirname(name)}.old`,
    );
  if (existsSync(place.file) && statSync(place.file).isDirectory())
    throw new Unusable(`${name} is a folder where a file belongs`, `move it away: mv ${name} ${name}.old`);
}

/** As long as a hook waits for the lock: many may write at once. */
const lockWait = 20_000;

const memoryIn = (state: JsonObject): WorkflowStates =>
  (state[workflowMemory.id] as WorkflowStates | undefined) ?? { files: {} };

function here(run: Run): CommandInput {
  const sight = sightHere(run);
  const known = memoryIn(run.opened.store.read().state as JsonObject).files[sight.key];
  return {
    view: sight,
    observed: known ?? (sight.file && adoptStateFile(sight.file, sight.catalogue)),
    now: Date.now(),
  };
}

function move(run: Run, name: string, make: (moving: CommandInput) => CommandDone | CommandRefused): number {
  let result: CommandDone | CommandRefused | undefined;
  // What is in the way is found before anything is locked.
  sightHere(run);
  run.opened.store.append((snapshot) => {
    const fresh = { ...run, project: projectOf(run.opened.repository) };
    const sight = sightHere(fresh);
    const memory = memoryIn(snapshot.state as JsonObject);
    const known = memory.files[sight.key];
    const moving: CommandInput = {
      view: sight,
      observed: known ?? (sight.file && adoptStateFile(sight.file, sight.catalogue)),
      now: Date.now(),
    };
    result = make(moving);
    if (isCommandRefused(result)) return undefined;
    const standing = JSON.parse(JSON.stringify(result.observed)) as JsonObject;
    // What can't be used is not thrown away with what was in it.
    if (sight.text !== undefined && sight.problem !== undefined) replaceFile(`${sight.paths.file}.damaged`, sight.text);
    if (result.text !== sight.text) replaceFile(sight.paths.file, result.text);
    const patch = difference(known as unknown as JsonObject | undefined, standing);
    return {
      type: "lifecycle",
      body: {
        move: name,
        said: result.said,
        file: sight.name,
        who: userInfo().username,
        ...(run.values.reason ? { reason: run.values.reason } : {}),
      },
      ...(patch === undefined ? {} : { patch: { [workflowMemory.id]: { files: { [sight.key]: patch } } } }),
    };
  }, lockWait);
  if (result && !isCommandRefused(result) && result.observed.workflow) provideManifest(run);
  return report(run, name, result!);
}

/** Without a manifest, agents are not known by name. */
function provideManifest(run: Run): void {
  const { root } = sightHere(run).paths;
  const there = manifestPlaces.some((place) => existsSync(join(root, place)) || run.project.exists(place));
  if (!there) replaceFile(join(root, manifestPlaces[1]), manifestText());
}

function report({ values }: Run, name: string, result: CommandDone | CommandRefused): number {
  if (isCommandRefused(result)) {
    if (values.json) printJson({ moved: false, move: name, why: result.why, next: result.next });
    else console.log(`${red(`not possible: ${shown(result.why, 600)}`)}\nnext: ${shown(result.next, 400)}`);
    return 1;
  }
  const { workflow } = result.observed;
  if (values.json) printJson({ moved: true, move: name, said: result.said, workflow: workflow ?? null });
  else console.log(green(shown(result.said, 400)));
  return 0;
}

/** What only a person decides: asked at the terminal, never by option. */
async function personal(
  run: Run,
  name: string,
  make: (moving: CommandInput) => CommandDone | CommandRefused,
): Promise<number> {
  const reason = reasonIn(run.values);
  const { confirm, person } = await import("../lib/confirm.js");
  if (person(run.values.json) === undefined) return 1;
  const yes = await confirm(`${name}: ${reason}. Are you the user, and is this your decision?`);
  return yes ? move(run, name, make) : 1;
}

function begin(run: Run, given: string | undefined): number {
  const { view: sight } = here(run);
  const marked = [...sight.catalogue.workflows.values()].filter((w) => w.marks.some((m) => run.project.exists(m)));
  if (given === undefined && marked.length > 1)
    throw new UsageError(
      `say which workflow; this project has the layouts of ${marked.map((w) => w.id).join(", ")}\n${usage}`,
    );
  const type = given ?? marked[0]?.id;
  if (type === undefined)
    throw new UsageError(`say which workflow: ${[...sight.catalogue.workflows.keys()].join(", ")}\n${usage}`);
  if (!sight.catalogue.workflows.has(type)) {
    for (const problem of run.opened.settings.problems) console.error(`interlock.yaml has a fault: ${problem}`);
    const known = [...sight.catalogue.workflows.keys()];
    throw unknownWord("there is no workflow", type, known, `choose one of: ${known.join(", ")}`);
  }
  const name = nameIn(run.values.name);
  const branch = run.values.branch
    ? `${type}/${name ?? new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-")}`
    : undefined;
  const closed = branch && noBranch(run.opened.repository, branch);
  if (closed) return report(run, "start", closed);
  const code = move(run, "start", (m) => startWorkflow(m, { type, branch, name, atdd: run.values.atdd }));
  if (code !== 0) return code;
  markLifecycleUsed(run.opened.folder);
  if (branch) enterBranch(run.opened.repository.root, branch);
  return 0;
}

function status(run: Run): number {
  const moving = here(run);
  const { workflow, at, phase } = phaseContextFrom(moving.view, moving.observed ?? emptyWorkflowState());
  const faults = workflowFaults(moving);
  const marked = [...moving.view.catalogue.workflows.values()]
    .filter((w) => w.marks.some((m) => run.project.exists(m)))
    .map((w) => w.id);
  if (run.values.json) {
    printJson({
      file: moving.view.name,
      project: moving.view.paths.id,
      workflow: workflow ?? null,
      phase: phase ?? null,
      status: at.status ?? null,
      observed: moving.observed?.phases ?? {},
      layouts: marked,
      faults,
    });
    return faults.length ? 1 : 0;
  }
  if (!workflow) {
    const layout = marked.length ? `; this project has the layout of ${marked.join(", ")}` : "";
    console.log(`no workflow is active${layout}. Start one: interlock lifecycle start <workflow>`);
  } else {
    console.log(bold(`${workflow.type}${workflow.branch ? ` on ${workflow.branch}` : ""}`));
    workflow.phases.forEach((p, i) => {
      const mark =
        i < workflow.index ? green("done") : i === workflow.index ? yellow(at.status ?? "not begun") : dim("later");
      console.log(`  ${i === workflow.index ? ">" : " "} ${shown(p, 60)}  ${mark}`);
    });
  }
  printFaults(faults);
  return faults.length ? 1 : 0;
}

function printFaults(faults: readonly CommandRefused[]): void {
  for (const { why, next } of faults) console.log(`${red(shown(why, 300))}\n  ${shown(next, 400)}`);
}

function next(run: Run): number {
  const moving = here(run);
  const situation = phaseContextFrom(moving.view, moving.observed ?? emptyWorkflowState());
  const unmet = situation.unmet();
  const { workflow } = situation;
  const told = situation.told();
  const last = workflow && workflow.index + 1 >= workflow.phases.length;
  const step = !workflow
    ? "interlock lifecycle start <workflow>"
    : unmet.length
      ? unmet[0]!.next
      : "interlock lifecycle advance";
  if (run.values.json) {
    printJson({
      phase: situation.phase ?? null,
      open: Boolean(workflow) && !unmet.length,
      last: Boolean(last),
      unmet,
      ...(told.length && { told }),
      next: step,
    });
    return 0;
  }
  if (!workflow) console.log("no workflow is active");
  else if (!unmet.length) {
    console.log(green(`${situation.phase} has what it needs`));
    for (const { next: good } of told) console.log(dim(`  not required in a permissive workflow: ${shown(good, 300)}`));
  } else {
    console.log(`${bold(shown(situation.phase ?? "", 60))} still needs:`);
    for (const { why } of unmet) console.log(`  ${shown(why, 300)}`);
  }
  console.log(`next: ${workflow ? shown(step, 400) : step}`);
  return 0;
}

function validate(run: Run): number {
  const moving = here(run);
  const faults = workflowFaults(moving);
  const problems = [...run.opened.settings.problems];
  const loosened = looseningsIn(moving.view.catalogue);
  if (run.values.json) printJson({ ok: !faults.length && !problems.length, faults, problems, loosened });
  else {
    if (!faults.length && !problems.length) console.log(green("state and configuration are fine"));
    printFaults(faults);
    for (const p of problems) console.log(red(p));
    for (const l of loosened)
      console.log(
        yellow(`the project's ${tableNames[l.table]} would loosen ${l.path}; what is shipped holds (interlock trust)`),
      );
  }
  return faults.length || problems.length ? 1 : 0;
}

function list(run: Run): number {
  const { catalogue } = sightHere(run);
  if (run.values.json) printJson({ workflows: [...catalogue.workflows.values()] });
  else
    for (const w of catalogue.workflows.values())
      console.log(`${bold(w.id)}  ${w.title ?? ""}\n  ${dim(w.phases.join(" > "))}`);
  return 0;
}
