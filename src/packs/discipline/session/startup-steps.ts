// Start-up steps and documents: where a document is, whether a step applies here, whether a call is just that step.
// Invariant: reads only; what is missing, empty or cannot be run here is not required.
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Facts } from "../../../facts/index.js";
import { isConfiguredCall } from "../command-success.js";
import type { StartupStep } from "../discipline-options.js";

/** The path of a configured document: in the project, under home, or absolute. */
function placed(name: string, { world: { userHome, project } }: Facts): string {
  return name.startsWith("~/") ? join(userHome, name.slice(2)) : resolve(project.root, name);
}

/** The document exists and is not empty. */
export function documentExists(name: string, facts: Facts): boolean {
  const place = placed(name, facts);
  const stat = existsSync(place) ? statSync(place) : undefined; // asked first: most projects have none of them
  return stat?.isFile() === true && stat.size > 0 && facts.world.project.read(place)?.trim() !== "";
}

/** Those of the wanted documents that are at one of these paths. */
export function documentsAt(wanted: Iterable<string>, places: () => readonly string[], facts: Facts): string[] {
  const there = [...wanted].filter((name) => facts.exists(placed(name, facts)));
  if (!there.length) return [];
  const found = new Set(places().map((p) => facts.canonical(p).path));
  return there.filter((name) => found.has(facts.canonical(placed(name, facts)).path));
}

const interpreters = /^(?:ruby|python[\d.]*|node|bash|sh|zsh|perl|php|swift|osascript|pwsh|tsx|ts-node|deno|bun)$/;

/** A step whose script does not exist here belongs to another project. */
export function stepApplies({ when, run }: StartupStep, facts: Facts): boolean {
  const { project } = facts.world;
  if (when !== undefined && !project.exists(when)) return false;
  if (run === undefined) return true;
  const [name = "", ...rest] = run.trim().split(/\s+/);
  const script = name.includes("/") ? name : interpreters.test(name) ? rest.find((w) => !w.startsWith("-")) : undefined;
  return script === undefined || !/\/|\.\w{1,4}$/.test(script) || script.startsWith("~") || project.exists(script);
}

const spaced = (text: string): string => text.trim().replace(/\s+/g, " ");

/** The step a call runs, if it runs nothing else: then its effects are what the user configured. */
export function onlyStep(steps: readonly StartupStep[], facts: Facts): StartupStep | undefined {
  const { tool } = facts.event;
  const { root } = facts.world.project;
  if (!steps.length || tool?.kind !== "shell" || !facts.shell?.commands.length) return undefined;
  const bare = spaced(tool.command ?? "")
    .replace(`cd ${root} && `, "")
    .replace(/ ?\| ?(?:tail|head)(?: -\w+(?: \d+)?)*$/, "")
    .replace(/ 2>&1$/, "");
  const [first] = facts.shell.commands;
  return steps.find((s) => s.run !== undefined && spaced(s.run) === bare && isConfiguredCall(first!, s.run, root));
}
