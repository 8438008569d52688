// A project's lifecycle as it is on disk: its paths, its state file and the tables that apply.
// Invariant: the file is read and parsed once per event; an unusable file is reported as a problem, never thrown.
import { basename, dirname, join, relative } from "node:path";
import { rolesIn } from "../../../facts/delegation.js";
import type { Facts } from "../../../facts/index.js";
import type { Event } from "../../../model/event.js";
import type { Project } from "../../../model/gate.js";
import type { JsonObject } from "../../../model/json.js";
import { consentHash, consents } from "../../../project/consents.js";
import { configuredPlaces } from "../layouts/bmad.js";
import {
  type FrameworkTables,
  readFrameworkTables,
  type TableTexts,
  tableNames,
  tablePlaces,
} from "../layouts/isdlc-tables.js";
import { optionsOf } from "../lifecycle-options.js";
import { type Catalogue, catalogueOf } from "./catalogue.js";
import { documentAt, type LifecyclePaths, lifecyclePathsOf, perFeature } from "./lifecycle-paths.js";
import { readStateFile, type StateFile } from "./state-file.js";
import type { TransitionWorld } from "./transition.js";
import type { WorkflowStates } from "./workflow-state.js";

export interface ProjectView {
  paths: LifecyclePaths;
  /** The state file below the project's root. */
  name: string;
  /** The key of its observed state: work trees of one repository share a record, but each has its own state file. */
  key: string;
  text?: string;
  file?: StateFile;
  /** Why the file cannot be used. */
  problem?: string;
  /** The framework's own hooks are registered here and keep the state file themselves. */
  ownHooks?: true;
  world: TransitionWorld;
  catalogue: Catalogue;
}

export interface ViewInput {
  event: Event;
  facts: Facts;
  project: Project;
  config: Readonly<JsonObject>;
}

export function projectViewOf(
  { event, facts, project, config }: ViewInput,
  remembered?: string,
): ProjectView | undefined {
  return facts.once(`lifecycle ${remembered ?? ""}`, () =>
    viewProject(event, project, config, facts.world.places.interlockHome, remembered),
  );
}

/**
 * `home`: Interlock's own folder, where the user's consents are.
 * `remembered`: a state file known from before; deleting it does not end the workflow.
 */
export function viewProject(
  event: Pick<Event, "cwd" | "projectDir" | "env">,
  project: Project,
  config: Readonly<JsonObject>,
  home: string,
  remembered?: string,
): ProjectView | undefined {
  const paths = lifecyclePathsOf(event, project) ?? lostPlace(project, remembered);
  if (!paths) return undefined;
  const options = optionsOf(config);
  const name = relative(project.root, paths.file);
  const catalogue = catalogueOf(options.workflows, options.adjust, tablesAt(project, paths.root, home));
  const base = join(paths.root, paths.path ?? "");
  const view: ProjectView = {
    paths,
    name,
    key: worktreeOf(project) + name,
    catalogue,
    world: {
      catalogue,
      roles: rolesIn(project, options.roles, paths.root),
      attest: options.attest,
      hasAgents: () => project.exists(join(paths.root, ".claude", "agents")),
      has: (pattern, feature) =>
        matches(project, base, pattern, feature) ||
        configuredPlaces(project, base, pattern).some((paths) => matches(project, base, paths)),
      plan: () => {
        const { path, exists } = documentAt(paths, project, "tasks.md");
        return { path: relative(project.root, path), exists };
      },
      checklist: () => {
        const name = "atdd-checklist.json";
        const { path, exists } = documentAt(paths, project, name);
        const other = (folder: string) => project.list(folder).find((n) => /^atdd-checklist-[\w-]+\.json$/.test(n));
        const one = exists ? name : (other(dirname(path)) ?? other(dirname(paths.file)));
        return { path: relative(project.root, path), exists: one !== undefined };
      },
    },
  };
  if (runsOwnHooks(project, paths.root, home)) view.ownHooks = true;
  const text = project.read(paths.file);
  if (text === undefined) {
    if (project.exists(paths.file)) view.problem = `${view.name} can't be read (too large, or not text)`;
    return view;
  }
  view.text = text;
  try {
    const { state, problems } = readStateFile(text);
    view.file = state;
    if (problems.length) view.problem = `${view.name}: ${problems.join("; ")}`;
  } catch (error) {
    view.problem = `${view.name}: ${error instanceof Error ? error.message : error}`;
  }
  return view;
}

const ownHook = /hooks[\\/]+(?:dispatchers[\\/]+)?(?:log-skill-usage|test-watcher|post-(?:task|bash)-dispatcher)\.cjs/;

/** The settings, or the list of adopted hooks, name hooks of the framework that are there. */
function runsOwnHooks(project: Project, root: string, home: string): boolean {
  if (!project.exists(join(root, ".claude", "hooks"))) return false;
  const lists = [
    join(root, ".claude", "settings.json"),
    join(root, ".claude", "settings.local.json"),
    join(home, "projects", project.id, "adopted.json"),
  ];
  return lists.some((path) => ownHook.test(project.read(path) ?? ""));
}

/** The texts of the framework's own tables, where the project has them. */
export function tableTexts(project: Project, root: string): TableTexts {
  const at = (name: string) => {
    const path = tablePlaces.map((folder) => join(root, folder, name)).find((file) => project.exists(file));
    return path === undefined ? undefined : { name: relative(project.root, path), text: project.read(path) };
  };
  return { requirements: at(tableNames.requirements), workflows: at(tableNames.workflows) };
}

function tablesAt(project: Project, root: string, home: string): FrameworkTables | undefined {
  const texts = tableTexts(project, root);
  if (!texts.requirements && !texts.workflows) return undefined;
  const known = new Set(consents(join(home, "consents.json")));
  const trusted = (table: TableTexts["workflows"]) =>
    table?.text !== undefined && known.size > 0 && known.has(consentHash(table.text));
  return readFrameworkTables(texts, { requirements: trusted(texts.requirements), workflows: trusted(texts.workflows) });
}

function lostPlace(project: Project, remembered: string | undefined): LifecyclePaths | undefined {
  return remembered === undefined
    ? undefined
    : { root: project.root, file: join(project.root, remembered), monorepo: false };
}

/** A path below the base, `*` standing for one name. */
function matches(project: Project, base: string, pattern: string, feature?: string): boolean {
  let found = [base];
  const own = feature !== undefined && perFeature.test(pattern);
  for (const part of pattern.split("/")) {
    if (!part.includes("*")) {
      found = found.map((f) => join(f, part)).filter((f) => project.exists(f));
      continue;
    }
    const [head = "", tail = ""] = part.split("*", 2);
    found = found.flatMap((f) =>
      project
        .list(f)
        .filter((name) => !name.startsWith(".") && name.startsWith(head) && name.endsWith(tail))
        .filter((name) => !own || part !== "*" || name === feature || name.endsWith(`-${feature}`))
        .map((name) => join(f, name)),
    );
  }
  return found.length > 0;
}

/** Empty in the main work tree. */
function worktreeOf({ gitDir, commonDir }: Project): string {
  return gitDir && commonDir && gitDir !== commonDir ? `//${basename(gitDir)}/` : "";
}

/** The state file of the workflow known to run in this work tree. */
export function rememberedStateFile(memory: Readonly<WorkflowStates>, project: Project): string | undefined {
  const prefix = worktreeOf(project);
  const ours = (key: string) => (prefix ? key.startsWith(prefix) : !key.startsWith("//"));
  return Object.keys(memory.files)
    .find((key) => ours(key) && memory.files[key]!.workflow)
    ?.slice(prefix.length);
}
