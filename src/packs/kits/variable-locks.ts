// Locked files of a phase that only a variable names: hashed at the session's first event, compared after its calls.
// Invariant: kept in the session's signed state; each change is told once; only the first files are watched.
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { after, at, before, failed, memory } from "../../model/gate.js";
import { sha256 } from "../../model/sha256.js";
import { hashFile, statKey } from "../../project/file-hash.js";
import type { KitOptions } from "./kit-options.js";
import { walkFiles } from "./locked-files.js";
import { type ActivePhase, activePhases } from "./phase-memory.js";
import { mayWrite } from "./write-rules.js";

/** A session's state is read with every event: it must stay small. */
const mostWatched = 300;
const mostBytes = 4 << 20;

interface WatchedPhase {
  /** Path below the project -> stat key and hash, both cut. */
  files: Record<string, string>;
  /** Changes found by the newest event that found any. */
  found?: { at: number; paths: string[] };
}

export interface VariableLocks {
  phases: Record<string, WatchedPhase>;
}

const callKinds = ["shell", "script", "mcp", "unknown"] as const;

export const variableLocks = memory<VariableLocks>({
  id: "kits/variable-locks",
  on: [...at("session.start"), ...before(), ...after(...callKinds), ...failed(...callKinds)],
  state: { scope: "session", initial: { phases: {} } },
  learn({ event, state, config, project, now, recall }) {
    const options = config as unknown as KitOptions;
    for (const phase of activePhases(event, recall)) {
      if (phase.record) continue;
      const name = phaseName(phase);
      const known = state.value.phases[name];
      const next = known ? compared(project.root, known, now) : { files: hashes(project.root, phase, options) };
      const isOver = event.kind === "tool.after" || event.kind === "tool.failed";
      if (next && (!known || isOver)) state.replace({ phases: { ...state.value.phases, [name]: next } });
    }
  },
});

const phaseName = ({ kit, phase }: ActivePhase): string => `${kit} ${phase}`;

/** What this event found changed since the session began, told once. */
export function foundChanged(locks: Readonly<VariableLocks>, phase: ActivePhase, now: number): readonly string[] {
  const found = locks.phases[phaseName(phase)]?.found;
  return found?.at === now ? found.paths : [];
}

function hashes(root: string, phase: ActivePhase, options: KitOptions): Record<string, string> {
  const locked = walkFiles(root, options.outputs).files.filter((below) => !mayWrite(below, phase, options));
  return Object.fromEntries(locked.slice(0, mostWatched).map((below) => [below, markOf(join(root, below))]));
}

/** The same watch with the new content of what changed; undefined when nothing did. */
function compared(root: string, known: WatchedPhase, now: number): WatchedPhase | undefined {
  const files: Record<string, string> = {};
  const paths: string[] = [];
  for (const [below, mark] of Object.entries(known.files)) {
    if (keyOf(join(root, below)) === mark.split(" ")[0]) continue;
    const next = markOf(join(root, below));
    files[below] = next;
    if (next.split(" ")[1] !== mark.split(" ")[1]) paths.push(below);
  }
  if (!Object.keys(files).length) return undefined;
  return {
    files: { ...known.files, ...files },
    ...(paths.length && { found: { at: now, paths: paths.slice(0, 20) } }),
  };
}

function keyOf(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? sha256(statKey(stat)).slice(0, 12) : "gone";
}

const markOf = (path: string): string => `${keyOf(path)} ${hashFile(path, mostBytes)?.slice(0, 16) ?? "none"}`;
