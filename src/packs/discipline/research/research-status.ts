// How far the research of a task is: what a task of its size needs, what was done, what is missing.
// Invariant: pure over what was remembered; a category nobody can reach counts as done, with the reason.
import type { Event } from "../../../model/event.js";
import type { Project } from "../../../model/gate.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { type DisciplineOptions, type ResearchCategory, researchCategories } from "../discipline-options.js";
import { matchesName } from "../name-patterns.js";
import type { TaskState } from "../prompts/task-memory.js";
import { smallLines } from "../verification/changed-lines.js";
import { type Attempt, unreached } from "./attempts.js";
import { agentKey, looksOf, type ResearchState, webServer } from "./research-memory.js";

/** What a task needs before its first change, besides a look at the code it is about. */
export interface ResearchNeed {
  /** So many different places of the project, looked at in this session; an outside source stands for one of them. */
  sources: number;
  /** An outside source is a must: documentation, the web or other people's code. */
  outside: boolean;
}

/** undefined: every required category, whatever the task (`research.depth: full`). */
export function researchNeed(
  { big, outside, small, planned }: Readonly<TaskState>,
  { research }: DisciplineOptions,
  { lines, addsPackage }: { lines: number; addsPackage: boolean },
): ResearchNeed | undefined {
  if (research.depth === "full") return undefined;
  // What a plan needed was the plan's business.
  if (planned) return { sources: 0, outside: false };
  if (big || outside || addsPackage) return { sources: 3, outside: true };
  return { sources: small && lines <= smallLines ? 0 : 3, outside: false };
}

export interface ResearchStatus {
  done: ResearchCategory[];
  /** Needed, not done, and a provider exists. */
  missing: ResearchCategory[];
  /** How many more places of the project are to be looked at. */
  places: number;
  /** Number of different failed attempts for missing categories. */
  tried: Partial<Record<ResearchCategory, number>>;
  /** Count as done because no provider is configured or none answers. */
  excused: { category: ResearchCategory; why: string }[];
}

/** One agent's research of the task; a sub-agent starts with the main agent's marks. */
export function researchStatus(
  state: Readonly<ResearchState>,
  taskId: string,
  event: Event,
  options: DisciplineOptions,
  project: Project,
  need?: ResearchNeed,
): ResearchStatus {
  const current = state.task === taskId;
  const planned = current && taskId !== "" && state.planned === taskId;
  const marks = current ? { ...state.marks["main"], ...state.marks[agentKey(event)] } : {};
  const failures = current ? state.failed : {};
  const required = researchCategories.filter((c) => options.research.require.includes(c));
  const out: ResearchStatus = { done: [], missing: [], places: 0, tried: {}, excused: [] };
  for (const category of required) {
    if (marks[category]) out.done.push(category);
    else {
      const why =
        planned && category !== "local"
          ? "the user approved the plan that this task carries out"
          : outOfReach(category, state, failures[category], options, project);
      if (why) out.excused.push({ category, why });
      else out.missing.push(category);
    }
  }
  if (need) scaleDown(out, need, looksOf(state, event));
  for (const category of out.missing) {
    const attempts = failures[category];
    if (Array.isArray(attempts) && attempts.length) out.tried[category] = attempts.length;
  }
  return out;
}

/** Leaves what a task of this size needs. One outside source stands for a place of the project. */
function scaleDown(out: ResearchStatus, need: ResearchNeed, looks: number): void {
  const asked = out.done.some((c) => c !== "local");
  const places = Math.max(0, need.sources - looks - (asked || need.outside ? 1 : 0));
  const open = out.missing.filter((c) => c !== "local");
  // What was looked at in this session is known, also to the next task.
  const look = out.missing.includes("local") && looks < Math.max(1, need.sources) ? (["local"] as const) : [];
  // Who has asked every outside source needs no more places.
  out.places = open.length || need.outside ? places : 0;
  if (need.outside) {
    const one = asked ? undefined : open.includes("web") ? "web" : open[0];
    if (asked || one) out.excused = [];
    out.missing = [...(one ? [one] : []), ...(out.places ? (["local"] as const) : look)];
  } else if (places === 0) {
    out.excused = [];
    out.missing = [...look];
  }
}

function outOfReach(
  category: ResearchCategory,
  state: Readonly<ResearchState>,
  failures: readonly Attempt[] | undefined,
  options: DisciplineOptions,
  project: Project,
): string | undefined {
  if (category === "local") return undefined;
  const { research: r } = options;
  const p = r[category];
  const limit = r.unreachableAfter;
  const known = [...Object.keys(state.servers), ...configuredServers(project)];
  const servers = known.filter((name) => p.mcp.some((pattern) => matchesName(pattern, name)));
  const why = Array.isArray(failures) && failures.length ? unreached(failures, category, options, servers) : undefined;
  if (why) return why;
  const down = Object.values(state.failed)
    .flatMap((attempts) => (Array.isArray(attempts) ? attempts : []))
    .filter((a) => a.kind === "unreachable");
  const answers = (name: string) =>
    (state.servers[name]?.ok ?? 0) > 0 ||
    down.filter((a) => (name === webServer ? a.family === "web" : a.provider === name)).length < limit;
  if (servers.some(answers)) return undefined;
  if (!p.kinds.length && !p.tools.length && !p.commands.length && !p.urls.length)
    return p.mcp.length ? `no configured server matches ${p.mcp.join(", ")}` : "no provider is configured";
  return answers(webServer) ? undefined : "the web does not answer";
}

function configuredServers(project: Project): string[] {
  try {
    const file = JSON.parse(project.read(".mcp.json") ?? "{}") as JsonObject;
    return isObject(file["mcpServers"]) ? Object.keys(file["mcpServers"]) : [];
  } catch {
    // A broken .mcp.json configures no server; the host reports it.
    return [];
  }
}
