// The read-only commands of `interlock lifecycle`: status, next, validate, list.
import { join } from "node:path";
import {
  type CommandDone,
  type CommandRefused,
  isCommandRefused,
} from "../../../packs/lifecycle/commands/workflow-commands.js";
import { workflowFaults } from "../../../packs/lifecycle/commands/workflow-faults.js";
import { phaseContextFrom } from "../../../packs/lifecycle/gates/gate-context.js";
import { tableNames } from "../../../packs/lifecycle/layouts/isdlc-tables.js";
import { looseningsIn } from "../../../packs/lifecycle/layouts/loosening-report.js";
import { frameworkFolder } from "../../../packs/lifecycle/model/lifecycle-paths.js";
import { emptyWorkflowState } from "../../../packs/lifecycle/model/workflow-state.js";
import { printJson } from "../current-project.js";
import { bold, dim, green, red, shown, yellow } from "../paint.js";
import { say } from "../wrap.js";
import { inputHere, type LifecycleRun, viewHere } from "./lifecycle-run.js";
import { printHints, setupHints } from "./setup-hints.js";

/** The result of a command that changes something. `more` goes into the JSON. */
export function reportChange(
  { values }: LifecycleRun,
  name: string,
  result: CommandDone | CommandRefused,
  more: object = {},
): number {
  if (isCommandRefused(result)) {
    if (values.json) printJson({ moved: false, move: name, why: result.why, next: result.next, ...more });
    else say(`${red(`not possible: ${shown(result.why, 600)}`)}\nnext: ${shown(result.next, 900)}`);
    return 1;
  }
  const { workflow } = result.observed;
  if (values.json) printJson({ moved: true, move: name, said: result.said, workflow: workflow ?? null, ...more });
  else say(green(shown(result.said, 400)));
  return 0;
}

export function printFaults(faults: readonly CommandRefused[]): void {
  for (const { why, next } of faults) say(`${red(shown(why, 300))}\n  ${shown(next, 400)}`);
}

export function showStatus(run: LifecycleRun): number {
  const input = inputHere(run);
  const { view } = input;
  const { workflow, at, phase } = phaseContextFrom(view, input.observed ?? emptyWorkflowState());
  const faults = workflowFaults(input);
  const hints = setupHints(run, view, workflow);
  const marked = [...view.catalogue.workflows.values()]
    .filter((w) => w.marks.some((m) => run.project.exists(m)))
    .map((w) => w.id);
  if (run.values.json) {
    printJson({
      file: view.name,
      project: view.paths.id,
      workflow: workflow ?? null,
      phase: phase ?? null,
      status: at.status ?? null,
      observed: input.observed?.phases ?? {},
      layouts: marked,
      ownHooks: view.ownHooks ?? false,
      faults,
      hints,
    });
    return faults.length ? 1 : 0;
  }
  if (!workflow) {
    const layout = marked.length ? `; this project has the layout of ${marked.join(", ")}` : "";
    say(`no workflow is active${layout}. Start one: interlock lifecycle start feature --branch "<the work>"`);
  } else {
    say(bold(`${workflow.type}${workflow.branch ? ` on ${workflow.branch}` : ""}`));
    workflow.phases.forEach((p, i) => {
      const mark =
        i < workflow.index ? green("done") : i === workflow.index ? yellow(at.status ?? "not begun") : dim("later");
      say(`  ${i === workflow.index ? ">" : " "} ${shown(p, 60)}  ${mark}`);
    });
  }
  if (view.ownHooks)
    say(dim("the framework's own hooks run here too: interlock init --adopt runs them under Interlock"));
  printFaults(faults);
  printHints(hints);
  return faults.length ? 1 : 0;
}

export function showNext(run: LifecycleRun): number {
  const input = inputHere(run);
  const situation = phaseContextFrom(input.view, input.observed ?? emptyWorkflowState());
  const unmet = situation.unmet();
  const { workflow } = situation;
  const told = situation.told();
  const last = workflow && workflow.index + 1 >= workflow.phases.length;
  const step = !workflow
    ? "interlock lifecycle start <workflow>"
    : unmet.length
      ? unmet[0]!.next
      : "interlock lifecycle advance";
  // What the step itself says is not said again.
  const hints = setupHints(run, input.view, step.includes("lifecycle init") ? undefined : workflow);
  if (run.values.json) {
    printJson({
      phase: situation.phase ?? null,
      open: Boolean(workflow) && !unmet.length,
      last: Boolean(last),
      unmet,
      ...(told.length && { told }),
      next: step,
      hints,
    });
    return 0;
  }
  if (!workflow) say("no workflow is active");
  else if (!unmet.length) {
    say(green(`${situation.phase} has what it needs`));
    for (const { next: good } of told) say(dim(`  not required in a permissive workflow: ${shown(good, 300)}`));
  } else {
    say(`${bold(shown(situation.phase ?? "", 60))} still needs:`);
    for (const { why } of unmet) say(`  ${shown(why, 300)}`);
  }
  say(`next: ${workflow ? shown(step, 400) : step}`);
  printHints(hints);
  return 0;
}

export async function showFaults(run: LifecycleRun): Promise<number> {
  const input = inputHere(run);
  const faults = [...workflowFaults(input), ...(await providerFaults(run, input.view.paths.root))];
  const problems = [...run.opened.settings.problems];
  const loosened = looseningsIn(input.view.catalogue);
  const hints = setupHints(run, input.view, input.observed?.workflow);
  if (run.values.json) printJson({ ok: !faults.length && !problems.length, faults, problems, loosened, hints });
  else {
    if (!faults.length && !problems.length) say(green("state and configuration are fine"));
    printFaults(faults);
    for (const p of problems) say(red(p));
    for (const l of loosened)
      say(
        yellow(`the project's ${tableNames[l.table]} would loosen ${l.path}; what is shipped holds (interlock trust)`),
      );
    printHints(hints);
  }
  return faults.length || problems.length ? 1 : 0;
}

/** The router passes every call while its file can't be used: here that is said. */
async function providerFaults({ project }: LifecycleRun, root: string): Promise<CommandRefused[]> {
  const text = project.read(join(root, frameworkFolder, "providers.yaml"));
  if (text === undefined) return [];
  const [{ parseYaml }, { parseProviders }] = await Promise.all([
    import("../../../facts/yaml-text.js"),
    import("../../../packs/lifecycle/gates/providers.js"),
  ]);
  try {
    parseProviders(parseYaml, text);
    return [];
  } catch (error) {
    return [{ why: (error as Error).message, next: "correct it; until then agents run on the session's own model" }];
  }
}

export function listWorkflows(run: LifecycleRun): number {
  const { catalogue } = viewHere(run);
  if (run.values.json) printJson({ workflows: [...catalogue.workflows.values()] });
  else
    for (const w of catalogue.workflows.values())
      say(`${bold(w.id)}  ${w.title ?? ""}\n  ${dim(w.phases.join(" > "))}`);
  return 0;
}
