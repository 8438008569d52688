// Counts the lines of the work tree by author, intent, model and folder. Reads only.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { orchestrationFolder } from "../model/orchestration.js";
import { marksInTree, meaning } from "./blame.js";
import type { CommitPlace } from "./finalise.js";
import { NotesStore } from "./notes-store.js";
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

/** The lines of one file. */
export interface FileLines {
  path: string;
  total: LineCount;
  intents: Record<string, number>;
  models: Record<string, number>;
}

type Progress = (done: number, total: number) => void;

/** `wanted`: whether a path counts. The files that hold intents and traces never do. */
export async function traceStats(
  place: CommitPlace,
  wanted: (path: string) => boolean,
  progress: Progress = () => {},
): Promise<TraceStats> {
  const stats: TraceStats = {
    files: 0,
    total: newCount(),
    intents: Object.create(null),
    models: Object.create(null),
    folders: Object.create(null),
  };
  const add = ({ path, total, intents, models }: FileLines) => {
    const folder = (stats.folders[path.includes("/") ? path.slice(0, path.indexOf("/")) : "."] ??= newCount());
    stats.files++;
    for (const by of ["ai", "outside", "unknown"] as const) {
      stats.total[by] += total[by];
      folder[by] += total[by];
    }
    for (const [id, lines] of Object.entries(intents)) stats.intents[id] = (stats.intents[id] ?? 0) + lines;
    for (const [name, lines] of Object.entries(models)) stats.models[name] = (stats.models[name] ?? 0) + lines;
  };
  await eachTracedFile(place, wanted, add, progress);
  return stats;
}

/** Tells the lines of each file of the work tree that holds text, in the order git lists them. */
export function eachTracedFile(
  place: CommitPlace,
  wanted: (path: string) => boolean,
  tell: (file: FileLines) => void,
  progress: Progress = () => {},
): Promise<void> {
  return withGit(place, async (git) => {
    const notes = new NotesStore(git);
    const known = new Set(new WorkingLog(place.folder, place.root).all().map(({ path }) => path));
    for (const commit of (await notes.list()).keys())
      for (const { path } of (await notes.of(commit))?.files ?? []) known.add(path);
    const listed = await git.text(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]);
    const counts = (path: string) => path && !path.startsWith(`${orchestrationFolder}/`) && wanted(path);
    const paths = (listed?.split("\0") ?? []).filter(counts);
    for (const [k, path] of paths.entries()) {
      progress(k, paths.length);
      const file: FileLines = { path, total: newCount(), intents: Object.create(null), models: Object.create(null) };
      if (!known.has(path)) {
        const lines = lineCount(join(place.root, path));
        if (lines === undefined) continue;
        file.total.unknown = lines;
        tell(file);
        continue;
      }
      const marked = await marksInTree(git, notes, place, path);
      if (!marked) continue;
      for (const mark of marked.marks) {
        const { by, intent = "none", model = "unknown" } = meaning(mark, marked.authors);
        file.total[by]++;
        if (by !== "ai") continue;
        file.intents[intent] = (file.intents[intent] ?? 0) + 1;
        file.models[model] = (file.models[model] ?? 0) + 1;
      }
      tell(file);
    }
  });
}

function lineCount(path: string): number | undefined {
  try {
    return followable(readFileSync(path, "utf8"))?.length;
  } catch {
    return undefined; // a link to nowhere, or deleted in the work tree
  }
}
