// The latest part of the record, counted for `status`.
// Invariant: reads a bounded tail, never the whole ledger.

import { probeSession } from "../../facts/probe-session.js";
import { recentRecords } from "../../health/coverage.js";
import { type CutLook, cutLookOf } from "../../health/cut-looks.js";
import type { JsonObject } from "../../model/json.js";
import type { LedgerRecord, Store } from "../../store/index.js";

export interface RecentDigest {
  records: number;
  /** Events of the agent; probes of ours are no such events. */
  events: number;
  last?: { time: string; hostEvent: string; session?: string };
  /** By host event: when it last fired and in which session. */
  fired: Record<string, { time: string; session?: string }>;
  blocks: { id: string; gate: string; what: string; time: string }[];
  byGate: Record<string, { refused: number; would: number; lifted: number }>;
  faults: { gate: string; message: string; time: string }[];
  /** Looks at the work tree that were cut short. */
  cut: CutLook[];
}

export function recentDigest(store: Store, head: number): RecentDigest {
  const out: RecentDigest = { records: head, events: 0, fired: {}, blocks: [], byGate: {}, faults: [], cut: [] };
  for (const record of store.records({ from: Math.max(1, head - recentRecords) }))
    if (record.session?.startsWith(probeSession)) continue;
    else if (record.type === "event") count(out, record);
    else if (record.type === "fault") faults(out, record);
  return out;
}

function count(out: RecentDigest, record: LedgerRecord): void {
  const body = record.body as JsonObject;
  const hostEvent = String(body["hostEvent"]);
  const time = record.time;
  out.events++;
  out.last = { time, hostEvent, session: record.session };
  out.fired[hostEvent] = { time, session: record.session };
  faults(out, record);
  const cut = cutLookOf(record);
  if (cut) out.cut.push(cut);
  for (const o of (body["opinions"] as JsonObject[] | undefined) ?? []) {
    if (o["kind"] !== "deny" && o["kind"] !== "ask") continue;
    const gate = String(o["gate"]);
    const row = (out.byGate[gate] ??= { refused: 0, would: 0, lifted: 0 });
    if (o["lifted"]) row.lifted++;
    else if (o["mode"] !== "enforce") row.would++;
    else if ((body["verdict"] as JsonObject)["gate"] === gate) {
      row.refused++;
      out.blocks.push({ id: String((body["verdict"] as JsonObject)["id"]), gate, what: String(o["what"] ?? ""), time });
    }
  }
}

function faults(out: RecentDigest, { body, time }: LedgerRecord): void {
  for (const f of ((body as JsonObject)["faults"] as JsonObject[] | undefined) ?? [])
    out.faults.push({ gate: String(f["gate"]), message: String(f["message"]), time });
}
