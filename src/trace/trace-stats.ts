// Counts the lines of the work tree by author, intent, model and folder. Reads only.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { marksInTree, meaning } from "./blame.js";
import type { CommitPlace } from "./finalise.js";
import { NotesStore } from "./notes-store.js";
import { traceFolder } from "./trace-file.js";
import { withGit } from "./trace-git.js";
import { followable, WorkingLog } from "./working-log.js";

export interface LineCount {
  ai: number;
  outside: number;
  unknown: number;
}

export interface TraceStats {
  files: number;
  total: LineCount;
  /** Lines of agents only. */
  intents: Record<string, number>;
  models: Record<string, number>;
  folders: Record<string, LineCount>;
}

const newCount = (): LineCount => ({ ai: 0, outside: 0, unknown: 0 });

/** `wanted`: whether a path counts. The files that hold intents and traces never do. */
export function traceStats(
  place: CommitPlace,
  wanted: (path: string) => boolean,
  progress: (done: number, total: number) => void = () => {},
): Promise<TraceStats> {
  return withGit(place, async (git) => {
    const notes = new NotesStore(git);
    const stats: TraceStats = {
      files: 0,
      total: newCount(),
      intents: Object.create(null),
      models: Object.create(null),
      folders: Object.create(null),
    };
    const known = new Set(new WorkingLog(place.folder, place.root).all().map(({ path }) => path));
    for (const commit of (await notes.list()).keys())
      for (const { path } of (await notes.of(commit))?.files ?? []) known.add(path);
    const listed = await git.text(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
    const paths = (listed?.split("\0") ?? []).filter(
      (path) => path && !path.startsWith(`${traceFolder}/`) && wanted(path),
    );
    for (const [k, path] of paths.entries()) {
      progress(k, paths.length);
      const folder = (stats.folders[path.includes("/") ? path.slice(0, path.indexOf("/")) : "."] ??= newCount());
      if (!known.has(path)) {
        const lines = lineCount(join(place.root, path));
        if (lines === undefined) continue;
        stats.files++;
        stats.total.unknown += lines;
        folder.unknown += lines;
        continue;
      }
      const marked = await marksInTree(git, notes, place, path);
      if (!marked) continue;
      stats.files++;
      for (const mark of marked.marks) {
        const { by, intent = "none", model = "unknown" } = meaning(mark, marked.authors);
        stats.total[by]++;
        folder[by]++;
        if (by !== "ai") continue;
        stats.intents[intent] = (stats.intents[intent] ?? 0) + 1;
        stats.models[model] = (stats.models[model] ?? 0) + 1;
      }
    }
    return stats;
  });
}

function lineCount(path: string): number | undefined {
  try {
    return followable(readFileSync(path, "utf8"))?.length;
  } catch {
    return undefined; // a link to nowhere, or deleted in the work tree
  }
}
