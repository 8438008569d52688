// Keeps a snapshot in a file between the hooks before and after a call, and restores protected files from it.
// Invariant: a file written here is whole or absent and readable by its owner only; restoring never follows a link.
import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "./replace-file.js";
import type { TreeSnapshot } from "./tree-snapshot.js";

export function keepSnapshot(file: string, snapshot: TreeSnapshot): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, JSON.stringify(snapshot), 0o600);
}

/** Undefined when there is none, or it is not one of ours: then there is nothing to compare with. */
export function keptSnapshot(file: string): TreeSnapshot | undefined {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // absent, or torn by a full disk
  }
  const snapshot = value as Partial<TreeSnapshot> | null;
  const whole =
    snapshot?.version === 1 &&
    typeof snapshot.root === "string" &&
    isRecord(snapshot.entries) &&
    isRecord(snapshot.protected);
  return whole ? (snapshot as TreeSnapshot) : undefined;
}

/** Puts a protected file back as it was; false when no copy was kept. One that was not there before is removed. */
export function restoreProtected(snapshot: TreeSnapshot, path: string): boolean {
  const before = snapshot.protected[path];
  if (!before) {
    rmSync(path, { force: true });
    return true;
  }
  if (before.link !== undefined) {
    rmSync(path, { force: true, recursive: isFolder(path) });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(before.link, path);
    return true;
  }
  if (before.copy === undefined) return false;
  if (isFolder(path)) rmSync(path, { recursive: true });
  mkdirSync(dirname(path), { recursive: true });
  const mode = Number.parseInt(before.stat.split(".")[4] ?? "", 36) & 0o777;
  replaceFile(path, Buffer.from(before.copy, "base64"), mode);
  chmodSync(path, mode); // the process's mask may have taken bits away
  return true;
}

const isRecord = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
