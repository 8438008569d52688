// Whether Interlock's home folder can be used, as a sentence with the command that repairs it.
// Invariant: `folderFault` only looks; `prepareFolder` creates missing folders and changes nothing that exists.
import { accessSync, constants, lstatSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";
import { serverFolder } from "../hook/server-address.js";
import { shellQuote } from "../model/shell-quote.js";

export interface FolderFault {
  why: string;
  fix: string;
  /** A file that is where the folder should be. */
  blockingFile?: string;
  /** A folder of the user's whose mode keeps its owner out. */
  lockedFolder?: string;
}

export function folderFault(home: string): FolderFault | undefined {
  const folder = serverFolder(home);
  const blockingFile = [home, folder].find((path) => isNotFolder(path));
  if (blockingFile !== undefined) {
    const path = shellQuote(blockingFile);
    return { why: `${blockingFile} is no folder`, fix: `mv ${path} ${path}.old`, blockingFile };
  }
  const lockedFolder = [home, folder].find((path) => isLocked(path));
  if (lockedFolder !== undefined) {
    const fix = `chmod 700 ${shellQuote(lockedFolder)}`;
    return { why: `${lockedFolder} is yours, but its mode keeps you out`, fix, lockedFolder };
  }
  return faultOf(home, () => accessSync(nearestExisting(folder), constants.R_OK | constants.W_OK | constants.X_OK));
}

/** The same, and makes the folders. */
export function prepareFolder(home: string): FolderFault | undefined {
  return folderFault(home) ?? faultOf(home, () => mkdirSync(serverFolder(home), { recursive: true, mode: 0o700 }));
}

function faultOf(home: string, attempt: () => void): FolderFault | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { why: `${serverFolder(home)} cannot be written (${code ?? message})`, fix: remedyFor(code, home) };
  }
}

function nearestExisting(path: string): string {
  return lstatSync(path, { throwIfNoEntry: false }) || path === dirname(path) ? path : nearestExisting(dirname(path));
}

function isNotFolder(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return !stat.isDirectory() && !stat.isSymbolicLink();
  } catch {
    return false; // nothing there, or a parent folder is the problem
  }
}

function isLocked(path: string): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o700) !== 0o700;
  } catch {
    return false; // nothing there, or a parent folder is the problem
  }
}

function remedyFor(code: string | undefined, home: string): string {
  if (code === "EROFS")
    return `mount ${dirname(home)} writable, or set XDG_STATE_HOME to a writable folder and run interlock init`;
  if (code === "ENOSPC" || code === "EDQUOT") return `free some space on the disk of ${homedir()}`;
  const path = shellQuote(home);
  return `chown -R "$USER" ${path} && chmod -R u+rwX ${path}`;
}

/** Whether other users can read a file: its own mode, and that of every folder above it. */
export function othersCanRead(file: string): boolean {
  if (process.platform === "win32" || (statSync(file).mode & 0o004) === 0) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}
