// `interlock lifecycle start` and `cancel`: the branch is named by the work, the first steps are said, and what was
// made for a cancelled workflow can be removed. Invariant: nothing that holds work of its own is removed.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifestPlaces, manifestText } from "../../../facts/agent-roles.js";
import { mainBranches } from "../../../model/branches.js";
import {
  type CommandDone,
  type CommandInput,
  type CommandRefused,
  isCommandRefused,
  startWorkflow,
} from "../../../packs/lifecycle/commands/workflow-commands.js";
import { markLifecycleUsed } from "../../../packs/lifecycle/detect.js";
import type { ActiveWorkflow } from "../../../packs/lifecycle/model/workflow-state.js";
import { replaceFile } from "../../../project/replace-file.js";
import { UsageError, unknownWord } from "../args.js";
import { confirm } from "../confirm.js";
import { bold, dim, shown, yellow } from "../paint.js";
import { enterBranch, nameIn, noBranch, noRepository } from "../workflow-branch.js";
import { say, sayError } from "../wrap.js";
import { reportChange } from "./lifecycle-reports.js";
import { changeWorkflow, inputHere, type LifecycleRun, viewHere } from "./lifecycle-run.js";
import { notEnforced, printHints, withSetupStep } from "./setup-hints.js";

interface StartOptions {
  type?: string;
  /** What the work is, in the user's words. */
  work: string;
  name?: string;
  branch?: boolean;
  atdd?: boolean;
}

export function startHere(
  run: LifecycleRun,
  { type: given, work, name: named, branch: wanted, atdd }: StartOptions,
): number {
  const type = typeHere(run, given);
  const [second] = work.split(" ");
  if (second && inputHere(run).view.catalogue.workflows.has(second))
    throw new UsageError(`one workflow at a time: it takes no word "${second}" after "${type}"`);
  const { repository } = run.opened;
  if (wanted && !repository.gitDir) return reportChange(run, "start", noRepository);
  const name = nameIn(named ?? (work.trim() ? slug(work) : undefined));
  if (wanted && name === undefined)
    throw new UsageError(
      `say what the work is, the branch is named by it: interlock lifecycle start ${type} --branch "add a login page"`,
    );
  const branch = wanted ? `${type}/${name}` : undefined;
  const closed = branch && noBranch(repository, branch);
  if (closed) return reportChange(run, "start", closed);
  const from = branch && currentBranch(repository.root);
  const makes = lacksManifest(run) ? [manifestPlaces[1]] : [];
  const request = { type, branch, name, atdd, from, makes };
  const result = changeWorkflow(run, "start", (input) => startWorkflow(input, request));
  if (isCommandRefused(result)) return reportChange(run, "start", result);
  provideManifest(run);
  markLifecycleUsed(run.opened.folder);
  if (branch) enterBranch(repository.root, branch);
  const steps = firstSteps(run, name);
  const off = notEnforced(run);
  const hints = off ? [off] : [];
  const code = reportChange(run, "start", result, { steps, hints });
  if (!run.values.json) {
    printHints(hints);
    say(bold("first steps:"));
    for (const [i, step] of steps.entries()) say(`  ${i + 1}. ${shown(step, 300)}`);
    say(dim("at any time: interlock lifecycle next"));
  }
  return code;
}

function typeHere(run: LifecycleRun, given: string | undefined): string {
  const { workflows } = inputHere(run).view.catalogue;
  const marked = [...workflows.values()].filter((w) => w.marks.some((m) => run.project.exists(m)));
  if (given === undefined && marked.length > 1)
    throw new UsageError(`say which workflow; this project has the layouts of ${marked.map((w) => w.id).join(", ")}`);
  const type = given ?? marked[0]?.id;
  const known = [...workflows.keys()];
  if (type === undefined) throw new UsageError(`say which workflow: ${known.join(", ")}`);
  if (workflows.has(type)) return type;
  for (const problem of run.opened.settings.problems) sayError(`interlock.yaml has a fault: ${problem}`);
  throw unknownWord("there is no workflow", type, known, `choose one of: ${known.join(", ")}`);
}

/** "Add a login page!" -> add-a-login-page; at most six words. */
const slug = (work: string): string =>
  work
    .normalize("NFKD")
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, 6)
    .join("-")
    .slice(0, 50);

/** What to do now, in order; each of these can be done. */
function firstSteps(run: LifecycleRun, name: string | undefined): string[] {
  const { view, observed } = inputHere({ ...run });
  const { situation, setup } = withSetupStep(view, observed!);
  const workflow = situation.workflow!;
  const steps = setup ? [setup] : [];
  const onMain = mainBranches.some((main) => main === currentBranch(run.opened.repository.root));
  if (!workflow.branch && onMain && view.catalogue.workflows.get(workflow.type)?.branch)
    steps.push(`git switch -c ${workflow.type}/${name ?? "your-work"}`);
  steps.push(...situation.unmet().map((u) => u.next));
  steps.push("interlock lifecycle advance");
  const second = workflow.phases[workflow.index + 1];
  if (second) steps.push(`interlock lifecycle next (the next phase is ${second})`);
  steps.push("interlock lifecycle status");
  return steps.slice(0, 3);
}

function lacksManifest(run: LifecycleRun): boolean {
  const { root } = viewHere(run).paths;
  return !manifestPlaces.some((place) => existsSync(join(root, place)) || run.project.exists(place));
}

/** Without a manifest, agents are not known by name. */
export function provideManifest(run: LifecycleRun): void {
  if (lacksManifest(run)) replaceFile(join(viewHere(run).paths.root, manifestPlaces[1]), manifestText());
}

export async function cancelHere(
  run: LifecycleRun,
  make: (input: CommandInput) => CommandDone | CommandRefused,
  { person, remove }: { person: boolean; remove: boolean | undefined },
): Promise<number> {
  const made = inputHere(run).observed?.workflow?.made;
  const result = changeWorkflow(run, "cancel", make, person);
  if (isCommandRefused(result) || !made) return reportChange(run, "cancel", result);
  const left = leftovers(run, made);
  const code = reportChange(run, "cancel", result, { made: left });
  if (!left.length) return code;
  const asked = remove ?? (person && !run.values.json && (await confirm(`Remove what it made (${namesOf(left)})?`)));
  if (asked) removeMade(run, made, left);
  else if (!run.values.json)
    say(`It made ${namesOf(left)}. To remove that:\n${left.map((l) => `  ${l.by}`).join("\n")}`);
  return code;
}

interface Leftover {
  what: string;
  /** The command that removes it. */
  by: string;
  branch?: string;
  path?: string;
}

const namesOf = (left: readonly Leftover[]): string => left.map((l) => shown(l.what, 80)).join(", ");

type Made = NonNullable<ActiveWorkflow["made"]>;

/** What is still as `start` made it: a branch without commits of its own, the state file, the manifest. */
function leftovers(run: LifecycleRun, { branch, from, files = [] }: Made): Leftover[] {
  const { root } = run.opened.repository;
  const left: Leftover[] = [];
  const merged = (target: string) =>
    git(root, "merge-base", "--is-ancestor", `refs/heads/${branch}`, `refs/heads/${target}`);
  const born = from !== undefined && git(root, "rev-parse", "-q", "--verify", `refs/heads/${from}`);
  if (branch && from && born && git(root, "rev-parse", "-q", "--verify", `refs/heads/${branch}`) && merged(from))
    left.push({ what: `the branch ${branch}`, by: `git switch ${from} && git branch -d ${branch}`, branch });
  const manifest = manifestPlaces[1];
  const own = files.filter((path) => {
    const full = join(root, path);
    return existsSync(full) && (path !== manifest || readFileSync(full, "utf8") === manifestText());
  });
  left.push(...own.map((path) => ({ what: path, by: `rm ${path}`, path })));
  return left;
}

function removeMade(run: LifecycleRun, { from }: Made, left: readonly Leftover[]): void {
  const { root } = run.opened.repository;
  const tell = run.values.json ? sayError : say;
  for (const { what, by, branch, path } of left) {
    if (branch) {
      const off = currentBranch(root) !== branch || git(root, "switch", from!);
      if (off && git(root, "branch", "-d", branch)) tell(`removed ${what}`);
      else tell(yellow(`${what} could not be removed; run: ${by}`));
    } else if (path) {
      rmSync(join(root, path));
      for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
        if (!readdirSync(join(root, folder)).length) rmdirSync(join(root, folder));
      tell(`removed ${what}`);
    }
  }
}

const git = (root: string, ...args: string[]): boolean =>
  spawnSync("git", ["-C", root, ...args], { stdio: "ignore" }).status === 0;

function currentBranch(root: string): string | undefined {
  try {
    return execFileSync("git", ["-C", root, "symbolic-ref", "--short", "-q", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined; // no repository, or a detached HEAD
  }
}
