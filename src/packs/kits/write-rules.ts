// Which files a phase lets a call write, judged on the effects of any tool and on canonical paths.
// Invariant: a path is judged below the project's root with links resolved; what can't be resolved counts as locked.
import { join } from "node:path";
import { belowRoot, scratch } from "../../facts/changes.js";
import type { Facts } from "../../facts/index.js";
import { type Effect, isPathEffect, type PathEffect } from "../../model/effect.js";
import { hashFile } from "../../project/file-hash.js";
import { compileGlob, matchCompiled } from "../../project/globs.js";
import { isStreamPath } from "../../shell/analyze/paths.js";
import type { KitOptions, PlaceName } from "./kit-options.js";
import { snapshotOf, walkFiles } from "./locked-files.js";
import type { ActivePhase } from "./phase-memory.js";

/** Of runs and requests the agent writes only its run's artifacts: the rest is Interlock's. */
const ownRecords = ["runs/**", "interop/**"].map(compileGlob);

export interface RefusedWrite {
  /** As the call names it. */
  shown: string;
  kind: "write" | "delete";
  why: string;
  next: string;
}

/** Whether the phase lets this path, relative to the project, be written. */
export function mayWrite(below: string, phase: ActivePhase, options: KitOptions): boolean {
  const inside = (names: readonly PlaceName[]) => names.some((name) => matchCompiled(options.places[name], below));
  const { rules, record } = phase;
  if (record && matchCompiled(ownRecords, below)) return below.startsWith(`runs/${record.run}/artifacts/`);
  if (rules.earlierResults && inside(["results"]) && !isOwnResult(below, phase.results)) return false;
  // A test run writes the snapshots it misses; those that are there stay.
  if (phase.kit === "tdd" && record?.snapshot && inside(["testSnapshots"]))
    if (!Object.hasOwn(snapshotOf(record.snapshot).files, below)) return true;
  if (rules.locked && inside(rules.locked)) return false;
  if (!rules.writable || phase.inherited) return true;
  return inside(rules.writable) || matchCompiled(options.outputs, below);
}

const isOwnResult = (below: string, own: string | undefined): boolean =>
  own !== undefined && (below === own || below.startsWith(`${own}/`));

/** Whether a run that this one asked for made the file as it is now, in a place that is not locked. */
export function isMadeBelow(root: string, below: string, phase: ActivePhase, options: KitOptions): boolean {
  const made = phase.record?.made;
  if (!made || !Object.hasOwn(made, below) || !mayWrite(below, { ...phase, inherited: true }, options)) return false;
  return hashFile(join(root, below)) === made[below];
}

/** The first write or delete of the call that the phase refuses. */
export function refusedWrite(facts: Facts, phase: ActivePhase, options: KitOptions): RefusedWrite | undefined {
  for (const effect of [...facts.effects, ...movedAway(facts)]) {
    if (!isPathEffect(effect)) continue;
    const found = refusedEffect(effect, facts, phase, options);
    if (found) return found;
  }
  return undefined;
}

/** What an MCP server's mover takes away: its effects name only where the file goes. */
function movedAway({ event, arguments: given }: Facts): Effect[] {
  const { tool } = event;
  if (tool?.kind !== "mcp" || !/(?:^|_)(?:move|rename|mv)/i.test(tool.mcp?.tool ?? tool.name)) return [];
  return given
    .filter(({ key }) => /^(?:source|src|from|old)/i.test(key))
    .map(({ key, path, given: word }) => ({
      kind: "delete",
      path,
      word,
      program: tool.name,
      reason: `it moves ${key}`,
    }));
}

function refusedEffect(
  effect: PathEffect,
  facts: Facts,
  phase: ActivePhase,
  options: KitOptions,
): RefusedWrite | undefined {
  // A second name for a locked file is a way to write it.
  const kind = effect.kind === "read" ? (effect.how === "link" ? "write" : undefined) : effect.kind;
  if (!kind) return undefined;
  const refuse = (shown: string): RefusedWrite => ({ shown, kind, why: phase.rules.why, next: phase.rules.next });
  const root = facts.world.project.root;
  if (effect.path === undefined) {
    if (effect.program !== undefined && facts.event.tool?.kind === "mcp") return undefined;
    if (effect.within !== undefined && belowRoot(root, effect.within) === undefined) return undefined;
    return {
      shown: effect.word ?? "a path that can't be known",
      kind,
      why: "which file that is can't be known, and this phase locks files",
      next: "write the path out, or use Write and Edit",
    };
  }
  const path = effect.glob ? effect.path : facts.canonical(effect.path).path;
  if (isStreamPath(path)) return undefined;
  const below = belowRoot(root, path);
  const broad = effect.glob === true || effect.recursive === true;
  if (below === undefined) {
    // A folder above the project, taken as a whole, takes the project with it.
    if (!broad || !root.startsWith(`${path}/`)) return undefined;
    return scratch({ kind, path, shown: path, reason: "" }, facts.world.userHome) ? undefined : refuse(path);
  }
  if (!broad) return mayWrite(below, phase, options) ? undefined : refuse(below);
  const hit = broadHit(below, effect, facts, phase, options);
  return hit === undefined ? undefined : refuse(hit);
}

/** What of a folder or pattern may not be written: a file that is there, or the folder where nothing new may go. */
function broadHit(
  below: string,
  effect: PathEffect,
  facts: Facts,
  phase: ActivePhase,
  options: KitOptions,
): string | undefined {
  const { root } = facts.world.project;
  const isGlob = isPattern(effect, below);
  const covers = coverTest(below, effect);
  if (!isGlob && matchCompiled(options.outputs, `${below}/.`)) return undefined;
  const known = phase.record?.snapshot && snapshotOf(phase.record.snapshot);
  const files = known ? Object.keys(known.files) : walkFiles(root, options.outputs).files;
  const hit = files.find((file) => covers(file) && !mayWrite(file, phase, options));
  if (hit !== undefined) return hit;
  if (isGlob || below === ".") return undefined;
  return mayWrite(`${below}/.`, phase, options) ? undefined : below;
}

/** Which files below the project a folder or pattern takes in. */
export function coverTest(below: string, effect: PathEffect): (file: string) => boolean {
  if (below === ".") return () => true;
  if (!isPattern(effect, below)) return (file) => file === below || file.startsWith(`${below}/`);
  const globs = [below, ...(effect.recursive ? [`${below}/**`] : [])].map(compileGlob);
  return (file) => matchCompiled(globs, file);
}

/** An unpacked archive is a pattern without one: anything below the folder. */
const isPattern = (effect: PathEffect, below: string): boolean => effect.glob === true && /[*?[{]/.test(below);
