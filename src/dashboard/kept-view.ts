// Views that cost something (git, whole folders) are kept for a while: pages ask again with every live event.
// Invariant: kept at least five seconds and ten times as long as it took, so asking never fills the processor.
import type { DashboardSource } from "./dashboard-source.js";

interface Kept {
  until: number;
  value: Promise<unknown>;
}

const views = new WeakMap<DashboardSource, Map<string, Kept>>();
const mostKept = 20;

export function keptView<T>(source: DashboardSource, name: string, make: () => T | Promise<T>): Promise<T> {
  const mine = views.get(source) ?? new Map<string, Kept>();
  views.set(source, mine);
  const now = performance.now();
  const known = mine.get(name);
  if (known && known.until > now) return known.value as Promise<T>;
  const kept: Kept = { until: Number.POSITIVE_INFINITY, value: Promise.resolve().then(make) };
  const settle = () => {
    const took = performance.now() - now;
    kept.until = performance.now() + Math.max(5_000, 10 * took);
  };
  kept.value.then(settle, () => mine.delete(name)); // the caller reports it; the next one tries again
  const [oldest] = mine.keys();
  if (mine.size >= mostKept && oldest !== undefined) mine.delete(oldest);
  mine.set(name, kept);
  return kept.value as Promise<T>;
}
