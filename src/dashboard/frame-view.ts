// What every page shows around itself: which record, how long it is, whether it is live.
import type { DashboardSource } from "./dashboard-source.js";

export interface Frame {
  /** The last part of the path, and all of it. */
  label: string;
  place: string;
  /** A ledger file is looked at, not a project: it has no work tree and nothing can be allowed. */
  file: boolean;
  records: number;
  damaged: number;
  newest: number | null;
}

export const frameView = ({ label, opened, index }: DashboardSource): Frame => ({
  label: label.split(/[\\/]/).filter(Boolean).at(-1) ?? label,
  place: label,
  file: opened === undefined,
  records: index.rows.length,
  damaged: index.damaged,
  newest: index.rows.at(-1)?.at ?? null,
});
