// The state file changes only by legitimate moves: checked before a write, and again afterwards.

import { join, resolve } from "node:path";
import { lifecycleVerb, ownWords } from "../../../facts/interlock-calls.js";
import type { Effect } from "../../../model/effect.js";
import { after, before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny, note, type Opinion, stepList } from "../../../model/verdict.js";
import { matchGlob } from "../../../project/globs.js";
import { tablePlaces } from "../layouts/isdlc-tables.js";
import { frameworkFolder, isBelow, namesStateFile, namesTable } from "../model/lifecycle-paths.js";
import { askPerson, escalationIn } from "../model/needs.js";
import { parseStateFile, type StateFile } from "../model/state-file.js";
import { fakeCompletions, type StateProblem, transition } from "../model/transition.js";
import { workflowMemory } from "../model/workflow-memory.js";
import { adoptStateFile, emptyWorkflowState } from "../model/workflow-state.js";
import { type PhaseContext, type PhaseGateInput, phaseContextOf } from "./gate-context.js";

export const stateWriteValidator = gate({
  id: "lifecycle/state-write-validator",
  title: "The state file is not edited around the workflow",
  about:
    "Before a write to .isdlc/state.json, refuses fake completions, phases that go back or are skipped, " +
    "stale versions, workflows ended early, and any change through the shell; after an escalation also " +
    "`interlock lifecycle redo`, `cancel` and further checks. After a write, warns about completions that no work " +
    "supports.",
  remedy:
    "Do the work (Interlock records it), move with `interlock lifecycle advance | redo | cancel`, or " +
    "write only legitimate moves with Write or Edit.",
  on: [...before("write", "edit", "notebook", "shell", "mcp"), ...after("write", "edit")],
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  judge(context) {
    const { event, facts } = context;
    if (event.kind === "tool.after")
      return event.tool?.path && namesStateFile(event.tool.path) ? lookBack(context) : undefined;
    if (event.tool?.kind === "shell" || event.tool?.kind === "mcp") {
      const hit = facts.effects.find((e) => touches(e, context));
      if (hit) return byCommand(hit, event.tool.kind === "mcp" ? "an MCP tool" : "a shell command");
      const held = decidesEscalation(context);
      if (held) return held;
      const tables = facts.effects.find((e) => (e.kind === "write" || e.kind === "delete") && hitsTable(e, context));
      return tables && running(context) ? table(tables.path!, tables.kind) : undefined;
    }
    const target = facts.targets.find((t) => t.op === "write")?.path;
    if (target && namesTable(target)) return running(context) ? table(target, event.tool!.name) : undefined;
    const edit = facts.edit;
    if (!edit || !namesStateFile(edit.path)) return undefined;
    const phaseContext = phaseContextOf(context);
    return phaseContext && edit.after !== undefined ? judged(edit, phaseContext) : undefined;
  },
});

/** A table, or a folder that holds one and would go with everything in it. */
function hitsTable(effect: Effect, { project, facts }: PhaseGateInput): boolean {
  if (effect.path === undefined) return false;
  if (namesTable(effect.path)) return true;
  if (effect.kind !== "delete") return false;
  const { path } = facts.canonical(effect.path);
  return tablePlaces.some((place) => {
    const folder = join(project.root, place);
    return isBelow(path, folder) && isBelow(project.root, path) && project.exists(folder);
  });
}

const running = (context: PhaseGateInput): boolean =>
  Object.values(context.recall(workflowMemory).files).some((observed) => observed.workflow);

const table = (path: string, how: string): Opinion =>
  deny({
    what: `${how} ${inert(path, 110)}`,
    why: "a workflow is running, and this table says who owns its phases and where its state is",
    next: "leave it until the workflow has ended; if it is wrong, ask the user to change it",
  });

function judged(
  edit: { path: string; before?: string; after?: string },
  phaseContext: PhaseContext,
): Opinion | undefined {
  const what = `write ${phaseContext.name}`;
  let next: ReturnType<typeof parseStateFile>;
  try {
    next = parseStateFile(edit.after!);
  } catch (error) {
    if (edit.path !== phaseContext.paths.file || !phaseContext.observed.workflow) return undefined;
    return deny({
      what,
      why: `what would be written is ${error instanceof Error ? error.message : error}`,
      next: "write a complete, valid state file",
    });
  }
  const other = edit.path !== phaseContext.paths.file;
  const problems = other
    ? problemsElsewhere(edit, next, phaseContext)
    : transition(phaseContext.observed, phaseContext.file, next, phaseContext.world).problems;
  if (problems.length) {
    const steps = [...new Set(problems.flatMap((p) => p.steps ?? [p.next]))];
    return deny({
      joins: true,
      what,
      why: [...new Set(problems.map((p) => `${p.kind}: ${p.why}`))].join("; "),
      next: stepList(steps),
      steps,
      data: { problems: problems.map(({ kind, why, next: step }) => ({ kind, why, next: step })) },
    });
  }
  return other ? undefined : unattested(next, phaseContext);
}

/** The state file of another project of the repository: trusted when it is first seen, so it must begin honestly. */
function problemsElsewhere(
  edit: { path: string; before?: string },
  next: StateFile,
  { paths, catalogue, world }: PhaseContext,
): StateProblem[] {
  if (!isBelow(join(paths.root, frameworkFolder), edit.path)) return fakeCompletions(undefined, next);
  const before = edit.before === undefined ? undefined : stateIn(edit.before);
  const known = before ? adoptStateFile(before, catalogue) : emptyWorkflowState();
  return transition(known, before, next, world).problems;
}

function stateIn(text: string): StateFile | undefined {
  try {
    return parseStateFile(text);
  } catch {
    return undefined; // not a state: whatever is written over it begins anew
  }
}

/** A check that is only written in the file does not count; the agent is told so. */
function unattested(
  next: ReturnType<typeof parseStateFile>,
  { world, phase = "", observed, needs }: PhaseContext,
): Opinion | undefined {
  const claimed = next.phases?.[phase]?.constitutional_validation?.completed === true;
  if (!claimed || world.attest === "written" || !needs?.constitution || observed.phases[phase]?.constitution?.completed)
    return undefined;
  return note(
    `lifecycle/state-write-validator: the constitutional check of ${inert(phase, 60)} counts when it is ` +
      `made with: interlock lifecycle validate --articles ${needs.constitution.articles.join(",")}`,
  );
}

/** A shell effect that would change a state file, or delete the folder it is in. */
function touches(effect: Effect, { facts, project }: PhaseGateInput): boolean {
  if (effect.kind !== "write" && effect.kind !== "delete") return false;
  if (effect.path === undefined) return namesStateFile(effect.word ?? "");
  const { path } = facts.canonical(effect.path);
  if (namesStateFile(path)) return true;
  if (effect.glob && namesStateFile(effect.path.replace(/[*?][^/]*$/, "state.json"))) return true;
  const home = join(project.root, frameworkFolder);
  if (!project.exists(home)) return false;
  if (effect.kind === "delete" && effect.glob && matchesStateFile(effect.path, project.root)) return true;
  if (!(effect.recursive || effect.glob)) return false;
  const within = isBelow(home, path) && /^(?:[\\/]projects(?:[\\/][^\\/]+)?)?$/.test(path.slice(home.length));
  // Git's commands write whole work trees; what they do to the state file shows as a foreign change.
  return within || (effect.kind === "delete" && isBelow(path, home));
}

const stateFiles = [`${frameworkFolder}/state.json`, `${frameworkFolder}/projects/any/state.json`];

/** Whether a pattern such as `**\/*.json` would take a state file with it. */
function matchesStateFile(pattern: string, root: string): boolean {
  if (!isBelow(root, pattern)) return false;
  const below = pattern.slice(root.length + 1);
  try {
    return stateFiles.some((file) => matchGlob(below, file));
  } catch {
    return false; // no pattern we can read
  }
}

const byCommand = (effect: Effect, means: string): Opinion =>
  deny({
    what: `${effect.kind} of ${inert(effect.word ?? effect.path ?? ".isdlc/state.json", 100)} by ${means}`,
    why: "the workflow's state changes by the work done, not by a command that writes it",
    next: "use `interlock lifecycle next | advance | redo | cancel`; for other fields use the Edit tool",
  });

const persons: ReadonlySet<string> = new Set(["redo", "cancel", "approve", "accept"]);

/** Whoever reached a limit does not lift it, in whatever terminal the command would run. */
function decidesEscalation(context: PhaseGateInput): Opinion | undefined {
  for (const ran of context.facts.shell?.commands ?? []) {
    const [command, ...words] = ownWords(ran) ?? [];
    const given = command === "lifecycle" ? lifecycleVerb(words) : undefined;
    if (!given || !(persons.has(given.verb) || (given.verb === "validate" && given.checks))) continue;
    const why = escalationIn(phaseContextOf(context)?.observed);
    if (why)
      return deny({
        what: `interlock lifecycle ${given.verb}`,
        why: `${why}; that is a person's decision`,
        next: askPerson,
      });
  }
  return undefined;
}

function lookBack(context: PhaseGateInput): Opinion | undefined {
  const text = context.project.read(resolve(context.event.cwd, context.event.tool!.path!.replaceAll("\\", "/")));
  if (text === undefined) return undefined;
  const found = fakeCompletions(undefined, parseStateFile(text));
  if (!found.length) return undefined;
  return note(
    [
      "[state-write-validator] WARNING: Suspicious state.json write detected.",
      ...found.slice(0, 5).map((p) => `  Phase ${inert(p.why, 160)}`),
      `  Path: ${inert(context.event.tool!.path!, 160)}`,
    ].join("\n"),
    "both",
  );
}
