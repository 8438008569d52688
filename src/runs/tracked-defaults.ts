// What each kit's manifest tracks and calls its truth, unless told otherwise. Data; globs are relative to the project.

import type { KitName } from "./actions.js";

export interface TrackedPaths {
  /** The files that say what is true for this kit. */
  truth: readonly string[];
  /** Indexed with size and hash at the end of a phase. */
  tracked: readonly string[];
}

export const trackedDefaults: Readonly<Record<KitName, TrackedPaths>> = {
  tdd: {
    truth: ["PRD.md", "LAST_TOUCH.md", "docs/**", "tests/**"],
    tracked: ["docs/**", "src/**", "tests/**", "PRD.md", "LAST_TOUCH.md"],
  },
  research: {
    truth: ["QUESTIONS.md", "experiments/**", "results/**/metrics.*", "analysis.md", "SYNTHESIS.md", "RESEARCH_LOG.md"],
    tracked: ["experiments/**", "results/**", "analysis.md", "SYNTHESIS.md", "RESEARCH_LOG.md", "handoffs/**"],
  },
  math: {
    truth: ["specs/**", "CONSTRUCTIONS.md", "CONSTRUCTION_LOG.md", "REVISION.md", "results/**"],
    tracked: ["specs/**", "**/*.lean", "CONSTRUCTION_LOG.md", "REVISION.md", "CONSTRUCTIONS.md", "results/**"],
  },
};

/** Never walked, whatever a glob says: not the project's own work, or ours. */
export const untrackedFolders: readonly string[] = [
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".venv",
  "venv",
  "__pycache__",
  ".lake",
  "_deps",
];
