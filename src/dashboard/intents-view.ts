// Intents for the dashboard: the repository's files by intent, the table of intents, and one file line by line.
// Invariant: reads only; a file is shown only if git lists it in this work tree.
import type { Opened } from "../hook/open-project.js";
import type { Intent } from "../intents/intent.js";
import { readIntents } from "../intents/read-intents.js";
import { inScope } from "../intents/scope-patterns.js";
import { askGitList } from "../project/run-git.js";
import { type BlamedLine, blameFile } from "../trace/blame.js";
import type { CommitPlace } from "../trace/finalise.js";
import { eachTracedFile, type FileLines } from "../trace/trace-stats.js";
import type { DashboardSource } from "./dashboard-source.js";
import { keptView } from "./kept-view.js";
import { NothingThere } from "./view-answers.js";

/** Files drawn one by one; the smaller ones are drawn together, per folder. */
const mostDrawn = 900;
const mostListed = 20_000;
const mostLines = 4_000;

export interface IntentFile {
  path: string;
  lines: number;
  /** Written by an agent under no intent. */
  untraced: number;
  /** Written by an agent, per intent. */
  intents: Record<string, number>;
  /** Intents with lines here although the file is not in their scope. */
  outside: string[];
  /** How many small files this stands for. */
  together?: number;
}

export interface IntentRow {
  id: string;
  name: string;
  status: string;
  scope: string[];
  criteria: { met: number; of: number };
  files: number;
  lines: number;
  /** Lines in files that its scope does not name. */
  outOfScope: number;
  /** It is named by traces but not in the file. */
  unknown?: true;
}

export interface IntentsView {
  /** Why there is nothing to see, and what helps. */
  missing?: { what: string; command: string };
  problem?: string;
  totals: { files: number; lines: number; ai: number; traced: number; untraced: number };
  intents: IntentRow[];
  files: IntentFile[];
  truncated: boolean;
}

const nothing: Omit<IntentsView, "missing"> = {
  totals: { files: 0, lines: 0, ai: 0, traced: 0, untraced: 0 },
  intents: [],
  files: [],
  truncated: false,
};

export const intentsView = (source: DashboardSource): Promise<IntentsView> | IntentsView => {
  const { opened } = source;
  const place = opened && placeOf(opened);
  if (!place) {
    const what = "Intents are read from a project's work tree; a ledger alone holds none.";
    return { ...nothing, missing: { what, command: "interlock dashboard" } };
  }
  return keptView(source, "intents", async () => {
    const { set, text } = readIntents(place.root);
    const counted: FileLines[] = [];
    let listed = 0;
    await eachTracedFile(
      place,
      () => ++listed <= mostListed,
      (file) => void (ofRun.test(file.path) || counted.push(file)),
    );
    const view = viewOf(set.intents, counted, listed > mostListed);
    if (text !== undefined) return set.problem ? { ...view, problem: `${set.problem.what}; ${set.problem.fix}` } : view;
    if (view.totals.ai) return view;
    const what = "No intent is declared here yet, and no line of an agent is traced.";
    return { ...view, missing: { what, command: 'interlock intent add "<what for>" --scope "src/**"' } };
  });
};

/** What runs leave behind: their logs would dwarf the code. */
const ofRun = /^runs\/\d{8}T\d{6}Z-[0-9a-f]+\//;

function placeOf({ repository, folder }: Opened): CommitPlace | undefined {
  const { kind, root, gitDir } = repository;
  return kind === "git" && gitDir ? { root, folder, gitDir } : undefined;
}

function viewOf(intents: readonly Intent[], counted: readonly FileLines[], truncated: boolean): IntentsView {
  const byId = new Map(intents.map((intent) => [intent.id, intent]));
  const rows = new Map(intents.map((intent) => [intent.id, rowFor(intent)]));
  const view: IntentsView = { ...nothing, totals: { ...nothing.totals }, intents: [], files: [], truncated };
  for (const { path, total, intents: written } of counted) {
    const lines = total.ai + total.outside + total.unknown;
    const { none: untraced = 0, ...named } = written;
    const outside: string[] = [];
    for (const [id, count] of Object.entries(named)) {
      const row = rows.get(id) ?? unknownRow(id);
      rows.set(id, row);
      row.files++;
      row.lines += count;
      const intent = byId.get(id);
      if (!intent || inScope(intent, path)) continue;
      row.outOfScope += count;
      outside.push(id);
    }
    view.totals.files++;
    view.totals.lines += lines;
    view.totals.ai += total.ai;
    view.totals.untraced += untraced;
    if (lines) view.files.push({ path, lines, untraced, intents: named, outside });
  }
  view.totals.traced = view.totals.ai - view.totals.untraced;
  view.intents = [...rows.values()];
  view.files = drawn(view.files);
  return view;
}

const rowFor = ({ id, name, status, scope, anyScope, criteria }: Intent): IntentRow => ({
  ...{ id, name, status, scope: anyScope ? ["any file"] : [...scope] },
  criteria: { met: criteria.filter(({ met }) => met).length, of: criteria.length },
  ...{ files: 0, lines: 0, outOfScope: 0 },
});

const unknownRow = (id: string): IntentRow => ({
  ...{ id, name: "", status: "not in the file", scope: [], criteria: { met: 0, of: 0 } },
  ...{ files: 0, lines: 0, outOfScope: 0, unknown: true as const },
});

/** Files with something to say first, then the largest; the others are put together by folder. */
function drawn(files: IntentFile[]): IntentFile[] {
  if (files.length <= mostDrawn) return files;
  const weight = (f: IntentFile) =>
    f.outside.length || f.untraced || Object.keys(f.intents).length ? f.lines + 1e9 : f.lines;
  const sorted = [...files].sort((a, b) => weight(b) - weight(a));
  const together = new Map<string, IntentFile>();
  for (const { path, lines } of sorted.slice(mostDrawn)) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    const at = together.get(folder) ?? {
      ...{ path: `${folder}/…`, lines: 0, untraced: 0, intents: {}, outside: [], together: 0 },
    };
    together.set(folder, { ...at, lines: at.lines + lines, together: at.together! + 1 });
  }
  return [...sorted.slice(0, mostDrawn), ...together.values()];
}

export interface IntentFileView {
  path: string;
  lines: Pick<BlamedLine, "line" | "text" | "by" | "intent" | "model" | "commit" | "why">[];
  more: number;
}

export async function intentFileView({ opened }: DashboardSource, query: URLSearchParams): Promise<IntentFileView> {
  const path = query.get("path") ?? "";
  const place = opened && placeOf(opened);
  const listed = ["--literal-pathspecs", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path];
  const known = place && path && askGitList(place.root, listed)?.includes(path);
  const lines = known ? await blameFile(place, path) : undefined;
  if (!lines) throw new NothingThere(`there is no text file ${path.slice(0, 120)} in this work tree`);
  return {
    path,
    lines: lines.slice(0, mostLines).map(({ line, text, by, intent, model, commit, why }) => ({
      ...{ line, text: text.slice(0, 500), by },
      ...(intent !== undefined && { intent }),
      ...(model !== undefined && { model }),
      ...(commit !== undefined && { commit: commit.slice(0, 12) }),
      ...(why !== undefined && { why }),
    })),
    more: Math.max(0, lines.length - mostLines),
  };
}
