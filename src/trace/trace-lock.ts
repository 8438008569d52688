// One writer at a time for everything that traces of one project write: working logs, notes, agent_trace.jsonl.
import { join } from "node:path";
import { realIo } from "../store/io.js";
import { takeLock } from "../store/lock/lock.js";
import { systemClock } from "../store/record-clock.js";

const waitMs = 10_000;

/** `folder`: Interlock's folder of the project, which all its work trees share. */
export async function withTraceLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = takeLock(realIo, join(folder, "trace"), systemClock, waitMs);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
