// What every source of a report gets, and what it gives.
import type { JsonRequest } from "./fetch-json.js";
import type { Keys } from "./keys.js";
import type { ReportConfig } from "./report-config.js";
import type { ReportBlock } from "./section.js";

export interface SourceContext {
  config: ReportConfig;
  keys: Keys;
  now: Date;
  /** Time limits and the signal that ends the source's requests. */
  request: Pick<JsonRequest, "signal" | "connectMs" | "wholeMs">;
}

export interface Part {
  blocks: ReportBlock[];
  /** Parts of the source that failed, a sentence each. */
  problems?: string[];
}

/** Undefined: the source is not configured. A throw: it is not available, and the message says why. */
export type ReportSource = (context: SourceContext) => Promise<Part | undefined>;

export const usd = (cents: number): string => (cents / 100).toFixed(2);

/** Asks for several things at once; what fails becomes a sentence, the rest stays. */
export async function askEach<T, R>(
  items: readonly T[],
  name: (item: T) => string,
  ask: (item: T) => Promise<R>,
): Promise<{ found: R[]; problems: string[] }> {
  const found: R[] = [];
  const problems: string[] = [];
  const settled = await Promise.allSettled(items.map(ask));
  settled.forEach((one, i) => {
    if (one.status === "fulfilled") found.push(one.value);
    else problems.push(`${name(items[i]!)}: ${one.reason instanceof Error ? one.reason.message : String(one.reason)}`);
  });
  return { found, problems };
}
