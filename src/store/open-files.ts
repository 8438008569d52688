// Files of a record kept open by a process that stays: opening one costs as much as writing to it.
// Invariant: used only under the lock, for a file that was just found at its path; another file there is opened anew.
import { constants } from "node:fs";
import { append, closeQuietly, type Io, realIo, type Stamp, writeAll, writeOver } from "./io.js";
import { hasSpare } from "./lock/reusable-lock.js";

interface Kept {
  path: string;
  ino: number;
  fd: number;
}

const most = 160;
/** By its place in the record: of a ledger only the newest segment is kept. */
const open = new Map<string, Kept>();

const placeOf = (folder: string, path: string): string =>
  path.startsWith(`${folder}/ledger/`) ? `${folder}/ledger` : path;

/** Undefined where it is not worth while. `stamp`: of the file as it was found. */
function keptOpen(io: Io, folder: string, path: string, stamp: Stamp | undefined, flags: number): number | undefined {
  if (!stamp || io !== realIo || !hasSpare(folder)) return undefined;
  const place = placeOf(folder, path);
  const known = open.get(place);
  if (known?.ino === stamp.ino && known.path === path) return known.fd;
  if (known) letGo(io, place, known);
  const fd = io.openSync(path, flags);
  const file = { path, fd, ino: io.fstatSync(fd).ino };
  if (file.ino !== stamp.ino) {
    closeQuietly(io, fd);
    return undefined;
  }
  if (open.size >= most) letGo(io, ...[...open][0]!);
  open.set(place, file);
  return fd;
}

function letGo(io: Io, place: string, { fd }: Kept): void {
  open.delete(place);
  closeQuietly(io, fd);
}

/** Adds to a file of `folder` that has `from` bytes; returns how it is stamped then, for who wants to know. */
export function appendKept(
  io: Io,
  folder: string,
  path: string,
  found: Stamp | undefined,
  bytes: Buffer,
  from: number,
  sync: boolean,
): () => Stamp {
  const fd =
    found?.size === from ? keptOpen(io, folder, path, found, constants.O_WRONLY | constants.O_APPEND) : undefined;
  if (fd === undefined) {
    const stamp = append(io, path, bytes, from, sync);
    return () => stamp;
  }
  writeAll(io, fd, bytes, path);
  if (sync) io.fsyncSync(fd);
  return () => io.fstatSync(fd);
}

/** Writes over a file of the same length. */
export function writeOverKept(
  io: Io,
  folder: string,
  path: string,
  found: Stamp | undefined,
  bytes: Buffer,
  sync: boolean,
): Stamp {
  const fd = found?.size === bytes.length ? keptOpen(io, folder, path, found, constants.O_RDWR) : undefined;
  if (fd === undefined) return writeOver(io, path, bytes, sync);
  writeAll(io, fd, bytes, path, 0);
  if (sync) io.fsyncSync(fd);
  return io.fstatSync(fd);
}
