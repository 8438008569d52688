// A hook we run may call Interlock again for the same event: that inner call is answered at once and runs no hooks.
// Invariant: a token counts only if its record is in Interlock's home, has not expired and belongs to a living
// process; a variable alone means nothing.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Event } from "../../../model/event.js";
import { isObject } from "../../../model/json.js";
import { readBoundedText } from "../../../project/bounded-read.js";
import { isAlive } from "../../../project/process-alive.js";

export const reentryVariable = "INTERLOCK_REENTRY";

export function eventDigest({ hostEvent, session, agent, promptId, tool, raw }: Event): string {
  const what = tool ? [tool.id, tool.name, tool.input] : [promptId, raw.prompt, raw.stop_hook_active];
  return createHash("sha256")
    .update(JSON.stringify([hostEvent, session, agent?.id, what]))
    .digest("hex");
}

export interface Reentry {
  id: string;
  close(): void;
}

export function openReentry(home: string, digest: string, expires: number): Reentry {
  const folder = join(home, "reentry");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  sweep(folder);
  const id = randomBytes(16).toString("hex");
  const file = join(folder, id);
  writeFileSync(file, JSON.stringify({ digest, expires, pid: process.pid }), { mode: 0o600, flag: "wx" });
  return { id, close: () => rmSync(file, { force: true }) };
}

/**
 * `same`: the call re-enters the event being judged; answer with nothing.
 * `inside`: another event from inside a hook; judge it without running hooks.
 */
export function reentryOf(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  event: Event,
): "same" | "inside" | undefined {
  const id = env[reentryVariable];
  if (id === undefined || !/^[0-9a-f]{32}$/.test(id)) return undefined;
  const record = readRecord(join(home, "reentry", id));
  if (!record || record.expires < Date.now() || !isAlive(record.pid)) return undefined;
  return record.digest === eventDigest(event) ? "same" : "inside";
}

function readRecord(file: string): { digest: string; expires: number; pid: number } | undefined {
  try {
    const value: unknown = JSON.parse(readBoundedText(file, 1 << 20));
    if (!isObject(value)) return undefined;
    const { digest, expires, pid } = value;
    return typeof digest === "string" && typeof expires === "number" && Number.isSafeInteger(pid)
      ? { digest, expires, pid: pid as number }
      : undefined;
  } catch {
    return undefined; // no record, no token
  }
}

/** Records of processes that were killed. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    const record = readRecord(join(folder, name));
    if (!record || record.expires < Date.now()) rmSync(join(folder, name), { force: true });
  }
}
