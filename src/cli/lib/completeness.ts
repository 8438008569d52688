// Calls in the record that were allowed and never came back.
import type { JsonObject } from "../../model/json.js";
import type { Store } from "../../store/index.js";

export interface Completeness {
  calls: number;
  refused: number;
  ended: number;
  open: { seq: number; tool: string; session: string }[];
}

export function completeness(store: Store): Completeness {
  const open = new Map<string, { seq: number; tool: string; session: string }>();
  const out: Completeness = { calls: 0, refused: 0, ended: 0, open: [] };
  for (const { seq, type, body, session = "" } of store.records()) {
    if (type !== "event") continue;
    const { event, tool, verdict } = body as { event?: string; tool?: JsonObject; verdict?: JsonObject };
    const id = tool?.["id"] === undefined ? undefined : `${session}\n${tool["id"]}`;
    if (event === "tool.before") {
      out.calls++;
      if (verdict?.["outcome"] === "deny") out.refused++;
      else if (id !== undefined) open.set(id, { seq, tool: String(tool?.["name"]), session });
    } else if ((event === "tool.after" || event === "tool.failed") && id !== undefined && open.delete(id)) out.ended++;
  }
  out.open = [...open.values()];
  return out;
}
