// Which modules an event's facts need, loaded before any gate judges so that judging stays synchronous.
// Invariant: an event loads nothing it does not need; a module is loaded once per process.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Event } from "../model/event.js";

export interface Loaded {
  shell?: typeof import("../shell/index.js");
  prompt?: typeof import("./prompts/prompt.js");
  outcome?: typeof import("./outcome.js");
  delegation?: typeof import("./delegation.js");
  yaml?: typeof import("./yaml-text.js");
  archives?: typeof import("./archive-disk-reader.js");
  lost?: typeof import("./lost-files.js");
}

const needs = {
  shell: (event: Event) => event.tool?.kind === "shell",
  prompt: (event: Event) => event.kind === "prompt",
  outcome: (event: Event) => event.outcome !== undefined,
  delegation: (event: Event) => event.tool?.kind === "agent",
  /** Only where a project routes its agents' models. */
  yaml: (event: Event) =>
    event.tool?.kind === "agent" && event.kind === "tool.before" && routesModels(event.projectDir ?? event.cwd),
  /** Where something may be extracted, or a file runs that may extract something. */
  archives: (event: Event) => event.tool?.kind === "shell" && mayExtract.test(event.tool.command ?? ""),
  lost: (event: Event) => event.tool?.kind === "shell" && replacesFiles.test(event.tool.command ?? ""),
} satisfies Record<keyof Loaded, (event: Event) => boolean>;

const mayExtract =
  /tar|zip|7z|jar|rar|run|pnpm|yarn|bun|make|just|task|exec|source|eval|sh\b|\.(?:[cm]?[jt]s|py|[rp]\w+)\b|[.~ns]\/|[$`]/;

/** Programs that copy over files or delete by a pattern, and those that run a text which may use them. */
const replacesFiles = /\b(?:g?(?:cp|mv|ln|rm)|install|ditto|unlink|find|fd|(?:ba|z)?sh|make|run|eval|source|base64)\b/;

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
} satisfies { [K in keyof Loaded]-?: () => Promise<NonNullable<Loaded[K]>> };

const loaded: Loaded = {};

const names = Object.keys(needs) as (keyof Loaded)[];

/** Nothing to wait for where all it needs is loaded. */
export function loadFor(event: Event): Loaded | Promise<Loaded> {
  for (const name of names) if (!loaded[name] && needs[name](event)) return loadMissing(event);
  return loaded;
}

async function loadMissing(event: Event): Promise<Loaded> {
  for (const name of names)
    if (!loaded[name] && needs[name](event)) Object.assign(loaded, { [name]: await loaders[name]() });
  return loaded;
}

/** For a process that stays: what is loaded now cannot be missing later. */
export async function loadAll(): Promise<void> {
  for (const name of names) Object.assign(loaded, { [name]: await loaders[name]() });
}
