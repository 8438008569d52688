// Which intent a session works on: selected by its agent, or by a person for one session or all of them.
// Invariant: an intent is taken from the file at the moment of selecting; the newest selection counts. Sub-agents have
// that of their session unless they select one themselves.
import { unselectable } from "../../intents/intent.js";
import type { Event } from "../../model/event.js";
import { after, type LearnContext, memory, type Project } from "../../model/gate.js";
import type { IntentOptions } from "./intent-options.js";
import { ownCall } from "./own-tools.js";
import { ignoreRulesOf, projectIntents } from "./project-intents.js";

export interface Selection {
  /** Undefined: none, or taken back. */
  id?: string;
  at: number;
  by?: "agent" | "person";
}

export interface SessionSelection extends Selection {
  /** Sub-agents that selected one of their own, by id. */
  agents?: Record<string, Selection>;
}

const mostAgents = 50;

/** A person's choice for every session of the project; written by `interlock intent select`. */
export const projectSelection = memory<Selection>({
  id: "intent/project-selection",
  on: [],
  state: { scope: "project", initial: { at: 0 } },
  learn: () => undefined,
});

export const sessionSelection = memory<SessionSelection>({
  id: "intent/selection",
  on: after("mcp", "shell"),
  state: { scope: "session", initial: { at: 0 } },
  learn(context) {
    const { facts, event, state, now } = context;
    const call = ownCall(facts);
    if (call?.tool !== "select_active_intent" || event.outcome?.ok === false) return;
    const id = call.input["intent_id"];
    if (typeof id !== "string" || notSelectable(context, id) !== undefined) return;
    const selection: Selection = { id, at: now, by: "agent" };
    const { agents = {} } = state.value;
    if (!event.agent) return state.replace({ ...selection, ...(Object.keys(agents).length && { agents }) });
    const kept = Object.entries({ ...agents, [event.agent.id]: selection }).slice(-mostAgents);
    state.replace({ ...state.value, agents: Object.fromEntries(kept) });
  },
});

/** Why the agent can't select this intent; undefined where it can. */
export function notSelectable(
  { project, config }: { project: Project; config: unknown },
  id: string,
): string | undefined {
  const set = projectIntents(project);
  if (set.problem) return set.problem.what;
  const intent = set.intents.find((i) => i.id === id);
  if (!intent) return "there is no such intent";
  if (ignoreRulesOf(project).intents.includes(id)) return "it is excluded in .intentignore";
  return unselectable(intent, (config as IntentOptions).approval ?? "agent", "agent");
}

/** The newest of the agent's own selection, else its session's, and the person's for the project. */
export function selectedIntent(recall: LearnContext<unknown>["recall"], { agent }: Event): Selection {
  const session = recall(sessionSelection);
  const own = (agent && session.agents?.[agent.id]) ?? session;
  const persons = recall(projectSelection);
  return persons.at > own.at ? persons : own;
}
