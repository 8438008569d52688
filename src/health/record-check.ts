// Doctor's area "record": the head of the ledger. Repairing it is a person's decision: `interlock recover`.
import type { CheckContext } from "./context.js";
import type { HealthFinding } from "./finding.js";

const area = "record";

export function checkRecord({ opened: { store } }: CheckContext): HealthFinding[] {
  try {
    const { condition, seq } = store.read();
    if (condition.ok) return [{ area, ok: true, what: `${seq} records, head checked` }];
    return condition.findings.map(({ level, what, remedy }) => ({
      area,
      ok: false,
      mild: level === "notice" ? true : undefined,
      tampering: level === "tampering" ? true : undefined,
      what,
      fix: remedy ?? 'interlock verify, then interlock recover --reason "..."',
    }));
  } catch (error) {
    const { message, remedy } = error as { message: string; remedy?: string };
    return [{ area, ok: false, what: message, fix: remedy ?? "make Interlock's folder readable and writable" }];
  }
}
