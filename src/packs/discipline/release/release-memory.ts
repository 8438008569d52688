// Which artifacts were produced and verified, by content hash, and what a person cleared for publication.
// Invariant: recorded only after the command's own success; a changed file is another artifact.
import { basename, resolve } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { after, memory, type StateSpec } from "../../../model/gate.js";
import type { Ran } from "../../../shell/analyze/analysis.js";
import { succeededCommands } from "../command-success.js";
import type { DisciplineOptions, ReleaseRule } from "../discipline-options.js";
import { matchesName } from "../name-patterns.js";
import { workMemory } from "../verification/work-memory.js";
import { artifactHash } from "./artifact.js";
import { matchCommand } from "./command-pattern.js";

export interface ArtifactRecord {
  name: string;
  at: number;
  /** Ids of rules whose producer, and whose verifier, handled this content. */
  produced: string[];
  verified: string[];
}

export interface ReleaseState {
  artifacts: Record<string, ArtifactRecord>;
  clearances: { rule: string; commit: string; until: number; by: string }[];
}

export const releaseState: StateSpec<ReleaseState> = { scope: "project", initial: { artifacts: {}, clearances: [] } };
const kept = 60;

export const releaseMemory = memory<ReleaseState>({
  id: "discipline/artifacts",
  on: after("shell"),
  state: releaseState,
  learn({ event, facts, config, state, now, recall, project }) {
    const { rules } = (config as unknown as DisciplineOptions).release;
    if (!rules.length) return;
    // A program the agent wrote in this session may have any name; it proves nothing.
    const own = (path: string | undefined) =>
      recall(workMemory).files.includes(path ? (belowRoot(project.root, path) ?? "") : "");
    for (const command of succeededCommands(facts).filter((c) => !own(c.path)))
      for (const rule of rules)
        for (const part of ["produced", "verified"] as const)
          for (const pattern of part === "produced" ? rule.producers : rule.verifiers)
            for (const file of handled(pattern, command, rule, facts)) {
              const hash = artifactHash(resolve(command.cwd ?? event.cwd, file));
              if (hash) state.update((s) => enter(s, hash, basename(file), part, rule.id, now));
            }
  },
});

/** The artifact a command names; if its pattern names none, the files created while it ran. */
function handled(pattern: string, command: Ran, { artifact }: ReleaseRule, facts: Facts): string[] {
  const bound = matchCommand(pattern, command, { artifact });
  if (!bound) return [];
  if (pattern.includes("{file}")) return bound.file === undefined ? [] : [bound.file];
  const made = facts.observed?.changes.filter((c) => c.op !== "deleted" && !c.shared).map((c) => c.path) ?? [];
  return made.filter((path) => matchesName(artifact, basename(path)));
}

function enter(
  s: ReleaseState,
  hash: string,
  name: string,
  part: "produced" | "verified",
  rule: string,
  now: number,
): void {
  const record = (s.artifacts[hash] ??= { name, at: now, produced: [], verified: [] });
  record.at = now;
  record[part] = [...new Set([...record[part], rule])];
  const old = Object.entries(s.artifacts).sort((a, b) => b[1].at - a[1].at);
  for (const [key] of old.slice(kept)) delete s.artifacts[key];
}
