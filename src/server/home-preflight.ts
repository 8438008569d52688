// Whether Interlock's own folder can hold what the server needs: said in words, with the command that repairs it, before anything fails on it.
// Invariant: looks and makes folders that are missing; changes nothing that is there.
import { accessSync, constants, lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { serverFolder } from "../hook/server-address.js";

export interface FolderFault {
  why: string;
  fix: string;
  /** Lies where a folder should be. */
  inTheWay?: string;
  /** A folder of the user's own that its owner may not use. */
  closed?: string;
}

export function folderFault(home: string): FolderFault | undefined {
  const folder = serverFolder(home);
  const inTheWay = [home, folder].find((path) => isNoFolder(path));
  if (inTheWay !== undefined)
    return { why: `${inTheWay} is no folder`, fix: `mv '${inTheWay}' '${inTheWay}.old'`, inTheWay };
  const closed = [home, folder].find((path) => isClosed(path));
  if (closed !== undefined)
    return { why: `${closed} is yours and cannot be used by you`, fix: `chmod 700 '${closed}'`, closed };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { why: `${folder} cannot be written (${code ?? message})`, fix: remedyFor(code, home) };
  }
}

function isNoFolder(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return !stat.isDirectory() && !stat.isSymbolicLink();
  } catch {
    return false; // nothing is there, or what is above it is at fault
  }
}

function isClosed(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o700) !== 0o700;
  } catch {
    return false; // the same
  }
}

function remedyFor(code: string | undefined, home: string): string {
  if (code === "EROFS")
    return `mount ${dirname(home)} writable, or set XDG_STATE_HOME to a folder that is, and run interlock init`;
  if (code === "ENOSPC" || code === "EDQUOT") return `make room on the disk of ${homedir()}`;
  return `chown -R "$USER" '${home}' && chmod -R u+rwX '${home}'`;
}

/** The file itself, and every folder on the way to it. */
export function othersCanRead(file: string): boolean {
  if (process.platform === "win32" || (statSync(file).mode & 0o004) === 0) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
