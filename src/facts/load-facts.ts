// Which modules an event's facts need, loaded before any gate judges so that judging stays synchronous.
// Invariant: an event loads nothing it does not need, and a module once per process. What a shell command needs is
// decided by what its analysis met, never by its text: a hook process judges as the server, which has all parts.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Event } from "../model/event.js";
import { Facts, type World } from "./index.js";
import { isPatternDelete, mayBeKept, mayLose, replacesMany } from "./lossy-effects.js";

export interface Loaded {
  shell?: typeof import("../shell/index.js");
  prompt?: typeof import("./prompts/prompt.js");
  outcome?: typeof import("./outcome.js");
  delegation?: typeof import("./delegation.js");
  yaml?: typeof import("./yaml-text.js");
  archives?: typeof import("./archive-disk-reader.js");
  lost?: typeof import("./lost-files.js");
  git?: typeof import("./loses-nothing.js");
}

const needs = {
  shell: (event: Event) => event.tool?.kind === "shell",
  prompt: (event: Event) => event.kind === "prompt",
  outcome: (event: Event) => event.outcome !== undefined,
  delegation: (event: Event) => event.tool?.kind === "agent",
  /** Only where a project routes its agents' models. */
  yaml: (event: Event) =>
    event.tool?.kind === "agent" && event.kind === "tool.before" && routesModels(event.projectDir ?? event.cwd),
} satisfies Partial<Record<keyof Loaded, (event: Event) => boolean>>;

/** In the folder or one above it: an agent may work anywhere in the project. */
function routesModels(folder: string): boolean {
  const above = dirname(folder);
  return existsSync(join(folder, ".isdlc", "providers.yaml")) || (above !== folder && routesModels(above));
}

const loaders = {
  shell: () => import("../shell/index.js"),
  prompt: () => import("./prompts/prompt.js"),
  outcome: () => import("./outcome.js"),
  delegation: () => import("./delegation.js"),
  yaml: () => import("./yaml-text.js"),
  archives: () => import("./archive-disk-reader.js"),
  lost: () => import("./lost-files.js"),
  git: () => import("./loses-nothing.js"),
} satisfies { [K in keyof Loaded]-?: () => Promise<NonNullable<Loaded[K]>> };

/** Of this process. */
const ours: Loaded = {};

/** Facts with every part loaded that they will ask for. */
export async function factsOf(event: Event, world: Omit<World, "loaded">, loaded = ours): Promise<Facts> {
  const known = Object.keys(needs) as (keyof typeof needs)[];
  await load(
    known.filter((name) => needs[name](event)),
    loaded,
  );
  for (;;) {
    const facts = new Facts(event, { ...world, loaded });
    if (event.tool?.kind === "shell") askForParts(facts);
    if (!facts.missing.size) return facts;
    await load(facts.missing, loaded);
  }
}

/** Analyses the command, so that what it needs is missing now and not when a gate judges. */
function askForParts(facts: Facts): void {
  try {
    if (facts.effects.some(mayLose)) facts.part("lost");
    if (replacesMany(facts)) facts.part("archives");
    if (facts.hazards.some(({ hazard }) => mayBeKept(hazard)) || facts.effects.some(isPatternDelete)) facts.part("git");
  } catch {
    // A gate that needs the analysis meets the same error and says what it means.
  }
}

async function load(names: Iterable<keyof Loaded>, loaded: Loaded): Promise<void> {
  for (const name of names) if (!loaded[name]) Object.assign(loaded, { [name]: await loaders[name]() });
}

/** For a process that stays: what is loaded now cannot be missing later. */
export const loadAll = (loaded = ours): Promise<void> => load(Object.keys(loaders) as (keyof Loaded)[], loaded);
