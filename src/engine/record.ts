// The body of an event's record.
// Invariant: text is cut here and redacted by the store before it is written; the digest covers the whole input.
import type { Facts } from "../facts/index.js";
import type { Event } from "../model/event.js";
import { hazardName } from "../model/hazards.js";
import { defined, isObject, type Json, type JsonObject } from "../model/json.js";
import { inert } from "../model/text.js";
import type { Judged, Verdict } from "../model/verdict.js";
import type { Judgement } from "./judge.js";
import { unaskedOf } from "./watch/after-check.js";

const maxText = 400;
const maxEffects = 40;

type RecordedVerdict = Pick<Verdict, "id" | "outcome" | "gate" | "text">;

export interface RecordExtras {
  acts: JsonObject[];
  amended: string[];
  ms: number;
  /** Judged after its deadline. */
  late?: boolean;
}

export function bodyOf(
  event: Event,
  facts: Facts,
  judgement: Judgement,
  verdict: Verdict,
  digest: string,
  extras: RecordExtras,
): JsonObject {
  const body: JsonObject = { ...eventBody(event, verdict, digest), ms: extras.ms };
  if (event.kind === "tool.before" && facts.effects.length) {
    body["effects"] = facts.effects.slice(0, maxEffects).map((e) =>
      compact({
        kind: e.kind,
        path: e.path,
        how: e.how,
        program: e.program,
        hazard: e.hazard && hazardName(e.hazard),
      }),
    );
    if (facts.effects.length > maxEffects) body["effectsOmitted"] = facts.effects.length - maxEffects;
  }
  if (facts.observed) body["observed"] = observedBody(facts, judgement);
  if (judgement.opinions.length) body["opinions"] = judgement.opinions.map(opinionBody);
  if (judgement.faults.length) body["faults"] = judgement.faults.map((f) => ({ ...f }));
  if (judgement.used.length) body["overrides"] = judgement.used.map((o) => ({ ...o }));
  if (extras.late) body["late"] = true;
  if (extras.acts.length) body["acts"] = extras.acts;
  if (extras.amended.length) body["amended"] = extras.amended;
  return body;
}

/** The event itself and its verdict. */
export function eventBody(event: Event, verdict: RecordedVerdict, digest: string): JsonObject {
  const body: JsonObject = {
    event: event.kind,
    hostEvent: event.hostEvent,
    digest,
    cwd: event.cwd,
    verdict: compact({ id: verdict.id, outcome: verdict.outcome, gate: verdict.gate, text: verdict.text }),
  };
  if (event.permissionMode) body["permissionMode"] = event.permissionMode;
  // The agent's own log of the session: `verify` checks completeness against it.
  if (event.transcript && (event.kind === "session.start" || event.kind === "prompt"))
    body["transcript"] = cut(event.transcript);
  if (event.promptId) body["promptId"] = event.promptId;
  if (event.tool)
    body["tool"] = compact({
      name: event.tool.name,
      kind: event.tool.kind,
      id: event.tool.id,
      input: short(event.tool.input),
    });
  if (event.prompt)
    body["prompt"] = compact({
      text: cut(event.prompt.text),
      machine: event.prompt.machine,
      source: event.prompt.source,
    });
  if (event.outcome) {
    const { ok, exitCode, interrupted, durationMs, text } = event.outcome;
    body["outcome"] = compact({ ok, exitCode, interrupted, durationMs, text: cut(text) });
  }
  if (event.reason) body["reason"] = cut(event.reason);
  if (event.config) body["config"] = compact({ ...event.config });
  return body;
}

export function opinionBody({ gate, mode, opinion, lifted }: Judged): JsonObject {
  return compact({
    gate,
    mode,
    kind: opinion.kind,
    lifted,
    ...(opinion.kind === "deny" || opinion.kind === "ask"
      ? {
          what: inert(opinion.what, maxText),
          why: inert(opinion.why, maxText),
          next: opinion.next && inert(opinion.next, maxText),
          overridable: opinion.kind === "deny" && opinion.overridable === false ? false : undefined,
        }
      : opinion.kind === "note"
        ? { text: inert(opinion.text, maxText), to: opinion.to }
        : { why: opinion.why }),
    data: "data" in opinion ? opinion.data : undefined,
  });
}

/** What changed, which changes gates would have refused, and what the comparison cost. */
function observedBody(facts: Facts, { found }: Judgement): JsonObject {
  const { changes, cost, truncated, head, background, registration } = facts.observed!;
  const most = changes.slice(0, maxEffects);
  return compact({
    changes: most.map((c) => compact({ path: c.path, op: c.op, predicted: c.predicted, shared: c.shared })),
    omitted: changes.length > maxEffects ? changes.length - maxEffects : undefined,
    tampering: found.length
      ? found.slice(0, maxEffects).map((f) => ({ path: f.change.path, op: f.change.op, gate: f.gate }))
      : undefined,
    unasked: unaskedOf(facts) || undefined,
    registration: registration?.map((r) => compact({ ...r })),
    head: head && compact(head),
    background,
    truncated,
    ms: cost.ms,
    files: cost.entries,
  });
}

const cut = (text: string): string =>
  text.length > maxText ? `${text.slice(0, maxText)}… (${text.length} characters)` : text;

/** A payload cut to what a reader needs: long strings, long lists and deep values are counted, not copied. */
function short(value: Json | undefined, depth = 0): Json {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) {
    if (depth > 4) return `(${value.length} items)`;
    const items = value.slice(0, 20).map((item) => short(item, depth + 1));
    return value.length > 20 ? [...items, `(${value.length - 20} more)`] : items;
  }
  if (!isObject(value)) return value ?? null;
  const keys = Object.keys(value);
  if (depth > 4) return `(${keys.length} fields)`;
  const copy: JsonObject = {};
  for (const key of keys.slice(0, 30)) copy[cut(key)] = short(value[key], depth + 1);
  if (keys.length > 30) copy["…"] = keys.length - 30;
  return copy;
}

const compact = (object: Record<string, unknown>): JsonObject => defined(object) as JsonObject;
