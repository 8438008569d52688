// Which artifacts were produced and verified, by content hash, and what a person cleared for publication.
// Invariant: recorded after the command's own success only; a changed file is another artifact.
import { basename, resolve } from "node:path";
import { after, memory, type StateSpec } from "../../../engine/gate.js";
import { hiding } from "../../../facts/hiding.js";
import { artifactHash, matchCommand } from "../artifact.js";
import type { Options } from "../options.js";

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

export const release = memory<ReleaseState>({
  id: "discipline/artifacts",
  on: after("shell"),
  state: releaseState,
  learn({ event, facts, config, state, now }) {
    const { rules } = (config as unknown as Options).release;
    const { tool, outcome, cwd } = event;
    if (!rules.length || !outcome?.ok || tool!.background) return;
    for (const command of facts.shell?.commands ?? []) {
      if (hiding(tool!.command!, [command.program]) !== "no") continue;
      for (const rule of rules)
        for (const part of ["produced", "verified"] as const)
          for (const pattern of part === "produced" ? rule.producers : rule.verifiers) {
            const file = matchCommand(pattern, command, rule.artifact)?.file;
            const hash = file && artifactHash(resolve(command.cwd ?? cwd, file));
            if (hash) state.update((s) => enter(s, hash, basename(file), part, rule.id, now));
          }
    }
  },
});

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
