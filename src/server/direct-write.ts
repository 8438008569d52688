// Writing to a socket or pipe at once, past the stream it belongs to: for one small answer the stream's ways cost more than the write.
// Invariant: bytes keep their order; what the descriptor does not take, or where there is none, goes through the stream.
import { writeSync } from "node:fs";
import type { Server } from "node:net";
import type { Duplex } from "node:stream";

/** The descriptor of a stream, where the system has such a thing. */
export function descriptorOf(stream: Duplex | Server): number | undefined {
  const fd = (stream as { _handle?: { fd?: number } | null })._handle?.fd;
  return fd !== undefined && fd >= 0 ? fd : undefined;
}

/** Writes at once, past the stream's ways, what nothing waits before; the rest, or all of it, is left to the stream. */
export function writeNow(stream: Duplex, fd: number | undefined, bytes: Buffer): void {
  if (stream.destroyed) return;
  const rest = fd === undefined || stream.writableLength ? bytes : bytes.subarray(written(fd, bytes));
  if (rest.length) stream.write(rest);
}

function written(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch {
    return 0; // it is full, or gone: the stream waits, or says so
  }
}
