// Looks at the work tree that were cut short: calls whose changes were not seen, or not all of them.
import { isObject, type JsonObject } from "../model/json.js";
import type { LedgerRecord } from "../store/index.js";
import type { CheckContext } from "./context.js";
import { recentRecords } from "./coverage.js";
import type { HealthFinding } from "./finding.js";

export interface CutLook {
  id: string;
  /** Where it was cut: "more than 25000 entries", "git did not answer within 5000 ms". */
  why: string;
  time: string;
}

/** Of one record; undefined if nothing was looked at, or all of it. */
export function cutLookOf({ body, time }: LedgerRecord): CutLook | undefined {
  const { observed, verdict } = body as JsonObject;
  if (!isObject(observed) || typeof observed["truncated"] !== "string") return undefined;
  return { id: isObject(verdict) ? String(verdict["id"]) : "", why: observed["truncated"], time };
}

export function checkLooks({ opened: { store } }: CheckContext): HealthFinding[] {
  try {
    const from = Math.max(1, store.read().seq - recentRecords);
    const cut = [...store.records({ from })].flatMap((record) => cutLookOf(record) ?? []);
    const last = cut.at(-1);
    if (!last) return [];
    const calls = cut.length === 1 ? "1 call" : `${cut.length} calls`;
    const what = `the look at the work tree was cut for ${calls}, last for ${last.id}: ${last.why}`;
    const fix = "ignore generated files in .gitignore, or set core.untrackedCache; interlock why names what was seen";
    return [{ area: "record", ok: false, mild: true, what, fix }];
  } catch {
    return []; // the record itself can't be read: reported by its own check
  }
}
