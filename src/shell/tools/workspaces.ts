// The packages of a workspace (npm, pnpm, yarn, bun, lerna, turbo, nx) and their scripts.
// Invariant: a package's script is followed in the package's folder, and not again while it is being followed.
import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { literal } from "../spec/options.js";
import { executes } from "./programs.js";
import { isConventional, runScript, scriptsOf } from "./scripts.js";

export interface WorkspacePackage {
  /** From the working directory. */
  folder: string;
  name: string;
  scripts: Readonly<Record<string, string>>;
}

const mostPackages = 100;

/** The packages of the workspace the working directory is in. */
export function workspacePackages(emit: Emit): WorkspacePackage[] {
  for (const up of [".", "..", "../..", "../../.."]) {
    const patterns = patternsIn(up, emit);
    if (patterns.length) return packagesOf(up, patterns, emit);
  }
  return [];
}

function patternsIn(folder: string, emit: Emit): string[] {
  const at = (name: string) => emit.projectFile(literal(`${folder}/${name}`));
  const yaml = at("pnpm-workspace.yaml");
  if (yaml !== undefined) {
    const listed = /^packages:\s*\n((?:\s*(?:-.*|#.*)?\n?)*)/m.exec(yaml)?.[1] ?? "";
    return [...listed.matchAll(/^\s*-\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/gm)].map((found) => found[1]!);
  }
  for (const text of [at("package.json"), at("lerna.json")]) {
    const { workspaces, packages } = objectIn(text);
    const given = Array.isArray(workspaces)
      ? workspaces
      : ((workspaces as { packages?: unknown } | undefined)?.packages ?? packages);
    if (Array.isArray(given) && given.length) return given.filter((entry) => typeof entry === "string");
  }
  // nx and turbo know packages without a list, where the folders have the usual names.
  return at("nx.json") === undefined ? [] : ["apps/*", "packages/*", "libs/*"];
}

function objectIn(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "{}");
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // not JSON: it lists no packages
  }
}

function packagesOf(root: string, patterns: readonly string[], emit: Emit): WorkspacePackage[] {
  const folders = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.startsWith("!")) continue;
    const plain = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
    const star = /^(.*?)\/?\*\*?(?:\/\*)?$/.exec(plain);
    if (!star) folders.add(plain);
    else for (const name of emit.projectFolders(literal(`${root}/${star[1]}`))) folders.add(`${star[1]}/${name}`);
  }
  const found: WorkspacePackage[] = [];
  for (const below of [...folders].slice(0, mostPackages)) {
    const folder = `${root}/${below.replace(/^\//, "")}`.replace(/^\.\//, "");
    const text = emit.projectFile(literal(`${folder}/package.json`));
    const tasks = targetsOf(emit.projectFile(literal(`${folder}/project.json`)));
    if (text === undefined && !tasks) continue;
    const { name } = objectIn(text);
    const shown = typeof name === "string" ? name : (below.split("/").at(-1) ?? below);
    found.push({ folder, name: shown, scripts: { ...tasks, ...scriptsOf(text) } });
  }
  return found;
}

/** The commands of nx targets. */
function targetsOf(text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  const { targets = {} } = objectIn(text) as { targets?: Record<string, { command?: string; options?: unknown }> };
  const out: Record<string, string> = Object.create(null);
  for (const [name, target] of Object.entries(targets ?? {})) {
    const { command, commands } = (target?.options ?? {}) as { command?: unknown; commands?: unknown };
    const listed = Array.isArray(commands)
      ? commands.map((one) => (typeof one === "string" ? one : (one as { command?: unknown } | null)?.command))
      : [command ?? target?.command];
    const lines = listed.filter((line) => typeof line === "string");
    if (lines.length) out[name] = lines.join("\n");
  }
  return out;
}

/** Whether a filter names the package: its name, with or without scope, its folder, or a pattern of these. */
function fits(filter: string, { name, folder }: WorkspacePackage): boolean {
  const wanted = filter
    .replace(/^\.\.\.\^?|\^?\.\.\.$/g, "")
    .replace(/\[.*\]$/, "")
    .replace(/^\{(.*)\}$/, "$1")
    .replace(/^\.\//, "")
    .replace(/\/+$/, "");
  if (wanted === "" || wanted === "*") return true;
  const pattern = new RegExp(`^${wanted.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, ".*")}$`);
  return [name, name.replace(/^@[^/]*\//, ""), folder, folder.split("/").at(-1)!].some((text) => pattern.test(text));
}

/** The packages that filters name; all of them without a filter. A filter that is not static may name any. */
export function packagesNamed(filters: readonly Arg[], emit: Emit): WorkspacePackage[] {
  const all = workspacePackages(emit);
  const kept = filters.filter((filter) => !filter.value?.startsWith("!"));
  if (kept.length === 0) return all;
  return all.filter((one) => kept.some(({ value }) => value === undefined || fits(value, one)));
}

/** A script of several packages, each in its folder. */
export function runInPackages(
  script: Arg,
  args: readonly Arg[],
  packages: readonly WorkspacePackage[],
  call: Invocation,
  emit: Emit,
): void {
  const having = packages.filter(({ scripts }) => script.value === undefined || script.value in scripts);
  if (having.length === 0) {
    executes(call, emit, `${call.name} runs the script ${script.source} of packages`);
    if (!isConventional(script.value)) emit.unknown(`no package with the script ${script.source} was found`);
  }
  for (const { folder, scripts } of having) runScript(script, args, literal(folder), call, emit, { scripts });
}
