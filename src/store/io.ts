// The file system calls the record uses, as one replaceable table, and the few compound steps built on them.
// Invariant: a file that is replaced is replaced whole (temporary name, then rename). `append` and `writeOver` change
// it in place.
import * as fs from "node:fs";
import { dirname } from "node:path";
import { sleep } from "../model/clock.js";
import { asFault, errno, StoreFault, StoreFull } from "./fault.js";

export type Io = Pick<
  typeof fs,
  | "openSync"
  | "closeSync"
  | "readSync"
  | "writeSync"
  | "fsyncSync"
  | "ftruncateSync"
  | "fstatSync"
  | "statSync"
  | "renameSync"
  | "linkSync"
  | "unlinkSync"
  | "mkdirSync"
  | "readdirSync"
  | "readFileSync"
>;

/** A pipe would make a reader wait and a device has no end: neither is ever ours. */
function refuseSpecial(path: fs.PathOrFileDescriptor): void {
  const stat = typeof path === "number" ? undefined : fs.statSync(path, { throwIfNoEntry: false });
  if (!stat || stat.isFile() || stat.isDirectory()) return;
  throw new StoreFault(
    "io",
    `${String(path)} is no regular file.`,
    "Run `interlock doctor --fix`, which moves it away.",
  );
}

export const realIo: Io = {
  ...fs,
  openSync: (path, flags, mode) => {
    if (flags !== "wx") refuseSpecial(path);
    return fs.openSync(path, flags, mode);
  },
  readFileSync: ((path: fs.PathOrFileDescriptor, options?: never) => {
    refuseSpecial(path);
    return fs.readFileSync(path, options);
  }) as typeof fs.readFileSync,
};

export function readOr(io: Io, path: string): Buffer | undefined {
  try {
    return io.readFileSync(path);
  } catch (error) {
    if (errno(error) === "ENOENT" || errno(error) === "ENOTDIR") return undefined;
    throw asFault(error, "read", path);
  }
}

/** Undefined when there is no such file. Does not throw, because an exception costs a hook more than the call. */
export function statOr(io: Io, path: string): fs.Stats | undefined {
  try {
    return io.statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errno(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

export const exists = (io: Io, path: string): boolean => statOr(io, path) !== undefined;

/** Opens for writing and makes the missing parent folders (private to the user) only when the first try says so. */
export function openMaking(io: Io, path: string, flags: string): number {
  try {
    return io.openSync(path, flags, 0o600);
  } catch (error) {
    if (errno(error) !== "ENOENT") throw error;
    io.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return io.openSync(path, flags, 0o600);
  }
}

/** Writes all bytes or throws: a short write is what a full disk looks like. */
export function writeAll(io: Io, fd: number, bytes: Buffer, path: string, at?: number): void {
  if (io.writeSync(fd, bytes, 0, bytes.length, at) !== bytes.length) throw new StoreFull(path);
}

/**
 * Gives a finished file a second name. True: the name was free. File systems without hard links (FAT, some network
 * mounts) get an exclusive copy instead, which for a moment is not whole.
 */
export function claimName(io: Io, from: string, to: string): boolean {
  try {
    io.linkSync(from, to);
    return true;
  } catch (error) {
    if (errno(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errno(error))) throw error;
    return claimByCopy(io, from, to);
  }
}

function claimByCopy(io: Io, from: string, to: string): boolean {
  let fd: number;
  try {
    fd = io.openSync(to, "wx", 0o600);
  } catch (error) {
    if (errno(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeAll(io, fd, io.readFileSync(from), to);
  } finally {
    closeQuietly(io, fd);
  }
  return true;
}

/** Which file lies at a path and when it was last touched: while this stays the same, so does its content. */
export type Stamp = Pick<fs.Stats, "ino" | "size" | "mtimeMs" | "ctimeMs">;

export const sameStamp = (a: Stamp, b: Stamp | undefined): boolean =>
  a.size === b?.size && a.ctimeMs === b.ctimeMs && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

/** Adds to the end of a file that has `from` bytes. */
export function append(io: Io, path: string, bytes: Buffer, from: number, sync: boolean): Stamp {
  return writeInto(io, path, "a", (fd) => {
    const { size } = io.fstatSync(fd);
    if (size !== from) throw changed(path, size, from);
    writeAll(io, fd, bytes, path);
    if (sync) io.fsyncSync(fd);
    return io.fstatSync(fd);
  });
}

/** Writes over a file of the same length. */
export function writeOver(io: Io, path: string, bytes: Buffer, sync: boolean): Stamp {
  return writeInto(io, path, "r+", (fd) => {
    writeAll(io, fd, bytes, path);
    if (sync) io.fsyncSync(fd);
    const stamp = io.fstatSync(fd);
    if (stamp.size !== bytes.length) throw changed(path, stamp.size, bytes.length);
    return stamp;
  });
}

function writeInto(io: Io, path: string, flags: string, write: (fd: number) => Stamp): Stamp {
  let fd: number | undefined;
  try {
    fd = openMaking(io, path, flags);
    return write(fd);
  } catch (error) {
    throw asFault(error, "write", path);
  } finally {
    if (fd !== undefined) closeQuietly(io, fd);
  }
}

const changed = (path: string, size: number, expected: number): StoreFault =>
  new StoreFault(
    "io",
    `${path} changed while it was locked (${size} bytes instead of ${expected}).`,
    "Run `interlock verify`; something writes to the record without its lock.",
  );

/** Cuts a file back to the `size` it had; one that had nothing is removed. */
export function cutBack(io: Io, path: string, size: number): void {
  if (!exists(io, path)) return;
  const fd = io.openSync(path, "r+");
  try {
    if (io.fstatSync(fd).size > size) io.ftruncateSync(fd, size);
  } finally {
    closeQuietly(io, fd);
  }
  if (size === 0) removeIfThere(io, path);
}

export function replaceStoreFile(io: Io, path: string, bytes: Buffer, nonce: string, sync: boolean): void {
  writeAside(io, path, bytes, nonce, sync, false);
}

/**
 * Replaces a file whose content also exists elsewhere: removes the old one first. Renaming over a file makes ext4 write
 * the new content to the disk at once (auto_da_alloc), which costs milliseconds on a busy disk; only the snapshot needs
 * that.
 */
export function replaceCopy(io: Io, path: string, bytes: Buffer, nonce: string, sync: boolean): void {
  writeAside(io, path, bytes, nonce, sync, !sync);
}

function writeAside(io: Io, path: string, bytes: Buffer, nonce: string, sync: boolean, removeFirst: boolean): void {
  const tmp = `${path}.${process.pid}.${nonce}.tmp`;
  let fd: number | undefined;
  try {
    fd = openMaking(io, tmp, "wx");
    writeAll(io, fd, bytes, path);
    if (sync) io.fsyncSync(fd);
    io.closeSync(fd);
    fd = undefined;
    if (removeFirst) removeIfThere(io, path);
    renameOver(io, tmp, path);
  } catch (error) {
    if (fd !== undefined) closeQuietly(io, fd);
    removeIfThere(io, tmp);
    throw asFault(error, "write", path);
  }
}

/** Windows refuses to rename over a file someone has open for a moment; elsewhere the first try decides. */
function renameOver(io: Io, from: string, to: string): void {
  for (let tries = 0; ; tries++) {
    try {
      io.renameSync(from, to);
      return;
    } catch (error) {
      if (process.platform !== "win32" || tries >= 20 || !["EPERM", "EBUSY", "EACCES"].includes(errno(error)))
        throw error;
      sleep(5);
    }
  }
}

/** Removal that is only tidying: a file that is gone or cannot be removed is left for the next sweep. */
export function removeIfThere(io: Io, path: string): boolean {
  try {
    io.unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Closing after a failure: the failure is what gets reported, not this. */
export function closeQuietly(io: Io, fd: number): void {
  try {
    io.closeSync(fd);
  } catch {
    // the descriptor is gone either way
  }
}

export function listDir(io: Io, path: string): string[] {
  try {
    return io.readdirSync(path) as string[];
  } catch (error) {
    if (errno(error) === "ENOENT" || errno(error) === "ENOTDIR") return [];
    throw asFault(error, "list", path);
  }
}

export const readRange = (io: Io, path: string, from: number, to: number): Buffer =>
  withStamp(io, path, () => [from, to]).bytes;

/** A file, or the range of it that its stamp asks for, and the stamp it had before it was read. */
export function withStamp(
  io: Io,
  path: string,
  range = ({ size }: Stamp): [from: number, to: number] => [0, size],
): { bytes: Buffer; stamp: Stamp } {
  const fd = io.openSync(path, "r");
  try {
    const stamp = io.fstatSync(fd);
    const [from, to] = range(stamp);
    const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
    let got = 0;
    while (got < bytes.length) {
      const n = io.readSync(fd, bytes, got, bytes.length - got, from + got);
      if (n === 0) break;
      got += n;
    }
    return { bytes: bytes.subarray(0, got), stamp };
  } finally {
    closeQuietly(io, fd);
  }
}

export function withStampOr(io: Io, path: string): { bytes: Buffer; stamp: Stamp } | undefined {
  try {
    return withStamp(io, path);
  } catch (error) {
    if (errno(error) === "ENOENT" || errno(error) === "ENOTDIR") return undefined;
    throw asFault(error, "read", path);
  }
}
