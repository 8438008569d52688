// What each pack that is on has to say about this project, for `status` and `doctor`.
// Invariant: reads files and the state, judges nothing; foreign text is made inert.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Opened } from "../hook/open-project.js";
import { type IntentSet, intentsFile } from "../intents/intent.js";
import { asString, isObject, type JsonObject } from "../model/json.js";
import { counted, inert } from "../model/text.js";
import { disciplineStatusLine } from "../packs/discipline/state-reports.js";
import { projectSelection, type Selection } from "../packs/intent/selection-memory.js";
import { registry } from "../packs/registry.js";
import { listRuns } from "../runs/run.js";
import { StoreFault } from "../store/fault.js";
import type { CheckContext } from "./context.js";
import type { HealthFinding } from "./finding.js";

export interface PackState {
  pack: string;
  mode: string;
  /** Undefined: nothing worth a line in `status`. */
  says: string | undefined;
  /** What is wrong with the pack's own files. */
  problem?: { what: string; fix: string };
}

type Said = Pick<PackState, "says" | "problem">;

/** Packs that are on and have something to do here. */
export async function packStates(opened: Opened, state: JsonObject, now = Date.now()): Promise<PackState[]> {
  const { packs } = opened.settings.config;
  const on = registry.filter(({ id, concerns }) => packs[id]?.enabled && (!concerns || concerns(opened)));
  return Promise.all(
    on.map(async ({ id }) => ({ pack: id, mode: packs[id]!.mode, ...(await saidBy(id, opened, state, now)) })),
  );
}

/** Empty where the record can't be read: the area "record" says why. */
function stateOf({ store }: Opened): JsonObject {
  try {
    return store.read().state as JsonObject;
  } catch (error) {
    if (error instanceof StoreFault) return {};
    throw error;
  }
}

/** Doctor's area "packs". */
export async function checkPacks({ opened }: CheckContext): Promise<HealthFinding[]> {
  const states = await packStates(opened, stateOf(opened));
  return states.map(({ pack, mode, says, problem }) => {
    const what = `${pack}, ${mode}${says ? `: ${says}` : ""}`;
    if (!problem) return { area: "pack", ok: true, what };
    return { area: "pack", ok: false, mild: true, what: `${pack}, ${mode}: ${problem.what}`, fix: problem.fix };
  });
}

async function saidBy(pack: string, opened: Opened, state: JsonObject, now: number): Promise<Said> {
  const { root } = opened.repository;
  const options = opened.settings.config.packs[pack]!.options;
  switch (pack) {
    case "guard":
      return { says: `preset ${inert(String(options["preset"] ?? "standard"), 40)}` };
    case "discipline":
      return { says: disciplineStatusLine(state, now) };
    case "lifecycle":
      return { says: workflowIn(root) };
    case "kits": {
      const [newest, ...older] = listRuns(root);
      return { says: newest ? `${counted(older.length + 1, "run")}, the newest ${newest}` : "no run yet" };
    }
    case "intent":
      return intentsIn(root, state);
    case "sred":
      return { says: "commits name an SR&ED project (interlock sred)" };
    case "rules":
      return { says: counted((options["rules"] as unknown[] | undefined)?.length ?? 0, "rule") };
    default:
      return { says: undefined };
  }
}

async function intentsIn(root: string, state: JsonObject): Promise<Said> {
  const text = textOf(join(root, intentsFile));
  if (text === undefined) {
    const what = `${intentsFile} is not there, so no file may be changed`;
    return { says: undefined, problem: { what, fix: "interlock intent add" } };
  }
  const { parseIntents } = await import("../intents/document.js");
  const { intents, problem }: IntentSet = parseIntents(text);
  if (problem) return { says: undefined, problem: { what: inert(problem.what, 160), fix: inert(problem.fix, 160) } };
  const working = intents.filter(({ status }) => status === "IN_PROGRESS").map(({ id }) => id);
  const chosen = (state[projectSelection.id] as unknown as Selection | undefined)?.id;
  const parts = [
    `${counted(intents.length, "intent")}`,
    working.length
      ? `in progress: ${working.slice(0, 3).join(", ")}${working.length > 3 ? " ..." : ""}`
      : "none in progress",
    ...(chosen ? [`selected for all sessions: ${inert(chosen, 64)}`] : []),
  ];
  return { says: parts.join("; ") };
}

function workflowIn(root: string): string {
  const text = textOf(join(root, ".isdlc/state.json"));
  try {
    const state: unknown = text === undefined ? undefined : JSON.parse(text);
    const active = isObject(state) ? state["active_workflow"] : undefined;
    if (!isObject(active)) return "no workflow is active (interlock lifecycle status)";
    const phase = asString(active["current_phase"]);
    return `workflow ${inert(asString(active["type"]) ?? "?", 40)}${phase ? `, phase ${inert(phase, 60)}` : ""}`;
  } catch {
    return ".isdlc/state.json is not valid JSON (interlock lifecycle status)";
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not there
  }
}
