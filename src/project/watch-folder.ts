// Where snapshots are kept between the hooks before and after a call. Names only: loads nothing.
import { createHash } from "node:crypto";
import { join } from "node:path";

const recent = new Map<string, string>();

/** The same few sessions and calls are asked about again and again. */
function short(text: string): string {
  const known = recent.get(text);
  if (known) return known;
  const made = createHash("sha256").update(text).digest("hex").slice(0, 16);
  if (recent.size >= 64) recent.clear();
  recent.set(text, made);
  return made;
}

/** `folder` is Interlock's own for the project. */
export const watchFolder = (folder: string, session: string): string => join(folder, "watch", short(session));
export const watchFile = (folder: string, session: string, call: string): string =>
  join(watchFolder(folder, session), `${short(call)}.json`);
export const backgroundFile = (folder: string, session: string): string =>
  join(watchFolder(folder, session), "background.json");
/** What can be restored of the changes a verdict reported. */
export const keptFile = (folder: string, verdict: string): string => join(folder, "kept", `${verdict}.json`);
