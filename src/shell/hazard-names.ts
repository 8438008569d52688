// Every name a hazard can have: the catalogue's, those in the rules of tools, those built where a hazard is found.
// Invariant: a name that a refusal shows fits one of the patterns; `*` in a pattern stands for words of the command.
import { type HazardId, hazardCatalogue } from "../model/hazards.js";
import { nearest } from "../model/nearest.js";
import type { ToolFamily } from "./analyze/tool.js";
import { fillName, type SpecFamily } from "./spec/interpret.js";
import type { Action, Condition, HazardRef, ToolSpec } from "./spec/tool-spec.js";
import { families } from "./tools/index.js";

/** Whether an entry of an `except:` list can match a hazard; a `*` at its end stands for any ending. */
export function isHazardName(entry: string): boolean {
  // Most entries are in the catalogue; reading the rules of every tool takes longer.
  return ownNames.some(([, pattern]) => fits(entry, pattern)) || patterns().some((pattern) => fits(entry, pattern));
}

function fits(entry: string, pattern: string): boolean {
  const open = pattern.indexOf("*");
  if (!entry.endsWith("*")) return open < 0 ? pattern === entry : fitting(pattern).test(entry);
  const begin = entry.slice(0, -1);
  return pattern.startsWith(begin) || (open > 0 && begin.startsWith(pattern.slice(0, open)));
}

/** The known name most like a wrong one. */
export const nearestHazardName = (entry: string): string | undefined =>
  nearest(
    entry.replace(/\*$/, ""),
    patterns().filter((pattern) => !pattern.includes("*")),
  );

const fitting = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[\\w.-]+")}$`);

const ownNames = (Object.keys(hazardCatalogue) as HazardId[]).flatMap((id) => {
  const { name, names } = hazardCatalogue[id];
  return [id, name, ...(names?.split(" ") ?? [])].flatMap((one): [HazardId, string][] => (one ? [[id, one]] : []));
});

let all: readonly string[] | undefined;
const patterns = (): readonly string[] => (all ??= collect());

function collect(): string[] {
  const found = [...ownNames];
  for (const family of families) if (isSpec(family)) found.push(...ruleNames(family));
  const sent = found.flatMap(([id, name]) =>
    hazardCatalogue[id].class === "credential-read" && hazardCatalogue[id].level < 3 ? [`${name}-sent`] : [],
  );
  return [...new Set([...found.map(([, name]) => name), ...sent])];
}

const isSpec = (family: ToolFamily): family is SpecFamily => "spec" in family;

function ruleNames({ names, spec }: SpecFamily): [HazardId, string][] {
  const found: [HazardId, string][] = [];
  for (const [steps, { id, name }] of named(spec()))
    for (const program of name ? names : [])
      for (const path of ways(steps)) {
        const full = fillName(name!, program, path, (at) => path[at] ?? "*");
        found.push([id, full.replace(/[^\w.*-]+/g, "-")]);
      }
  return found;
}

/** The hazards of a tool that have a name of their own, with the sub-commands of their rules. */
function named({ always, also, rules, otherwise }: ToolSpec): [Condition[], HazardRef][] {
  const none: Condition[] = [];
  const given = [...also, ...rules].flatMap(({ when, then }) => when.map((way) => [way, then] as const));
  return [[none, always] as const, [none, otherwise] as const, ...given].flatMap(([way, actions]) =>
    actions.flatMap((action) => {
      const found = hazardIn(action);
      return found?.name ? [[[...way], found] satisfies [Condition[], HazardRef]] : [];
    }),
  );
}

const hazardIn = (action: Action): HazardRef | undefined => ("hazard" in action ? action.hazard : undefined);

/** "get|list secret" as its paths: get secret, list secret. */
function ways(way: readonly Condition[]): string[][] {
  let paths: string[][] = [[]];
  for (const one of way)
    if (one.kind === "step") paths = paths.flatMap((path) => one.word.source.split("|").map((word) => [...path, word]));
  return paths;
}
