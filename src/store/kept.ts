// The newest file of a ledger, kept open by a process that stays: opening it costs as much as writing to it.
// Invariant: used only under the lock, for a file that was just found at its path; another file there is opened anew.
import { constants } from "node:fs";
import { closeQuietly, type Io, realIo, type Stamp } from "./io.js";
import { hasSpare } from "./spare.js";

interface Kept {
  path: string;
  ino: number;
  fd: number;
}

const most = 64;
const open = new Map<string, Kept>();

/** To add to; undefined where it is not worth while. `stamp`: of the file as it was found. */
export function keptOpen(io: Io, folder: string, path: string, stamp: Stamp): number | undefined {
  if (io !== realIo || !hasSpare(folder)) return undefined;
  const known = open.get(folder);
  if (known?.path === path && known.ino === stamp.ino) return known.fd;
  if (known) letGo(io, folder, known);
  const fd = io.openSync(path, constants.O_WRONLY | constants.O_APPEND);
  const file = { path, fd, ino: io.fstatSync(fd).ino };
  if (file.ino !== stamp.ino) {
    closeQuietly(io, fd);
    return undefined;
  }
  if (open.size >= most) letGo(io, ...[...open][0]!);
  open.set(folder, file);
  return fd;
}

function letGo(io: Io, folder: string, { fd }: Kept): void {
  open.delete(folder);
  closeQuietly(io, fd);
}
