// What a call would change, as the gatekeeper judges it: files by canonical path, or something that can't be named.
// Invariant: a call is exempt only where it is proved to read; every reading of a path is a target.
import { dirname, join } from "node:path";
import { belowRoot, scratch } from "../../facts/changes.js";
import { readsByName, writesByName } from "../../facts/effects.js";
import type { Facts } from "../../facts/index.js";
import type { Effect, PathEffect } from "../../model/effect.js";
import { isPathEffect } from "../../model/effect.js";
import { type CanonicalPath, realPath } from "../../project/canonical-path.js";
import { isStreamPath } from "../../shell/analyze/paths.js";
import { isControlFile } from "./control-files.js";
import { ownCall, ownPrograms } from "./own-tools.js";
import { isPatchProgram, patchTargets } from "./patch-targets.js";

export interface MutationTarget {
  op: "write" | "delete";
  /** As the call names it. */
  shown: string;
  /** Absolute, links resolved. */
  path: string;
  /** Below the repository's root, with forward slashes; undefined outside. */
  below?: string;
  /** Everything below the path, or a pattern. */
  broad?: "folder" | "glob";
  /** Temporary files and the agent's notes, outside the repository. */
  scratch?: true;
  /** A shell command writes it, not a tool that was given the path. */
  byCommand?: true;
}

export interface Mutation {
  /** How a refusal names the call. */
  what: string;
  targets: MutationTarget[];
  /** A path that can't be known before the call runs. */
  unresolved?: string;
  /** Nobody knows the tool: it passes and is looked at afterwards unless the user wants it refused. */
  unknownTool?: true;
}

/** The seed's own mutating tools, in the names other agents and MCP servers give them. */
const mutatingNames = new Set(
  (
    "write_to_file edit edit_file search_replace search_and_replace apply_diff apply_patch insert_content " +
    "multi_edit str_replace_editor execute_command"
  ).split(" "),
);

/** Undefined: the call changes nothing, or is none of the gatekeeper's business. */
export const mutationOf = (facts: Facts): Mutation | undefined => facts.once("intent/mutation", () => derive(facts));

function derive(facts: Facts): Mutation | undefined {
  const tool = facts.event.tool!;
  if (ownCall(facts)) return undefined;
  switch (tool.kind) {
    case "write":
    case "edit":
    case "notebook":
      return fileMutation(facts);
    case "shell":
      return shellMutation(facts);
    case "script":
      return { what: `${tool.name} call`, targets: argumentTargets(facts) };
    case "mcp":
      return mcpMutation(facts);
    case "unknown":
      return unknownMutation(facts);
    default:
      return undefined;
  }
}

function fileMutation(facts: Facts): Mutation | undefined {
  const tool = facts.event.tool!;
  const targets = facts.targets.flatMap((t) => readings(facts, t, "write", t.given));
  if (!targets.length) return { what: `${tool.name} without a path`, targets, unresolved: "no path" };
  // Temporary files and the plan that the client itself writes in plan mode are no part of the repository.
  if (targets.every((t) => t.scratch)) return undefined;
  return { what: `${tool.name} ${targets[0]!.shown}`, targets };
}

/** Every place a spelling may mean has to be allowed. */
function readings(facts: Facts, path: CanonicalPath, op: MutationTarget["op"], shown: string): MutationTarget[] {
  return [path, ...(path.others ?? [])].map((reading) => target(facts, reading.path, op, shown));
}

function target(facts: Facts, path: string, op: MutationTarget["op"], shown: string): MutationTarget {
  const below = belowRoot(facts.world.project.root, path);
  const outside =
    below === undefined && scratch({ kind: op, path, shown, reason: "" }, facts.world.userHome)
      ? { scratch: true as const }
      : {};
  return { op, shown: below ?? shown, path, ...(below !== undefined && { below }), ...outside };
}

function shellMutation(facts: Facts): Mutation | undefined {
  // A program of that name somewhere else is not ours.
  const local = facts.shell?.commands.some((c) => ownPrograms.has(c.program) && c.path !== undefined);
  if (!local && facts.effects.every(provedReading)) return undefined;
  const command = facts.event.tool!.command ?? "";
  return effectsMutation(facts, facts.effects, `command ${command.split("\n")[0]!.slice(0, 100)}`, true);
}

/** Reading files and fetching from the network; running Interlock itself, which knows who asks. */
const provedReading = (effect: Effect): boolean =>
  (effect.kind === "read" && effect.how !== "link") ||
  (effect.kind === "network" && !effect.upload) ||
  (effect.kind === "exec" && ownPrograms.has(effect.program ?? "")) ||
  (isPathEffect(effect) && effect.path !== undefined && isStreamPath(effect.path));

function effectsMutation(facts: Facts, effects: readonly Effect[], what: string, byCommand: boolean): Mutation {
  const mutation: Mutation = { what, targets: [] };
  for (const effect of effects) {
    if (!isPathEffect(effect) || provedReading(effect) || effect.by === "patch") continue;
    const found = effectTargets(facts, effect);
    if (found === undefined) mutation.unresolved ??= effect.word ?? "a path that can't be known";
    else mutation.targets.push(...(byCommand ? found.map((t) => ({ ...t, byCommand: true as const })) : found));
  }
  const patched = byCommand ? patchesOf(facts) : undefined;
  if (patched === "unknown") mutation.unresolved ??= "the files of the patch";
  else if (patched) mutation.targets.push(...patched);
  return mutation;
}

/** Undefined: which file it is can't be known. */
function effectTargets(facts: Facts, effect: PathEffect): MutationTarget[] | undefined {
  const op = effect.kind === "delete" ? "delete" : "write";
  const shown = effect.word ?? effect.path ?? "";
  if (effect.path === undefined) {
    if (effect.within === undefined) return facts.event.tool?.kind === "shell" ? undefined : [];
    return [{ ...target(facts, facts.canonical(effect.within).path, op, shown), broad: "folder" }];
  }
  if (isStreamPath(effect.path)) return [];
  // Switching branches, stashing and merging bring content that is committed or was judged when it was written.
  if (effect.how === "git" && effect.recursive && effect.path === facts.world.project.root) return [];
  if (effect.how === "git-config" || effect.how === "own-store") return [];
  const broad = effect.glob ? ("glob" as const) : effect.recursive ? ("folder" as const) : undefined;
  if (broad === "glob" && /[*?[{]/.test(effect.path)) return [{ ...target(facts, effect.path, op, shown), broad }];
  const at = facts.canonical(effect.path);
  // A delete or a move takes the name, not what a link leads to.
  const named =
    op === "delete"
      ? join(realPath(dirname(at.lexical)), at.lexical.slice(at.lexical.lastIndexOf("/") + 1))
      : undefined;
  const found = named !== undefined ? [target(facts, named, op, shown)] : readings(facts, at, op, shown);
  if (!at.directory) return found;
  if (effect.by === "mkdir") return [];
  return found.map((t) => ({ ...t, broad: "folder" as const }));
}

/** The files that a patch given to the command names. */
function patchesOf(facts: Facts): MutationTarget[] | "unknown" | undefined {
  const programs = (facts.shell?.commands ?? []).filter(isPatchProgram);
  if (!programs.length) return undefined;
  const texts = [
    facts.event.tool!.command ?? "",
    ...facts.effects.flatMap((e) => (e.kind === "read" && e.path ? [facts.world.project.read(e.path) ?? ""] : [])),
    ...programs
      .flatMap((p) => p.argv.flatMap((word) => (word && /\.(?:patch|diff)$/.test(word) ? [word] : [])))
      .map((word) => facts.world.project.read(word.startsWith("/") ? word : join(facts.event.cwd, word)) ?? ""),
  ];
  const names = [...new Set(texts.flatMap(patchTargets))];
  if (!names.length) return "unknown";
  return names.flatMap((name) =>
    readings(facts, facts.canonical(join(facts.event.cwd, name)), "write", name).map((t) => ({
      ...t,
      byCommand: true as const,
    })),
  );
}

function mcpMutation(facts: Facts): Mutation | undefined {
  const { mcp, name } = facts.event.tool!;
  const shown = mcp ? `${mcp.server}/${mcp.tool}` : name;
  const declared = facts.effects[0]?.kind;
  if (declared === "read") return undefined;
  const writer =
    declared === "write" || declared === "exec" || writesByName(mcp?.tool ?? "") || isMutatingName(mcp?.tool);
  if (!writer && readsByName(mcp?.tool ?? "")) return undefined;
  const targets = writer ? argumentTargets(facts) : [];
  return { what: `MCP tool ${shown}`, targets, ...(!writer && { unknownTool: true as const }) };
}

function unknownMutation(facts: Facts): Mutation {
  const tool = facts.event.tool!;
  // Asked about what a call was found to have changed.
  const paths = facts.effects.filter(isPathEffect);
  if (paths.length) return effectsMutation(facts, paths, `${paths[0]!.kind} ${paths[0]!.path}`, true);
  if (isMutatingName(tool.name)) return { what: `${tool.name} call`, targets: argumentTargets(facts) };
  return { what: `${tool.name} call`, targets: [], unknownTool: true };
}

const isMutatingName = (name: string | undefined): boolean => name !== undefined && mutatingNames.has(name);

/** The files that a tool's arguments name, and those that a patch in them names. Of code only control files count. */
function argumentTargets(facts: Facts): MutationTarget[] {
  const { root } = facts.world.project;
  const named = facts.arguments
    .filter((a) => (codeKey.test(a.key) ? isControlFile(root, a.path) : placeKey.test(a.key)))
    .flatMap((a) => readings(facts, a, "write", a.given));
  const patches = Object.entries(facts.event.tool!.input)
    .flatMap(([key, value]) => (typeof value === "string" && /patch|diff|^input$/i.test(key) ? [value] : []))
    .flatMap(patchTargets)
    .flatMap((name) => readings(facts, facts.canonical(join(facts.event.cwd, name)), "write", name));
  return [...named, ...patches];
}

const codeKey = /^(?:command|script|code|cmd|args?)$/i;
const placeKey = /path|file|dest|target|output|^uri$|location/i;
