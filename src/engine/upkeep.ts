// What is tidied once an answer is on its way: closed segments, looks of calls that never ended, what is kept too long.
// Invariant: never fails the call it follows; what could not be done is tried again with a later one.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { standardRetention } from "../model/config.js";
import type { Event } from "../model/event.js";
import type { EngineWorld } from "./engine-world.js";
import { retentionDue } from "./retention-due.js";

export async function upkeep(event: Event, world: EngineWorld, folder: string): Promise<void> {
  const now = (world.wallClock ?? Date.now)();
  const starts = event.kind === "session.start";
  const ends = event.kind === "session.end";
  if (existsSync(join(world.store.place.home, "unrecorded")))
    await attempt(async () => (await import("./record-notes.js")).recordNotes(world.store, world.project.root));
  // One closed segment at most: the answer is given, but the next event may wait.
  if (starts || ends || event.kind === "turn.end") await attempt(() => world.store.compact(1));
  if ((starts || ends) && existsSync(join(folder, "watch")))
    await attempt(async () => (await import("./watch/tree-look.js")).sweepWatches(folder, event, now));
  if (starts) await attempt(() => keepToRetention(world, folder, now));
}

async function attempt(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // with a later event; `interlock doctor` and `interlock compact` say what is wrong
  }
}

/** Erases what is old, at most once a day. */
async function keepToRetention({ store, project, config }: EngineWorld, folder: string, now: number): Promise<void> {
  if (!retentionDue(folder, now)) return;
  const erasing = await import("./erase-everywhere.js");
  const retention = { ...standardRetention, ...config.retention };
  erasing.keepToRetention({ store, folder, root: project.root }, retention, now);
}
