// The lock file a process that stays keeps for its next turn: making a new one each time costs it more than the turn itself, because disks
// do not like to give out what was freed a moment ago.
// Invariant: its content is written anew before it becomes the lock and never while it is; whatever is odd about it, it is given up.
import { errno } from "./fault.js";
import { closeQuietly, type Io, realIo, removeIfThere } from "./io.js";

export interface Spare {
  path: string;
  fd: number;
  size: number;
}

/** A hook takes the lock once or twice and leaves nothing behind. */
const stays = 8;
const mostFolders = 64;

const turns = new Map<string, number>();
const spares = new Map<string, Spare>();
let tidies = false;

/** Makes the spare of a folder the lock: undefined where there is none, or another holds the lock. */
export function claimWithSpare(io: Io, folder: string, lock: string, content: Buffer): Spare | undefined {
  const spare = io === realIo ? spares.get(folder) : undefined;
  if (!spare) return undefined;
  try {
    const { nlink } = io.fstatSync(spare.fd);
    if (nlink === 2) return undefined; // it is the lock: we hold it already
    if (nlink !== 1 || content.length !== spare.size) return giveUpSpare(io, folder);
    if (io.writeSync(spare.fd, content, 0, content.length, 0) !== content.length) return giveUpSpare(io, folder);
    io.linkSync(spare.path, lock);
    if (io.fstatSync(spare.fd).nlink === 2) return spare;
    io.unlinkSync(lock); // another file has taken the spare's name
  } catch (error) {
    if (errno(error) === "EEXIST") return undefined; // held by another: who waits, waits with a file of its own
  }
  return giveUpSpare(io, folder);
}

/** Releases a lock by giving it the spare's name; false where that is not worth while, or not possible. */
export function keepAsSpare(io: Io, folder: string, lock: string, own: { fd: number; size: number }): boolean {
  if (io !== realIo || process.platform === "win32") return false;
  const count = (turns.get(folder) ?? 0) + 1;
  turns.delete(folder);
  turns.set(folder, count);
  if (turns.size > mostFolders) {
    const [oldest] = turns.keys();
    turns.delete(oldest!);
    giveUpSpare(io, oldest!);
  }
  if (count < stays || spares.has(folder)) return false;
  const path = `${folder}/lock.${process.pid}.0.tmp`;
  io.renameSync(lock, path);
  if (!tidies) process.once("exit", giveUpAll);
  tidies = true;
  spares.set(folder, { path, ...own });
  return true;
}

export function giveUpSpare(io: Io, folder: string): undefined {
  const spare = spares.get(folder);
  if (!spare) return undefined;
  spares.delete(folder);
  turns.delete(folder);
  closeQuietly(io, spare.fd);
  try {
    removeIfThere(io, spare.path);
  } catch {
    // it lies there with our number in its name until someone sweeps
  }
  return undefined;
}

function giveUpAll(): void {
  for (const folder of [...spares.keys()]) giveUpSpare(realIo, folder);
}
