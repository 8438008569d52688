// What a dashboard shows: one project with its live record, or a ledger file or folder alone.
// Invariant: everything is read from files; nothing here writes, so looking at a record never changes it.
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Opened } from "../hook/open-project.js";
import type { JsonObject } from "../model/json.js";
import { LedgerIndex, ledgerKey } from "./ledger-index.js";

export interface DashboardSource {
  /** Names it in addresses. */
  key: string;
  /** Shown in the head of every page. */
  label: string;
  index: LedgerIndex;
  /** The folder of segments. */
  ledger: string;
  /** The project itself; undefined for a ledger alone: then there is no work tree, configuration or key. */
  opened: Opened | undefined;
  /** State slices by key: the signed state of a project, or what the records of a ledger alone fold to. */
  state(): JsonObject;
}

/** The newest state is taken from the signed snapshot while the files agree. */
export function projectSource(opened: Opened): DashboardSource {
  const ledger = join(opened.folder, "ledger");
  const index = new LedgerIndex({ list: () => segmentFiles(ledger), folder: opened.folder });
  return {
    key: opened.repository.id.slice(0, 12),
    label: opened.repository.root,
    index,
    ledger,
    opened,
    state: () => index.words(opened.store.read().state as JsonObject),
  };
}

/** A project's folder below Interlock's own, its `ledger` folder, or one segment. Throws a sentence otherwise. */
export function fileSource(path: string): DashboardSource {
  const full = resolve(path);
  const stat = statSync(full, { throwIfNoEntry: false });
  if (!stat) throw new Error(`there is no file or folder ${path}`);
  const ledger = stat.isFile() ? dirname(full) : existsSync(join(full, "ledger")) ? join(full, "ledger") : full;
  const list = stat.isFile() ? () => [full] : () => segmentFiles(ledger);
  if (!list().length) throw new Error(`there is no ledger in ${path}: it holds files such as 00000001.jsonl`);
  const index = new LedgerIndex({ list, folder: dirname(ledger) }, true);
  return { key: ledgerKey(full), label: full, index, ledger, opened: undefined, state: () => index.words(index.state) };
}

/** A segment's plain file, or the compressed one that took its place. */
function segmentFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /^\d{8}\.jsonl(?:\.br)?$/.test(name));
  } catch {
    return []; // nothing was recorded yet
  }
  const plain = new Set(names);
  return names
    .filter((name) => !name.endsWith(".br") || !plain.has(name.slice(0, -3)))
    .sort()
    .map((name) => join(folder, name));
}
