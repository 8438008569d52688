// Compares the tree after a call with the snapshot taken before it: what differs is what the call really did.
// Invariant: one snapshot file per open call in Interlock's own folder, bounded in size and time. A call that is not
// watched has no observation, never an empty one.
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Facts } from "../../facts/index.js";
import { explains, type Observed } from "../../facts/observed-changes.js";
import type { Event } from "../../model/event.js";
import type { JsonObject } from "../../model/json.js";
import { keepSnapshot, keptSnapshot } from "../../project/snapshot-file.js";
import { compareSnapshots, type TreeChange } from "../../project/tree-changes.js";
import type { ProtectedFile, TreeSnapshot } from "../../project/tree-snapshot.js";
import { lookAtTree } from "../../project/tree-watch.js";
import { backgroundFile, keptFile, watchFile, watchFolder } from "../../project/watch-folder.js";
import type { CallState } from "./open-calls.js";

const keptMost = 20;

export interface TreeObservation {
  observed: Observed;
  /** The tree before the call: what can be restored. */
  before: TreeSnapshot;
}

/** After the call, or later for one in the background; undefined where nothing was watched. */
export async function endWatch(
  folder: string,
  facts: Facts,
  calls: CallState | undefined,
): Promise<TreeObservation | undefined> {
  const { event } = facts;
  const ends = event.kind === "tool.after" || event.kind === "tool.failed";
  const own = ends ? keptSnapshot(watchFile(folder, event.session, event.tool?.id ?? "")) : undefined;
  const running = keptSnapshot(backgroundFile(folder, event.session));
  const before = own ?? running;
  if (!before) return undefined;
  const now = await lookAtTree(
    before.root,
    { protectedFiles: facts.protected.existing(), program: facts.protected.program() },
    { like: before },
  );
  if (running || (own && event.tool?.background)) keepRunning(folder, event, now);
  const { changes, head, truncated } = compareSnapshots(before, now);
  const others = calls ? otherPaths(calls, event) : { paths: [], busy: 0 };
  const busy = others.busy > 0 || (own !== undefined && running !== undefined);
  const observed: Observed = {
    changes: changes
      .filter((c) => !others.paths.includes(c.path))
      .map((change) => {
        // Other permissions explain no other content.
        const may = facts.effects.filter((e) => e.how !== "mode" || change.op === "mode");
        const how = own ? may.map((e) => explains(e, change.path)) : [];
        if (how.includes("named")) return { ...change, predicted: true, named: true };
        return {
          ...change,
          ...(how.includes("covered") && { predicted: true as const }),
          ...((busy || ordinary(change, facts, before, now)) && { shared: true as const }),
        };
      }),
    cost: { ms: before.cost.ms + now.cost.ms, entries: now.cost.entries },
    ...(head && { head }),
    ...(truncated && { truncated }),
    ...(!own && { background: true as const }),
  };
  return { observed, before };
}

/**
 * Changes that mean nothing: permissions the user just gave, JSON that was only laid out anew, the samples and the
 * tracking of branches that git keeps.
 */
function ordinary({ path }: TreeChange, facts: Facts, before: TreeSnapshot, now: TreeSnapshot): boolean {
  if (path.endsWith(".json") && (before.protected[path] || now.protected[path]))
    return meaningOf(path, before.protected[path]) === meaningOf(path, now.protected[path]);
  if (!(facts.shell?.commands.some((c) => c.program === "git") ?? false)) return false;
  return /[\\/]\.git[\\/](?:config|hooks[\\/][^\\/]*\.sample)$/.test(path);
}

/** A protected file of JSON without its layout; of Claude Code's settings without the permissions. */
function meaningOf(path: string, file: ProtectedFile | undefined): string {
  const settings = /[\\/]\.claude[\\/]settings[^\\/]*\.json$/.test(path);
  if (!file) return settings ? "{}" : "none";
  if (!file.copy) return `not kept: ${file.hash}`;
  try {
    const value = JSON.parse(Buffer.from(file.copy, "base64").toString("utf8")) as JsonObject;
    if (!settings) return JSON.stringify(value);
    const { permissions: _, ...rest } = value;
    return JSON.stringify(rest);
  } catch {
    return `not JSON: ${file.hash}`;
  }
}

/** Files that calls of file tools wrote meanwhile, and how many other calls were open. */
function otherPaths(calls: CallState, event: Event): { paths: string[]; busy: number } {
  const own = event.tool?.id;
  const open = Object.entries(calls.open).filter(([key]) => key !== `c:${own}`);
  const since = calls.open[`c:${own}`]?.at ?? 0;
  const recent = (calls.recent ?? []).filter((c) => c.to >= since);
  const paths = [...open.flatMap(([, c]) => c.paths ?? []), ...recent.flatMap((c) => c.paths)];
  return { paths, busy: open.filter(([, c]) => !c.paths).length };
}

function keepRunning(folder: string, event: Event, now: TreeSnapshot): void {
  const file = backgroundFile(folder, event.session);
  if (event.kind === "turn.end" && event.turn?.backgroundTasks === 0) rmSync(file, { force: true });
  else keepSnapshot(file, now);
}

/** Keeps the snapshot where something was found, so that a person can restore it; removes it otherwise. */
export function closeWatch(folder: string, event: Event, before: TreeSnapshot, tampered: string | undefined): void {
  if (tampered) {
    keepSnapshot(keptFile(folder, tampered), before);
    prune(join(folder, "kept"));
  }
  rmSync(watchFile(folder, event.session, event.tool?.id ?? ""), { force: true });
}

/** Removes the snapshots of calls that never ended: of this session when it ends, of any after a day. */
export function sweepWatches(folder: string, event: Event, now: number): void {
  if (event.kind === "session.end") rmSync(watchFolder(folder, event.session), { recursive: true, force: true });
  for (const name of namesIn(join(folder, "watch"))) {
    const path = join(folder, "watch", name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > 24 * 3600_000) rmSync(path, { recursive: true, force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nothing was ever watched here
  }
}

function prune(folder: string): void {
  const files = readdirSync(folder).map((name) => join(folder, name));
  if (files.length <= keptMost) return;
  files.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  for (const old of files.slice(0, -keptMost)) rmSync(old, { force: true });
}
