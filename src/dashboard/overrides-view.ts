// Asks and overrides: what waits for a person, what is open, what a page may ask for.
// Invariant: a page only asks. The rules are those of `interlock allow`; the grant is made and recorded at a terminal.
import { liftable, overridesOf } from "../engine/overrides/grant.js";
import { asString, type Json, type JsonObject } from "../model/json.js";
import type { DashboardSource } from "./dashboard-source.js";
import type { OverrideWish } from "./override-wishes.js";
import type { PageWorld } from "./page-views.js";
import { isSession } from "./sessions-view.js";

export interface Overrides {
  /** A terminal is listening for what pages ask. */
  terminal: boolean;
  /** Nothing can be asked for: a ledger file. */
  file: boolean;
  wishes: OverrideWish[];
  open: { verdict: string; until: number; by: string; reason: string }[];
  pause: { until: number; by: string; reason: string } | null;
  /** Calls the agent's own dialog waits for. */
  asks: { seq: number; session: string; tool: string; what: string; at: number }[];
}

const terminalMs = 4_000;
const askMs = 30 * 60_000;

export function overridesView(source: DashboardSource, _: URLSearchParams, { wishes }: PageWorld): Overrides {
  const { open, pause } = overridesOf(source.state());
  const now = Date.now();
  return {
    terminal: now - wishes.lastTerminal < terminalMs,
    file: source.opened === undefined,
    wishes: [...wishes.of(source.key)].reverse(),
    open: open
      .filter((o) => o.expires > now)
      .map(({ verdict, expires, by, reason }) => ({ verdict, until: expires, by, reason })),
    pause: pause && pause.until > now ? { until: pause.until, by: pause.by, reason: pause.reason } : null,
    asks: waitingAsks(source, now),
  };
}

function waitingAsks({ index }: DashboardSource, now: number): Overrides["asks"] {
  const asks: Overrides["asks"] = [];
  for (let i = index.rows.length - 1; i >= 0 && now - index.rows[i]!.at < askMs && asks.length < 10; i--) {
    const { mark, session, toolId, seq, tool, what, at } = index.rows[i]!;
    if (mark !== "ask" || !isSession(session) || index.ends.has(`${session}\n${toolId}`)) continue;
    asks.push({ seq, session, tool, what, at });
  }
  return asks;
}

/** Checks what `interlock allow` would check; then it waits for a person. */
export function askForOverride(source: DashboardSource, body: JsonObject, { wishes }: PageWorld): Json {
  const verdict = asString(body["verdict"]) ?? "";
  const reason = (asString(body["reason"]) ?? "").trim();
  const no = (why: string) => ({ asked: false, why });
  if (!source.opened) return no("a ledger file is looked at: there is nothing to allow");
  if (!reason) return no("a reason is needed: it goes in the record");
  const request = { reason, by: "", channel: "terminal", ms: 0, now: Date.now() } as const;
  const found = liftable(source.opened.store, verdict, request);
  if (!found.ok) return no(found.why);
  const { what, override } = found;
  const wish = wishes.add({ key: source.key, verdict, reason, what, gates: override.gates });
  return { asked: true, id: wish.id };
}
