// The lifecycle pack's options and the user's own workflows: schema, checks against the tables, compilation.
import * as v from "valibot";
import { canonicalPhase } from "../../facts/phase-names.js";
import type { JsonObject } from "../../model/json.js";
import { nearest } from "../../model/nearest.js";
import { packSchema, setting } from "../../model/setting.js";
import { standardOptions } from "./lifecycle-options.js";
import { catalogueOf, ownRoles, phaseDefOf } from "./model/catalogue.js";
import { shippedWorkflows, type WorkflowDef } from "./model/tables.js";

export const lifecycleGateNames = [
  "iteration-corridor",
  "skill-validator",
  "phase-loop-controller",
  "plan-surfacer",
  "phase-sequence-guard",
  "gate-blocker",
  "constitution-validator",
  "model-provider-router",
  "phase-brief",
  "branch-guard",
  "log-skill-usage",
  "menu-tracker",
  "walkthrough-tracker",
  "discover-menu-guard",
  "skill-delegation-enforcer",
  "test-watcher",
  "review-reminder",
  "state-write-validator",
  "delegation-gate",
] as const;

const id = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,60}$/, "an id is lower-case letters, digits and hyphens"));
const text = v.pipe(v.string(), v.minLength(1), v.maxLength(200));
const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));
const path = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(300),
  v.regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))/, "a path below the project, without .."),
);

const needs = v.strictObject({
  elicitation: v.optional(
    v.strictObject({ min: v.optional(count, 1), final: v.optional(v.array(text), ["save", "continue"]) }),
  ),
  tests: v.optional(
    v.strictObject({
      max: v.optional(count, 10),
      identical: v.optional(count, 3),
      coverage: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(100))),
    }),
  ),
  constitution: v.optional(
    v.strictObject({ max: v.optional(count, 5), articles: v.pipe(v.array(text), v.minLength(1)) }),
  ),
  delegation: v.optional(v.boolean()),
  plan: v.optional(v.boolean()),
  artifacts: v.optional(v.array(v.union([path, v.array(path)]))),
  atdd: v.optional(
    v.strictObject({
      always: v.optional(v.boolean()),
      checklist: v.optional(v.boolean()),
      noSkips: v.optional(v.boolean()),
      files: v.optional(v.array(path)),
    }),
  ),
});

const dropped = v.literal(false);
const adjustment = v.strictObject(
  Object.fromEntries(
    Object.entries(needs.entries).map(([name, schema]) => [name, v.optional(v.union([dropped, schema.wrapped]))]),
  ),
);

const phase = v.strictObject({
  id,
  title: v.optional(text),
  agents: v.optional(v.array(id)),
  needs: v.optional(needs, {}),
});

export const workflowSchema = v.strictObject({
  id,
  title: v.optional(text),
  branch: v.optional(v.boolean()),
  phases: v.pipe(v.array(v.union([v.string(), phase])), v.minLength(1), v.maxLength(50)),
  marks: v.optional(v.array(path)),
});

export const schema = packSchema(lifecycleGateNames, {
  workflows: v.optional(
    setting(v.array(workflowSchema), "add", "your own workflows: phases, agents, what each phase needs"),
  ),
  adjust: v.optional(
    setting(
      v.record(v.string(), adjustment),
      "user",
      "what a shipped phase needs here, by phase; `false` drops a need",
    ),
  ),
  attest: v.optional(
    setting(
      v.picklist(["written", "command"]),
      ["written", "command"],
      "whether a constitutional check counts when it is only written in the state file, or only when made " +
        "with `interlock lifecycle validate`",
    ),
  ),
  protectedBranches: v.optional(setting(v.array(text), "add", "branches without commits while a workflow has its own")),
  delegationMinutes: v.optional(
    setting(
      v.pipe(v.number(), v.minValue(1), v.maxValue(1440)),
      "user",
      "how long a demanded orchestrator is waited for",
    ),
  ),
});

export const defaults: JsonObject = { ...standardOptions, workflows: [], adjust: {} };

export function compile(options: JsonObject): JsonObject {
  const workflows = options["workflows"] as unknown as WorkflowDef[];
  check(workflows);
  const adjust = checkAdjusted(options["adjust"] as Record<string, JsonObject>, workflows);
  const catalogue = catalogueOf(workflows);
  const agents = Object.fromEntries(ownRoles(catalogue)) as Record<string, string[]>;
  return {
    ...options,
    adjust,
    workflows: workflows as unknown as JsonObject[],
    roles: { agents, phases: [...catalogue.own] },
  };
}

function check(workflows: readonly WorkflowDef[]): void {
  const taken = new Set(shippedWorkflows.map((w) => w.id));
  const shipped = catalogueOf();
  const written = new Set<string>();
  for (const { id, phases } of workflows) {
    if (taken.has(id)) throw new Error(`packs.lifecycle.workflows: "${id}" is there already; give yours another id`);
    taken.add(id);
    const keys = phases.map((p) => (typeof p === "string" ? (canonicalPhase(p) ?? p) : p.id));
    const twice = keys.find((key, i) => keys.indexOf(key) !== i);
    if (twice) throw new Error(`workflow "${id}": the phase "${twice}" is listed twice`);
    for (const p of phases) {
      if (typeof p === "string") continue;
      if (canonicalPhase(p.id) || shipped.phases.has(p.id) || written.has(p.id))
        throw new Error(
          `workflow "${id}": the phase "${p.id}" is defined already; name it alone to use it, or give yours another id`,
        );
      written.add(p.id);
    }
  }
  const all = catalogueOf(workflows);
  for (const { id, phases } of workflows) {
    for (const p of phases) {
      if (typeof p !== "string" || phaseDefOf(all, p)) continue;
      const near = nearest(p, [...all.phases.keys()]);
      throw new Error(
        `workflow "${id}": the phase "${p}" is not defined${near ? `; did you mean "${near}"?` : "."} ` +
          "Write it out as {id, agents, needs} to define it.",
      );
    }
  }
}

/** By canonical key; an undefined phase is an error in the file. */
function checkAdjusted(
  adjust: Record<string, JsonObject>,
  workflows: readonly WorkflowDef[],
): Record<string, JsonObject> {
  const all = catalogueOf(workflows);
  return Object.fromEntries(
    Object.entries(adjust).map(([key, needs]) => {
      const def = phaseDefOf(all, key);
      const near = def ? undefined : nearest(key, [...all.phases.keys()]);
      if (!def)
        throw new Error(
          `packs.lifecycle.adjust: the phase "${key}" is not defined${near ? `; did you mean "${near}"?` : ""}`,
        );
      return [def.id, needs];
    }),
  );
}
