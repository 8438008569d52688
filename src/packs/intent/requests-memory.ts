// What agents ask a person for: more scope for an intent. Recorded here, decided by `interlock intent scope`.
// Invariant: a request grants nothing; at most a hundred are kept, decided ones first to go.
import { after, memory } from "../../model/gate.js";
import { ownCall } from "./own-tools.js";
import { projectIntents } from "./project-intents.js";

export interface ScopeRequest {
  id: string;
  intent: string;
  paths: string[];
  reason: string;
  session: string;
  at: number;
  decided?: "approved" | "refused";
  by?: string;
}

export interface RequestState {
  count: number;
  requests: ScopeRequest[];
}

const most = 100;

export const scopeRequests = memory<RequestState>({
  id: "intent/scope-requests",
  on: after("mcp"),
  state: { scope: "project", initial: { count: 0, requests: [] } },
  learn({ facts, event, state, project, now }) {
    const call = ownCall(facts);
    if (call?.tool !== "request_scope_expansion" || event.outcome?.ok === false) return;
    const asked = askedScope(call.input);
    if (!asked || !projectIntents(project).intents.some((i) => i.id === asked.intent)) return;
    const { count, requests } = state.value;
    if (requests.some((r) => !r.decided && r.intent === asked.intent && same(r.paths, asked.paths))) return;
    const reason = facts.keep(asked.reason);
    const fresh: ScopeRequest = { id: `sr-${count + 1}`, ...asked, reason, session: event.session, at: now };
    const kept = [...requests.filter((r) => r.decided), ...requests.filter((r) => !r.decided), fresh].slice(-most);
    state.replace({ count: count + 1, requests: kept });
  },
});

/** The arguments of request_scope_expansion, cut to a sensible size; undefined where they do not fit. */
export function askedScope(
  input: Readonly<Record<string, unknown>>,
): Pick<ScopeRequest, "intent" | "paths" | "reason"> | undefined {
  const { intent_id: intent, paths, reason } = input;
  if (typeof intent !== "string" || !Array.isArray(paths) || typeof reason !== "string") return undefined;
  const texts = paths.filter((p): p is string => typeof p === "string" && p.trim() !== "").slice(0, 50);
  return texts.length ? { intent, paths: texts.map((p) => p.slice(0, 300)), reason: reason.slice(0, 500) } : undefined;
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.join("\n") === b.join("\n");
