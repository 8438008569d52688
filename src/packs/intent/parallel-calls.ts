// What file tools of each session left, so that one session is not taken for the author of another's changes.
// Invariant: kept per project and bounded; a file exactly as another session left it is that session's.
import { join } from "node:path";
import type { Event } from "../../model/event.js";
import { after, type Memory, memory } from "../../model/gate.js";
import { hashFile } from "../../project/file-hash.js";
import { mutationOf } from "./call-targets.js";

export interface WrittenState {
  /** By path below the root, oldest first. */
  files: Record<string, { session: string; sha256: string }>;
}

const mostFiles = 100;
const mostBytes = 16 << 20;

export const writtenFiles = memory<WrittenState>({
  id: "intent/written",
  on: after("write", "edit", "notebook"),
  state: { scope: "project", initial: { files: {} } },
  learn({ event, facts, state, project }) {
    const fresh = { ...state.value.files };
    for (const { below } of mutationOf(facts)?.targets ?? []) {
      const sha256 = below === undefined ? undefined : hashFile(join(project.root, below), mostBytes);
      if (below === undefined || !sha256) continue;
      delete fresh[below];
      fresh[below] = { session: event.session, sha256 };
    }
    state.replace({ files: Object.fromEntries(Object.entries(fresh).slice(-mostFiles)) });
  },
});

/** Whether the file is exactly as another session's file tool left it. */
export function leftByOther(
  recall: <T>(memory: Memory<T>) => Readonly<T>,
  { session }: Event,
  root: string,
  below: string,
): boolean {
  const { files } = recall(writtenFiles);
  const written = Object.hasOwn(files, below) ? files[below] : undefined;
  return (
    written !== undefined && written.session !== session && hashFile(join(root, below), mostBytes) === written.sha256
  );
}
