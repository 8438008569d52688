// The texts of files as they were before a call, kept until it ends, and what the call then really changed.
// Invariant: bounded in files and bytes; a text nobody kept is said to be unknown, never taken from a later moment.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../model/sha256.js";
import { readBounded } from "../project/bounded-read.js";
import { headCommit, identify } from "../project/identify.js";
import { askGit } from "../project/run-git.js";
import type { TreeSnapshot } from "../project/tree-snapshot.js";
import { headReflog, reflogSize } from "./commit-origin.js";
import type { TracedChange, TracePlace } from "./record-change.js";
import { writeAtOnce } from "./whole-file.js";
import { mostBytes } from "./working-log.js";

const mostFiles = 200;
const mostBytesInAll = 8 << 20;
const keptMs = 24 * 3600_000;

/** What HEAD and the stash were; git moved contents about when they differ. */
interface GitStamp {
  head?: string;
  stash?: string;
  /** Bytes of HEAD's reflog. */
  reflog: number;
}

export interface BeforeImage {
  /** When it was taken, ms. */
  at: number;
  /** Path relative to the root -> text; null: there was no such file. A path that is missing here was not kept. */
  files: Record<string, string | null>;
  git: GitStamp;
}

const imageFolder = (folder: string): string => join(folder, "trace", "before");
const imageFile = (folder: string, call: string): string =>
  join(imageFolder(folder), `${sha256(call).slice(0, 24)}.json`);

/** Before a call: keeps the files it is predicted to write. `call`: session and tool call, unique together. */
export function takeBefore(where: TracePlace, call: string, paths: readonly string[]): void {
  const image: BeforeImage = { at: Date.now(), files: Object.create(null), git: gitStamp(where.root) };
  let left = mostBytesInAll;
  for (const path of paths.slice(0, mostFiles)) {
    const text = readText(join(where.root, path), Math.min(left, mostBytes));
    if (text === undefined) continue;
    image.files[path] = text;
    left -= text?.length ?? 0;
  }
  writeAtOnce(imageFile(where.folder, call), JSON.stringify(image));
  sweep(imageFolder(where.folder), image.at);
}

/** After the call: its image, which is then removed. Undefined: none was taken. */
export function endBefore(where: TracePlace, call: string): BeforeImage | undefined {
  const file = imageFile(where.folder, call);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as BeforeImage;
  } catch {
    return undefined; // no call of this name was announced, or the disk was full
  } finally {
    rmSync(file, { force: true });
  }
}

/** Removes images of calls that never ended. */
function sweep(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > keptMs) rmSync(path, { force: true });
  }
}

/**
 * The changes of a call, ready for `recordChanges`. `paths`: what it was found to have changed, relative to the root;
 * `snapshot`: the tree before it, where one was taken (shell calls).
 */
export function changesOfCall(
  where: TracePlace,
  image: BeforeImage | undefined,
  paths: readonly string[],
  snapshot?: TreeSnapshot,
): { changes: TracedChange[]; headBefore?: string } {
  const byGit = image !== undefined && movedContents(where.root, image.git);
  const headBefore = image?.git.head ?? snapshot?.head;
  // A file tool writes what the agent said; a shell command may have asked git for it.
  const fromGit = (text: string | null) =>
    byGit || (snapshot !== undefined && image !== undefined && text !== null && wasInGit(where.root, text, image.at));
  const changes = paths.flatMap((path): TracedChange[] => {
    const after = readText(join(where.root, path), mostBytes);
    if (after === undefined) return []; // large, binary or no file: it has no lines to attribute
    const before = beforeOf(where.root, path, image, snapshot);
    return [
      {
        path,
        before: before ?? undefined,
        after: after ?? undefined,
        ...(before === undefined && { beforeUnknown: true as const }),
        ...(fromGit(after) && { byGit: true as const }),
        ...(image && { since: image.at }),
      },
    ];
  });
  return { changes, ...(headBefore && { headBefore }) };
}

/** Null: the file was not there; undefined: not known. */
function beforeOf(
  root: string,
  path: string,
  image: BeforeImage | undefined,
  snapshot: TreeSnapshot | undefined,
): string | null | undefined {
  if (image && Object.hasOwn(image.files, path)) return image.files[path];
  if (!snapshot || snapshot.root !== root || (snapshot.truncated && path >= snapshot.truncated.upTo)) return undefined;
  const kept = snapshot.uncommitted?.[path];
  if (kept === null) return undefined; // too large to keep
  if (kept !== undefined) return asText(Buffer.from(kept, "base64"));
  if (snapshot.entries[path] === undefined) return null;
  // Git listed it and it did not differ: the text is the commit's, if the snapshot looked for differences at all.
  if (!snapshot.uncommitted || !snapshot.head) return undefined;
  const committed = askGit(root, ["show", `${snapshot.head}:${path}`]);
  return committed && asText(committed);
}

/** Git had this very text before the call: `git checkout other -- file`. What the call added itself is newer. */
function wasInGit(root: string, text: string, at: number): boolean {
  const { commonDir } = identify(root);
  if (!commonDir) return false;
  const data = Buffer.from(text);
  const oid = createHash("sha1").update(`blob ${data.length}\0`).update(data).digest("hex");
  const loose = statSync(join(commonDir, "objects", oid.slice(0, 2), oid.slice(2)), { throwIfNoEntry: false });
  return loose ? loose.mtimeMs < at : askGit(root, ["cat-file", "-e", oid]) !== undefined;
}

/** Commits the call made itself do not count: their lines are the call's. */
function movedContents(root: string, before: GitStamp): boolean {
  const now = gitStamp(root);
  if (now.stash !== before.stash) return true;
  const { gitDir } = identify(root);
  if (now.head === before.head || !gitDir) return false;
  const entries = headReflog(gitDir, before.reflog);
  return entries.length === 0 || entries.some(({ message }) => !/^commit\b/.test(message));
}

function gitStamp(root: string): GitStamp {
  const repository = identify(root);
  if (!repository.gitDir || !repository.commonDir) return { reflog: 0 };
  const head = headCommit(repository);
  const stash = readText(join(repository.commonDir, "refs", "stash"), 4_096) ?? undefined;
  return { ...(head && { head }), ...(stash && { stash }), reflog: reflogSize(repository.gitDir) };
}

/** Null: no such file; undefined: too large, not a file, or no text. */
function readText(path: string, most: number): string | null | undefined {
  try {
    return asText(readBounded(path, most));
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT" ? null : undefined;
  }
}

const asText = (data: Buffer): string | undefined => (data.includes(0) ? undefined : data.toString("utf8"));
