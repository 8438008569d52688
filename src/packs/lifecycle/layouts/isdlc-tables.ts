// The framework's tables in a project: iteration-requirements.json (what phases need) and workflows.json (their
// order).
// Invariant: read leniently, part by part; an unusable part is reported with its place, and the shipped value stays.

import { canonicalPhase } from "../../../facts/phase-names.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import type { Atdd, Needs, PhaseDef } from "../model/tables.js";

type Part<K extends keyof Needs> = Partial<Extract<Needs[K], object>>;

/** What a table says about a phase: `false` drops a need, a partial need changes only that part. */
export interface TableNeeds {
  elicitation?: Part<"elicitation"> | false;
  tests?: Part<"tests"> | false;
  constitution?: Part<"constitution"> | false;
  delegation?: boolean;
  atdd?: Atdd | false;
  cloud?: boolean;
}

export interface TableWorkflow {
  id: string;
  title?: string;
  branch?: boolean;
  permissive?: boolean;
  phases: string[];
}

export interface FrameworkTables {
  phases: Map<string, TableNeeds>;
  /** By workflow, then by phase. */
  overrides: Map<string, Map<string, TableNeeds>>;
  workflows: TableWorkflow[];
  problems: string[];
  /** The user consented to them as they are; otherwise they may only make requirements stricter. */
  trusted: { requirements: boolean; workflows: boolean };
}

/** Where a project keeps its tables; the first match wins. */
export const tablePlaces = [".claude/hooks/config", ".isdlc/config"] as const;
export const tableNames = { requirements: "iteration-requirements.json", workflows: "workflows.json" } as const;

export interface TableTexts {
  requirements?: { name: string; text: string | undefined };
  workflows?: { name: string; text: string | undefined };
}

export function readFrameworkTables(texts: TableTexts, trusted: FrameworkTables["trusted"]): FrameworkTables {
  const tables: FrameworkTables = { phases: new Map(), overrides: new Map(), workflows: [], problems: [], trusted };
  if (texts.requirements) requirements(texts.requirements, tables);
  if (texts.workflows) workflows(texts.workflows, tables);
  return tables;
}

type Tell = (sentence: string) => void;

function parsed(text: string | undefined, tell: Tell): JsonObject | undefined {
  if (text === undefined) {
    tell("it can't be read (too large, or not text); the shipped table holds");
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
    tell("it is not an object; the shipped table holds");
  } catch (error) {
    tell(`it is not JSON (${error instanceof Error ? error.message : error}); the shipped table holds`);
  }
  return undefined;
}

function requirements(source: { name: string; text: string | undefined }, tables: FrameworkTables): void {
  const tell: Tell = (sentence) => tables.problems.push(`${source.name}: ${sentence}`);
  const file = parsed(source.text, tell);
  if (!file) return;
  const phases = section(file, "phase_requirements", tell);
  for (const [key, entry] of Object.entries(phases)) phase(key, entry, "phase_requirements", tables.phases, tell);
  for (const [key, entry] of Object.entries(phases))
    if (isObject(entry) && entry["sub_phases"] !== undefined)
      for (const [sub, inner] of Object.entries(section(entry, "sub_phases", tell)))
        if (!tables.phases.has(keyOf(sub) ?? ""))
          phase(sub, inner, `phase_requirements.${key}.sub_phases`, tables.phases, tell);
  // If the table says anywhere when the cloud is decided, it says so for every phase.
  if ([...tables.phases.values()].some((wish) => wish.cloud))
    for (const wish of tables.phases.values()) wish.cloud ??= false;
  for (const [workflow, entry] of Object.entries(section(file, "workflow_overrides", tell))) {
    if (workflow.startsWith("_")) continue;
    if (!isObject(entry)) tell(`workflow_overrides.${workflow} is not an object`);
    else {
      const wishes = new Map<string, TableNeeds>();
      for (const [key, inner] of Object.entries(entry))
        phase(key, inner, `workflow_overrides.${workflow}`, wishes, tell);
      tables.overrides.set(workflow, wishes);
    }
  }
}

function section(file: JsonObject, name: string, tell: Tell): JsonObject {
  const value = file[name];
  if (isObject(value)) return value;
  if (value !== undefined) tell(`${name} is not an object`);
  return {};
}

/** The canonical key of a phase; undefined for what cannot be a phase name. */
function keyOf(name: string): string | undefined {
  return canonicalPhase(name) ?? (/^[a-z0-9][a-z0-9-]{0,60}$/i.test(name) ? name.toLowerCase() : undefined);
}

function phase(name: string, entry: unknown, where: string, into: Map<string, TableNeeds>, tell: Tell): void {
  if (name.startsWith("_")) return;
  const key = keyOf(name);
  if (!key || !isObject(entry)) return tell(`${where}.${name.slice(0, 60)} is not a phase with its requirements`);
  const at = new Reading(entry, `${where}.${name}`, tell);
  const wish: TableNeeds = {
    elicitation: at.part("interactive_elicitation", (p) => ({
      ...p.count("min_menu_interactions", "min"),
      ...p.texts("required_final_selection", "final"),
    })),
    tests: at.part("test_iteration", (p) => ({
      ...p.count("max_iterations", "max"),
      ...p.count("circuit_breaker_threshold", "identical"),
      ...coverage(p),
    })),
    constitution: at.part("constitutional_validation", (p) => ({
      ...p.count("max_iterations", "max"),
      ...p.texts("articles", "articles"),
    })),
    delegation: at.part("agent_delegation_validation", () => true as const),
    atdd: at.part("atdd_validation", atddIn),
    cloud: cloudIn(entry) ? true : undefined,
  };
  into.set(key, Object.fromEntries(Object.entries(wish).filter(([, part]) => part !== undefined)) as TableNeeds);
}

/** A percentage. Later framework versions have one per tier, which is ignored. */
function coverage(part: Reading): { coverage?: number } {
  const criteria = part.entry["success_criteria"];
  const percent = isObject(criteria) ? criteria["min_coverage_percent"] : undefined;
  return typeof percent === "number" && percent >= 0 && percent <= 100 ? { coverage: percent } : {};
}

/** What a hook can check: the checklist, files, skipped tests. The rest is left to the agents. */
function atddIn(part: Reading): Atdd | false {
  const { when, gate_block_on_failure } = part.entry;
  if (gate_block_on_failure === false) return false;
  if (when !== undefined && when !== null && when !== "atdd_mode")
    part.say("when", "is not atdd_mode; it holds always");
  const requires = part.texts("requires", "list").list ?? [];
  const files = (part.texts("artifacts", "list").list ?? []).filter((f) => !f.endsWith("/"));
  const others = files.filter((f) => !isChecklist(f));
  return atddOf({
    always: when !== "atdd_mode",
    checklist: requires.includes("atdd_checklist_generated") || files.some(isChecklist),
    noSkips: requires.some((r) => skipless.has(r)),
    files: others,
  });
}

const skipless = new Set(["no_orphan_skips", "all_priority_tests_passing", "all_priorities_100_percent"]);
const isChecklist = (path: string): boolean => /(?:^|\/)atdd-checklist[\w-]*\.json$/.test(path);

/** A canonical form, so that equal contents compare equal. */
const atddOf = ({ always, checklist, noSkips, files = [] }: Atdd): Atdd => ({
  ...(always && { always }),
  ...(checklist && { checklist }),
  ...(noSkips && { noSkips }),
  ...(files.length && { files }),
});

function cloudIn(entry: JsonObject): boolean {
  const pass = entry["on_gate_pass"];
  const trigger = isObject(pass) ? pass["trigger_cloud_config"] : undefined;
  return isObject(trigger) && trigger["enabled"] === true;
}

class Reading {
  constructor(
    readonly entry: JsonObject,
    private readonly where: string,
    private readonly tell: Tell,
  ) {}

  /** A requirement with its switch: absent keeps what is there, `enabled: false` drops it. */
  part<T>(name: string, read: (part: Reading) => T): T | false | undefined {
    const value = this.entry[name];
    if (value === undefined || value === null) return undefined;
    if (!isObject(value)) {
      this.tell(`${this.where}.${name} is not an object`);
      return undefined;
    }
    const { enabled } = value;
    if (enabled === false) return false;
    if (enabled !== undefined && enabled !== true)
      this.tell(`${this.where}.${name}.enabled is neither true nor false; it counts as true`);
    return read(new Reading(value, `${this.where}.${name}`, this.tell));
  }

  say(name: string, sentence: string): void {
    this.tell(`${this.where}.${name} ${sentence}`);
  }

  count<K extends string>(name: string, as: K): { [P in K]?: number } {
    const value = this.entry[name];
    if (value === undefined || value === null) return {};
    if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1000)
      return { [as]: value } as { [P in K]: number };
    this.tell(`${this.where}.${name} is not a number from 1 to 1000`);
    return {};
  }

  texts<K extends string>(name: string, as: K): { [P in K]?: string[] } {
    const value = this.entry[name];
    if (value === undefined || value === null) return {};
    const list = Array.isArray(value) ? value : [];
    if (list.length && list.length <= 50 && list.every((x) => typeof x === "string" && x.length > 0 && x.length <= 100))
      return { [as]: list } as { [P in K]: string[] };
    this.tell(`${this.where}.${name} is not a list of names`);
    return {};
  }
}

function workflows(source: { name: string; text: string | undefined }, tables: FrameworkTables): void {
  const tell: Tell = (sentence) => tables.problems.push(`${source.name}: ${sentence}`);
  const file = parsed(source.text, tell);
  if (!file) return;
  for (const [id, entry] of Object.entries(section(file, "workflows", tell))) {
    if (id.startsWith("_")) continue;
    const phases = isObject(entry) ? entry["phases"] : undefined;
    const keys = Array.isArray(phases) ? phases.map((p) => (typeof p === "string" ? keyOf(p) : undefined)) : [];
    if (!/^[a-z0-9][a-z0-9-]{0,60}$/.test(id) || !keys.length || keys.length > 50 || keys.includes(undefined)) {
      tell(`workflows.${id.slice(0, 60)} has no list of phases by name`);
      continue;
    }
    const { label, requires_branch, gate_mode } = entry as JsonObject;
    if (gate_mode !== undefined && gate_mode !== "strict" && gate_mode !== "permissive")
      tell(`workflows.${id}.gate_mode is neither strict nor permissive; it counts as strict`);
    tables.workflows.push({
      id,
      phases: keys as string[],
      ...(typeof label === "string" && label && { title: label.slice(0, 200) }),
      ...(typeof requires_branch === "boolean" && { branch: requires_branch }),
      ...(gate_mode !== undefined && { permissive: gate_mode === "permissive" }),
    });
  }
}

/** A phase only the project's table defines. */
export const phaseFromTable = (id: string, wish: TableNeeds): PhaseDef => ({ id, needs: layTable({}, wish, true) });

const usual = {
  elicitation: { min: 1, final: ["save", "continue"] },
  tests: { max: 10, identical: 3 },
} as const;

/** A phase's needs with a table applied: as the table says if the user consented, else only where it is stricter. */
export function layTable(base: Needs, wish: TableNeeds | undefined, trusted: boolean): Needs {
  if (!wish) return base;
  const next: Needs = { ...base };
  const set = <K extends keyof Needs>(name: K, value: Needs[K] | false) => {
    if (value === false) {
      if (trusted) delete next[name];
    } else if (value !== undefined) next[name] = value;
  };
  const { elicitation, tests, constitution } = wish;
  if (elicitation) {
    const full = { ...usual.elicitation, ...base.elicitation, ...elicitation };
    const kept = base.elicitation;
    const final = kept?.final.filter((f) => full.final.includes(f)) ?? [];
    set(
      "elicitation",
      trusted || !kept ? full : { min: Math.max(kept.min, full.min), final: final.length ? final : kept.final },
    );
  } else if (elicitation === false) set("elicitation", false);
  if (tests) {
    const full = { ...usual.tests, ...base.tests, ...tests };
    const kept = base.tests;
    set("tests", trusted || !kept ? full : stricterTests(kept, full));
  } else if (tests === false) set("tests", false);
  if (constitution) {
    const kept = base.constitution;
    const full = { max: 5, ...kept, ...constitution, articles: constitution.articles ?? kept?.articles ?? [] };
    if (full.articles.length)
      set(
        "constitution",
        trusted || !kept ? full : { max: Math.min(kept.max, full.max), articles: union(kept.articles, full.articles) },
      );
  } else if (constitution === false) set("constitution", false);
  const { atdd } = wish;
  if (atdd) {
    const kept = base.atdd;
    set("atdd", trusted || !kept ? atdd : stricterAtdd(kept, atdd));
  } else if (atdd === false) set("atdd", false);
  if (wish.delegation !== undefined) set("delegation", wish.delegation);
  if (wish.cloud !== undefined) next.cloud = wish.cloud;
  return next;
}

const union = (a: readonly string[], b: readonly string[]): string[] => [...a, ...b.filter((x) => !a.includes(x))];

function stricterTests(
  kept: NonNullable<Needs["tests"]>,
  full: NonNullable<Needs["tests"]>,
): NonNullable<Needs["tests"]> {
  const coverage = Math.max(kept.coverage ?? 0, full.coverage ?? 0);
  return {
    max: Math.min(kept.max, full.max),
    identical: Math.min(kept.identical, full.identical),
    ...(coverage && { coverage }),
  };
}

const stricterAtdd = (kept: Atdd, full: Atdd): Atdd =>
  atddOf({
    always: kept.always || full.always,
    checklist: kept.checklist || full.checklist,
    noSkips: kept.noSkips || full.noSkips,
    files: union(kept.files ?? [], full.files ?? []),
  });
