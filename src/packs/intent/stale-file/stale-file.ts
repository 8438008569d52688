// Optimistic locking: a file that changed since this agent last saw it is not overwritten.
// Invariant: needs nothing from the agent; reading the file again always opens the gate.
import { before, gate } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { deny } from "../../../model/verdict.js";
import { hashFile } from "../../../project/file-hash.js";
import { mutationOf } from "../call-targets.js";
import type { IntentOptions } from "../intent-options.js";
import { agentName, changedSince, seenFilesMemory } from "./seen-files.js";

export const staleFile = gate<undefined, IntentOptions>({
  id: "intent/stale-file",
  title: "A file that changed since it was read is read again first",
  about:
    "Remembers the content of files that an agent read or wrote. Refuses to write or delete one of them by name if " +
    "it holds something else now: another agent, another session or the user changed it, or it is gone.",
  remedy: "Read the file again, then repeat the change.",
  window: "what was seen is kept for the session, at most 300 files",
  reset: "reading the file again",
  on: before("write", "edit", "notebook", "shell", "mcp", "unknown"),
  onError: "pass",
  judge({ facts, event, recall }) {
    const targets = mutationOf(facts)?.targets.filter((t) => !t.broad && t.below !== undefined) ?? [];
    if (!targets.length) return;
    const { files } = recall(seenFilesMemory);
    const agent = agentName(event);
    for (const { path, below } of targets) {
      const seen = Object.hasOwn(files, path) ? files[path]![agent] : undefined;
      const given = event.tool!.input["expected_content_hash"];
      const now =
        seen !== undefined
          ? changedSince(path, seen)
          : typeof given === "string" && given
            ? differsFrom(path, given)
            : undefined;
      if (now === undefined) continue;
      return deny({
        what: `${event.tool!.name} ${inert(below!, 110)}`,
        why: `STALE_FILE: it ${now === "DELETED" ? "is gone" : "was changed"} since you read it`,
        next:
          now === "DELETED" ? "look what happened to it, then write it anew" : "read it again, then repeat the change",
        data: {
          error_type: "STALE_FILE",
          file_path: below!,
          expected_hash: seen?.sha256 ?? String(given),
          actual_hash: now,
          resolution: "RE_READ_REQUIRED",
          recoverable: true,
        },
      });
    }
    return;
  },
});

/** A hash that the caller gives itself. */
function differsFrom(path: string, given: string): string | undefined {
  const now = hashFile(path) ?? "DELETED";
  return now === given.replace(/^sha256:/i, "").toLowerCase() ? undefined : now;
}
