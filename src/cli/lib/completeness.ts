// Calls in the record that were allowed and never came back.
// Invariant: the numbers add up to `calls`; our own probes are no calls.
import { probeSession } from "../../facts/probe-session.js";
import type { JsonObject } from "../../model/json.js";
import type { Store } from "../../store/index.js";

export interface Completeness {
  calls: number;
  refused: number;
  ended: number;
  /** Let through without a number of their own, so that nothing tells whether they came back. */
  untracked: number;
  open: { seq: number; tool: string; session: string }[];
  /** Events of any kind that were answered without being judged, or judged without a record of their own. */
  unrecorded: number;
}

export function completeness(store: Store): Completeness {
  const open = new Map<string, { seq: number; tool: string; session: string }>();
  const out: Completeness = { calls: 0, refused: 0, ended: 0, untracked: 0, open: [], unrecorded: 0 };
  for (const { seq, type, body, session = "" } of store.records()) {
    if (type === "unrecorded" && Array.isArray(body["events"])) out.unrecorded += body["events"].length;
    if (type !== "event" || session.startsWith(probeSession)) continue;
    const { event, tool, verdict } = body as { event?: string; tool?: JsonObject; verdict?: JsonObject };
    const id = tool?.["id"] === undefined ? undefined : `${session}\n${tool["id"]}`;
    if (event === "tool.before") {
      if (verdict?.["outcome"] === "deny") out.refused++;
      else if (id === undefined) out.untracked++;
      else open.set(id, { seq, tool: String(tool?.["name"]), session });
    } else if ((event === "tool.after" || event === "tool.failed") && id !== undefined && open.delete(id)) out.ended++;
  }
  out.open = [...open.values()];
  out.calls = out.refused + out.ended + out.untracked + out.open.length;
  return out;
}
