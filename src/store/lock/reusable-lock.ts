// The lock file a process that stays keeps for its next turn: making a new one each time costs it more than the turn itself, because disks
// do not like to give out what was freed a moment ago.
// Invariant: its content is written anew before it becomes the lock and never while it is; whatever is odd about it, it is given up.
import { errno } from "../fault.js";
import { closeQuietly, type Io, realIo, removeIfThere } from "../io.js";

export interface Spare {
  path: string;
  fd: number;
  size: number;
  /** In use as the lock. */
  held: boolean;
  /** Whose turn is written in it already. */
  nonce?: string;
}

/** What a lock says: the nonce, and the bytes that name its owner with it. */
export interface Claim {
  nonce: string;
  content: Buffer;
}

/** A hook takes the lock once or twice and leaves nothing behind. */
const stays = 8;
const mostFolders = 64;

const turns = new Map<string, number>();
const spares = new Map<string, Spare>();
let tidies = false;

/** Makes the spare of a folder the lock: undefined where there is none, or another holds the lock. */
export function claimWithSpare(io: Io, folder: string, lock: string, claim: () => Claim): Spare | undefined {
  const spare = io === realIo ? spares.get(folder) : undefined;
  if (!spare || spare.held) return undefined;
  try {
    if (!spare.nonce && !prepare(io, spare, claim())) return giveUpSpare(io, folder);
    io.linkSync(spare.path, lock);
    if (io.fstatSync(spare.fd).nlink === 2) {
      spare.held = true;
      return spare;
    }
    io.unlinkSync(lock); // another file has taken the spare's name
  } catch (error) {
    if (errno(error) === "EEXIST") return undefined; // held by another: who waits, waits with a file of its own
  }
  return giveUpSpare(io, folder);
}

/** Writes the next turn into a spare that is free again, so that whoever takes it need not. */
export function prepareSpare(io: Io, folder: string, claim: () => Claim): void {
  const spare = spares.get(folder);
  if (spare && !prepare(io, spare, claim())) giveUpSpare(io, folder);
}

function prepare(io: Io, spare: Spare, { nonce, content }: Claim): boolean {
  spare.held = false;
  spare.nonce = undefined;
  if (content.length !== spare.size) return false;
  if (io.writeSync(spare.fd, content, 0, content.length, 0) !== content.length) return false;
  spare.nonce = nonce;
  return true;
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
  spares.set(folder, { path, ...own, held: false });
  return true;
}

/** Whether this process stays with that folder. */
export const hasSpare = (folder: string): boolean => spares.has(folder);

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
