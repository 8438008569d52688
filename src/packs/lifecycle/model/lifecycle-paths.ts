// The paths of a project's lifecycle: its root, its project within a monorepo, its state file and documents.
// Invariant: reads only; paths are absolute; the framework's own rules apply.
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Event } from "../../../model/event.js";
import type { Project } from "../../../model/gate.js";
import { isObject } from "../../../model/json.js";

export interface LifecyclePaths {
  /** The folder that holds `.isdlc/`. */
  root: string;
  /** The project of a monorepo. */
  id?: string;
  /** Where that project's sources are, below the root. */
  path?: string;
  /** The state file. */
  file: string;
  monorepo: boolean;
}

export const frameworkFolder = ".isdlc";

/** undefined: the framework is not used here. */
export function lifecyclePathsOf(
  event: Pick<Event, "cwd" | "projectDir" | "env">,
  project: Project,
): LifecyclePaths | undefined {
  const root = rootOf(event, project);
  if (!root) return undefined;
  const text = project.read(join(root, frameworkFolder, "monorepo.json"));
  if (text === undefined) return { root, file: join(root, frameworkFolder, "state.json"), monorepo: false };
  const { projects, standard } = monorepoOf(text);
  const id = event.env["ISDLC_PROJECT"] || owning(projects, root, event.cwd) || standard;
  if (!id || !safe(id)) return { root, file: join(root, frameworkFolder, "state.json"), monorepo: true };
  return {
    root,
    id,
    path: projects.get(id),
    file: join(root, frameworkFolder, "projects", id, "state.json"),
    monorepo: true,
  };
}

/** The nearest folder with `.isdlc/`, from where the agent is up to the project's root. */
function rootOf(event: Pick<Event, "cwd" | "projectDir">, project: Project): string | undefined {
  for (const start of [event.cwd, event.projectDir, project.root]) {
    if (!start) continue;
    for (let at = resolve(start); isBelow(project.root, at); at = dirname(at)) {
      if (project.exists(join(at, frameworkFolder))) return at;
      if (at === dirname(at)) break;
    }
  }
  return undefined;
}

export const isBelow = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

const safe = (id: string) => /^[\w.@-]{1,100}$/.test(id) && id !== "." && id !== "..";

export function monorepoOf(text: string): { projects: Map<string, string>; standard?: string; docs?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new Error(`${frameworkFolder}/monorepo.json is not JSON (${(error as Error).message})`);
  }
  if (!isObject(value)) throw new Error(`${frameworkFolder}/monorepo.json is not an object`);
  const projects = new Map<string, string>();
  if (isObject(value["projects"])) {
    for (const [id, entry] of Object.entries(value["projects"])) {
      const path = isObject(entry) ? entry["path"] : undefined;
      if (safe(id) && typeof path === "string") projects.set(id, path.replace(/^\.\//, "").replace(/\/+$/, ""));
    }
  }
  const text_ = (key: string) => (typeof value[key] === "string" ? value[key] : undefined);
  return { projects, standard: text_("default_project"), docs: text_("docs_location") };
}

/** The registered project that contains the folder, by the longest path. */
function owning(projects: ReadonlyMap<string, string>, root: string, cwd: string): string | undefined {
  const here = relative(root, cwd);
  if (here.startsWith("..")) return undefined;
  let best: string | undefined;
  for (const [id, path] of projects) {
    const holds = here === path || here.startsWith(`${path}${sep}`);
    if (holds && path.length > (best === undefined ? -1 : projects.get(best)!.length)) best = id;
  }
  return best;
}

/** A framework document: where it is, or where it belongs. */
export function documentAt(paths: LifecyclePaths, project: Project, name: string): { path: string; exists: boolean } {
  const inner = paths.id ? ["projects", paths.id, name] : [name];
  const wanted = join(paths.root, "docs", "isdlc", ...inner);
  const legacy = join(paths.root, frameworkFolder, ...inner);
  for (const path of [wanted, legacy]) if (project.exists(path)) return { path, exists: true };
  return { path: wanted, exists: false };
}

/** Spec Kit keeps a folder per feature, numbered or not. */
export const perFeature = /^(?:\.specify\/)?specs\/\*\//;

/** A path to write for a pattern: in the folder of the workflow's feature, where there is one. */
export const artifactPath = (pattern: string, feature = "your-feature"): string =>
  perFeature.test(pattern) ? pattern.replace("*", feature) : pattern;

const stateFile = /(?:^|[\\/])\.isdlc[\\/](?:projects[\\/][^\\/]+[\\/])?state\.json$/i;

/** A path that names a state file, in either kind of slash. */
export const namesStateFile = (path: string): boolean => stateFile.test(path);

const tableFile = new RegExp(
  String.raw`(?:^|[\\/])(?:\.isdlc[\\/](?:monorepo\.json|config[\\/][^\\/]+\.json)` +
    String.raw`|\.claude[\\/]hooks[\\/]config[\\/][^\\/]+\.json)$`,
  "i",
);

/** A path of a table that defines the projects or who owns which phase. */
export const namesTable = (path: string): boolean => tableFile.test(path);
