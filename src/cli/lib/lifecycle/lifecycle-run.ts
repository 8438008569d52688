// What every `interlock lifecycle` command works on: the project as it is, what was observed of it, and one recorded
// change of both. Invariant: file, state and record change together under the project's lock.
import { existsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { projectOf } from "../../../engine/project-reader.js";
import { difference } from "../../../engine/slices.js";
import type { Opened } from "../../../hook/open-project.js";
import type { Project } from "../../../model/gate.js";
import type { JsonObject } from "../../../model/json.js";
import {
  type CommandDone,
  type CommandInput,
  type CommandRefused,
  isCommandRefused,
} from "../../../packs/lifecycle/commands/workflow-commands.js";
import { type ProjectView, viewProject } from "../../../packs/lifecycle/model/project-view.js";
import { settledState, workflowMemory } from "../../../packs/lifecycle/model/workflow-memory.js";
import type { WorkflowStates } from "../../../packs/lifecycle/model/workflow-state.js";
import { replaceFile } from "../../../project/replace-file.js";
import { UsageError } from "../args.js";
import { stateWithWords, textWithWords } from "../state-write.js";

export interface LifecycleValues {
  project?: string;
  reason?: string;
  json?: boolean;
}

export interface LifecycleRun {
  opened: Opened;
  project: Project;
  values: LifecycleValues;
  cwd: string;
}

/** A file that is in the way or cannot be read has to be repaired first. */
export class UnusableProject extends Error {
  constructor(
    why: string,
    readonly next = "correct that file, or restore it from version control",
  ) {
    super(why);
  }
}

export function viewHere({ opened, project, values, cwd }: LifecycleRun): ProjectView {
  const env: Record<string, string> = {};
  const id = values.project ?? process.env["ISDLC_PROJECT"];
  if (id) env["ISDLC_PROJECT"] = id;
  const { options: config } = opened.settings.config.packs["lifecycle"]!;
  let view: ProjectView;
  try {
    view = viewProject({ cwd, env }, project, config, opened.home, join(".isdlc", "state.json"))!;
  } catch (error) {
    throw new UnusableProject((error as Error).message);
  }
  inTheWay(view);
  if (values.project !== undefined && view.paths.path === undefined)
    throw new UsageError(
      `.isdlc/monorepo.json names no project "${values.project}"; leave --project out in a single project`,
    );
  return view;
}

function inTheWay({ paths: place, name }: ProjectView): void {
  const folder = dirname(place.file);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new UnusableProject(
      `${dirname(name)} is a file where a folder belongs`,
      `move it away: mv ${dirname(name)} ${dirname(name)}.old`,
    );
  if (existsSync(place.file) && statSync(place.file).isDirectory())
    throw new UnusableProject(`${name} is a folder where a file belongs`, `move it away: mv ${name} ${name}.old`);
}

const memoryIn = (state: JsonObject): WorkflowStates =>
  (state[workflowMemory.id] as WorkflowStates | undefined) ?? { files: {} };

/** A change nobody was seen to make shows at once, not with the next hook. */
function inputOf(view: ProjectView, state: JsonObject): CommandInput {
  const known = memoryIn(state).files[view.key];
  return { view, observed: settledState(known && structuredClone(known), view), now: Date.now() };
}

export const inputHere = (run: LifecycleRun): CommandInput => inputOf(viewHere(run), stateWithWords(run.opened.store));

/** As long as a hook waits for the lock: many may write at once. */
const lockWait = 20_000;

export function changeWorkflow(
  run: LifecycleRun,
  name: string,
  make: (input: CommandInput) => CommandDone | CommandRefused,
  person = false,
): CommandDone | CommandRefused {
  let result: CommandDone | CommandRefused | undefined;
  // What is in the way is found before anything is locked.
  viewHere(run);
  run.opened.store.append((snapshot) => {
    const view = viewHere({ ...run, project: projectOf(run.opened.repository) });
    const input = { ...inputOf(view, snapshot.state as JsonObject), person };
    result = make(input);
    if (isCommandRefused(result)) return undefined;
    const standing = JSON.parse(JSON.stringify(result.observed)) as JsonObject;
    // What can't be used is not thrown away with what was in it.
    if (view.text !== undefined && view.problem !== undefined) replaceFile(`${view.paths.file}.damaged`, view.text);
    if (result.text !== view.text) replaceFile(view.paths.file, result.text);
    const known = memoryIn(snapshot.state as JsonObject).files[view.key];
    const patch = difference(known as unknown as JsonObject | undefined, standing);
    return {
      type: "lifecycle",
      body: {
        move: name,
        said: result.said,
        file: view.name,
        who: userInfo().username,
        ...(run.values.reason ? { reason: run.values.reason } : {}),
      },
      ...(patch === undefined ? {} : { patch: { [workflowMemory.id]: { files: { [view.key]: patch } } } }),
    };
  }, lockWait);
  if (!isCommandRefused(result!)) return result!;
  // What was tried is kept under a mark.
  return { ...result, next: textWithWords(run.opened.store, result.next) };
}
