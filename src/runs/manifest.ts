// The manifest of a phase: metadata, an index of the tracked files with hashes, and pointers to truth and logs.
// Invariant: what is listed and what is counted as omitted add up to every tracked file; only what is valid is written.
//
// For `interlock kit`: `buildManifest` at the end of a phase, `writeManifest` to store it.
import { statSync } from "node:fs";
import { extname, join } from "node:path";
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import type { KitName } from "./actions.js";
import { HashCache, settleMs } from "./hash-cache.js";
import { FileHasher, worthAThread } from "./hash-files.js";
import {
  type Artifact,
  assertValid,
  type FileFinding,
  interopLimits,
  manifestSchema,
  type RunManifest,
  schemaFindings,
} from "./schemas.js";
import { type TrackedPaths, trackedDefaults } from "./tracked-defaults.js";
import { changedMs, type TrackedFile, trackedFiles } from "./tracked-files.js";

export interface ManifestOptions {
  project: string;
  metadata: RunManifest["metadata"];
  /** Relative to the project. */
  capsulePath: string | null;
  /** Logs, relative to the project. */
  logs?: readonly { path: string; kind?: string }[];
  metricsPointers?: readonly string[];
  /** Instead of the kit's defaults. */
  paths?: TrackedPaths;
  maxFiles?: number;
  maxTotalBytes?: number;
  maxTruthPointers?: number;
  /** Where digests are remembered between runs; keep it where the agent can't write. */
  cacheFile?: string;
}

export const manifestDefaults = { maxFiles: 400, maxTotalBytes: 20_000_000, maxTruthPointers: 120 } as const;

export async function buildManifest(options: ManifestOptions): Promise<RunManifest> {
  const { project, metadata } = options;
  const paths = options.paths ?? trackedDefaults[metadata.kit as KitName];
  const limits = {
    max_files: options.maxFiles ?? manifestDefaults.maxFiles,
    max_total_bytes: options.maxTotalBytes ?? manifestDefaults.maxTotalBytes,
  };
  const { tracked, unreadable, omitted } = await indexed(project, paths.tracked, options.cacheFile, (files) =>
    withinLimits(files, limits, Date.parse(metadata.started_at)),
  );
  const truth = trackedFiles(project, paths.truth).flatMap((f) => (isListable(f.path) ? [f.path] : []));
  const maxTruth = options.maxTruthPointers ?? manifestDefaults.maxTruthPointers;
  return {
    metadata,
    artifact_index: { tracked, omitted, limits, ...(unreadable.length && { unreadable }) },
    truth_pointers: truth.slice(0, maxTruth),
    ...(truth.length > maxTruth && { truth_pointers_omitted: truth.length - maxTruth }),
    log_pointers: (options.logs ?? []).map((log) => logPointer(project, log.path, log.kind)),
    ...(options.metricsPointers?.length && { metrics_pointers: [...options.metricsPointers] }),
    capsule_path: options.capsulePath,
  };
}

export function writeManifest(path: string, manifest: RunManifest): void {
  assertValid(manifestSchema, manifest, "the manifest");
  replaceFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

export function readManifestFile(path: string): { manifest?: RunManifest; findings: FileFinding[] } {
  let value: unknown;
  try {
    value = JSON.parse(readBoundedText(path, interopLimits.manifestBytes));
  } catch (error) {
    const problem = `it can't be read: ${(error as Error).message.slice(0, 120)}`;
    return { findings: [{ field: "", problem, remedy: "run the phase again; it writes its manifest anew" }] };
  }
  const findings = schemaFindings(manifestSchema, value);
  return findings.length ? { findings } : { manifest: value as RunManifest, findings };
}

interface Chosen {
  kept: IndexedFile[];
  omitted: { files: number; bytes: number };
}

/** Files changed since the phase began come first, then by path; what does not fit is counted. */
function withinLimits(
  files: readonly IndexedFile[],
  { max_files, max_total_bytes }: { max_files: number; max_total_bytes: number },
  since: number,
): Chosen {
  const whole = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length <= max_files && whole <= max_total_bytes && files.every((file) => isListable(file.path)))
    return { kept: [...files], omitted: { files: 0, bytes: 0 } };
  const recent = (file: TrackedFile) => changedMs(file) >= since;
  const order = [...files.filter(recent), ...files.filter((file) => !recent(file))];
  const kept: IndexedFile[] = [];
  const omitted = { files: 0, bytes: 0 };
  let bytes = 0;
  for (const file of order) {
    if (isListable(file.path) && kept.length < max_files && bytes + file.bytes <= max_total_bytes) {
      kept.push(file);
      bytes += file.bytes;
    } else {
      omitted.files++;
      omitted.bytes += file.bytes;
    }
  }
  return { kept: kept.sort((a, b) => (a.path < b.path ? -1 : 1)), omitted };
}

/** A name that does not fit on one line can be counted, not listed. */
const isListable = (path: string): boolean => path.length <= 1_000 && !/[\u0000-\u001f\u007f]/.test(path);

interface Index {
  tracked: Artifact[];
  unreadable: string[];
  omitted: { files: number; bytes: number };
}

async function indexed(
  project: string,
  globs: readonly string[],
  cacheFile: string | undefined,
  choose: (files: IndexedFile[]) => Chosen,
): Promise<Index> {
  const cache = new HashCache(cacheFile);
  const hasher = new FileHasher();
  const started = Date.now();
  try {
    let fresh = 0;
    const files: IndexedFile[] = trackedFiles(project, globs, (file: IndexedFile) => {
      file.digest = cache.get(file);
      if (file.digest === undefined && ++fresh === worthAThread.files) hasher.start();
    });
    const { kept, omitted } = choose(files);
    await hashFresh(
      project,
      kept.filter((file) => file.digest === undefined),
      cache,
      hasher,
      started,
    );
    cache.save(files);
    return { ...listed(kept), omitted };
  } finally {
    await hasher.close();
  }
}

/** A file with its digest, once that is known. */
interface IndexedFile extends TrackedFile {
  digest?: string;
}

async function hashFresh(
  project: string,
  files: IndexedFile[],
  cache: HashCache,
  hasher: FileHasher,
  started: number,
): Promise<void> {
  files.sort((a, b) => b.bytes - a.bytes);
  const total = files.reduce((sum, f) => sum + f.bytes, 0);
  const digests = await hasher.hash(
    files.map((f) => join(project, f.path)),
    total,
  );
  files.forEach((file, i) => {
    const digest = digests[i];
    if (!digest) return;
    const settled = changedMs(file) < started - settleMs && digest.bytes === file.bytes;
    if (settled) cache.set({ ...file }, digest.sha256);
    file.digest = digest.sha256;
    file.bytes = digest.bytes;
  });
}

function listed(files: readonly IndexedFile[]): Omit<Index, "omitted"> {
  const tracked: Artifact[] = [];
  const unreadable: string[] = [];
  for (const { path, bytes, digest } of files)
    if (digest === undefined) unreadable.push(path);
    else tracked.push({ path, kind: artifactKind(path), bytes, sha256: digest });
  return { tracked, unreadable };
}

const kinds: Readonly<Record<Exclude<Artifact["kind"], "file">, readonly string[]>> = {
  markdown: [".md", ".mdx", ".markdown"],
  json: [".json", ".jsonl"],
  yaml: [".yaml", ".yml"],
  lean: [".lean"],
  text: [".txt", ".csv", ".tsv", ".log", ".toml", ".ini", ".cfg"],
  source: [
    ...[".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cu", ".rs"],
    ...[".go", ".java", ".kt", ".rb", ".php", ".cs", ".swift", ".jl", ".sh", ".sql", ".scala", ".lua", ".html", ".css"],
  ],
};
const kindBySuffix = new Map(Object.entries(kinds).flatMap(([kind, list]) => list.map((s) => [s, kind] as const)));

export function artifactKind(path: string): Artifact["kind"] {
  const suffix = extname(path);
  return (kindBySuffix.get(suffix) ?? kindBySuffix.get(suffix.toLowerCase()) ?? "file") as Artifact["kind"];
}

function logPointer(project: string, path: string, kind = "phase_log"): RunManifest["log_pointers"][number] {
  const bytes = statSync(join(project, path), { throwIfNoEntry: false })?.size;
  return { path, kind, hint: queryHint(path), ...(bytes !== undefined && { bytes }) };
}

/** How to learn from a log without reading all of it. */
export const queryHint = (path: string): string => `interlock query-log tail ${path}`;
