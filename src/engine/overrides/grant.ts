// Grants what a person asked for: one refused call let through once, a pause of all refusals, its end.
// Invariant: each grant is one durable `override` record together with the state it changes; what may not be lifted is
// refused with a sentence.
import type { JsonObject } from "../../model/json.js";
import { markOf } from "../../model/kept-word.js";
import { inert } from "../../model/text.js";
import type { LedgerRecord, Store } from "../../store/index.js";
import { type Override, type OverrideState, overridesId, overridesSpec } from "./override.js";

export interface OverrideRequest {
  reason: string;
  by: string;
  channel: "terminal" | "prompt";
  ms: number;
  now: number;
  /** Typed inside a session: only what was refused there may be lifted. */
  session?: string;
  /** Further changes of state that belong in the same record. */
  patch?: JsonObject;
}

export type Granted = { ok: true; seq: number; override: Override; what: string } | { ok: false; why: string };
export type Liftable = { ok: true; override: Override; what: string } | { ok: false; why: string };

const kept = 20;
const oldest = 24 * 3600_000;

export function allow(store: Store, verdict: string, request: OverrideRequest): Granted {
  const found = liftable(store, verdict, request);
  if (!found.ok) return found;
  const { override, what } = found;
  const reason = markOf(store.mask(override.reason));
  const change = (state: OverrideState) => ({
    open: [...state.open.filter((o) => o.expires > request.now), { ...override, reason }].slice(-kept),
  });
  const seq = write(store, request, { do: "allow", ...override, what }, change, { [reason]: override.reason });
  return { ok: true, seq, override, what };
}

export function pause(store: Store, request: OverrideRequest): number {
  const { reason, by, now, ms } = request;
  const value = { until: now + ms, reason: inert(reason, 200), by };
  const kept = markOf(store.mask(value.reason));
  const words = { [kept]: value.reason };
  return write(store, request, { do: "pause", ...value }, () => ({ pause: { ...value, reason: kept } }), words);
}

/** Ends a pause and takes back what is still open. */
export function resume(store: Store, request: OverrideRequest): number {
  return write(store, request, { do: "resume", by: request.by, reason: inert(request.reason, 200) }, () => ({
    open: [],
    pause: null,
  }));
}

/** Whether a verdict can be lifted, and what by; changes nothing. */
export function liftable(store: Store, verdict: string, request: Omit<OverrideRequest, "patch">): Liftable {
  const no = (why: string): Liftable => ({ ok: false, why });
  const record = store.find(verdict);
  const body = record?.body as Body | undefined;
  if (!record || !body?.verdict)
    return no(`there is no verdict ${inert(verdict, 40)} in this project's record; interlock status lists the latest`);
  if (body.verdict.outcome !== "deny") return no(`${verdict} refused nothing (it was: ${body.verdict.outcome})`);
  const denials = (body.opinions ?? []).filter((o) => o.kind === "deny" && o.mode === "enforce" && !o.lifted);
  const fixed = denials.find((o) => o.overridable === false);
  if (fixed) return no(`${fixed.gate} can't be overridden: ${fixed.why}`);
  if (!denials.length) return no(`${verdict} was not refused by a gate`);
  if (request.session !== undefined && record.session !== request.session)
    return no(`${verdict} was refused in another session; type it there, or run interlock allow in a terminal`);
  if (request.now - Date.parse(record.time) > oldest)
    return no(`${verdict} is more than a day old; let the agent try again and allow the new refusal`);
  const { open, used } = overridesOf(store.read().state as JsonObject);
  if (used.some((u) => u.verdict === verdict))
    return no(`${verdict} was allowed before and that was used; if the call is refused again, allow the new refusal`);
  if (open.some((o) => o.verdict === verdict && o.expires > request.now)) return no(`${verdict} is allowed already`);
  const override: Override = {
    verdict,
    digest: String(body.digest),
    session: record.session ?? "",
    gates: [...new Set(denials.map((o) => o.gate))],
    expires: request.now + request.ms,
    reason: inert(request.reason, 200),
    by: request.by,
  };
  return { ok: true, override, what: denials[0]!.what ?? "" };
}

interface Body {
  digest?: string;
  verdict?: { outcome: string };
  opinions?: LedgerOpinion[];
}
interface LedgerOpinion {
  gate: string;
  kind: string;
  mode: string;
  lifted?: string;
  overridable?: boolean;
  what?: string;
  why?: string;
}

export const overridesOf = (state: JsonObject): OverrideState => ({
  ...overridesSpec.initial,
  ...(state[overridesId] as unknown as Partial<OverrideState> | undefined),
});

function write(
  store: Store,
  request: OverrideRequest,
  body: JsonObject,
  change: (state: OverrideState) => object,
  words?: Readonly<Record<string, string>>,
): number {
  const written = store.append((snapshot) => {
    if (snapshot.condition.locked) throw new Error("Interlock's record is damaged; run: interlock verify");
    const state = overridesOf(snapshot.state as JsonObject);
    const patch = { [overridesId]: { ...state, ...change(state) } as unknown as JsonObject, ...request.patch };
    return {
      type: "override",
      session: request.session,
      body: { ...body, channel: request.channel },
      patch,
      words,
      durable: true,
    };
  });
  return (written!.record satisfies LedgerRecord).seq;
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3600_000 };
export const defaultMs = 10 * 60_000;
const longestMs = 8 * 3600_000;

/** "90s", "10m", "2h", at most eight hours; undefined for anything else. */
export function duration(text: string | undefined): number | undefined {
  if (text === undefined) return defaultMs;
  const [, count, unit] = /^(\d{1,5})([smh])$/.exec(text.trim()) ?? [];
  const ms = count === undefined ? 0 : Number(count) * units[unit!]!;
  return ms > 0 && ms <= longestMs ? ms : undefined;
}
