// Standard input and output of a hook, read and written whole and at once.
// Invariant: loads nothing but `fs`; input beyond the limit is cut one byte above it, which marks it as too large.
import { readSync, writeSync } from "node:fs";

export const maxInput = 8 * 1024 * 1024 + 1;

export function readAll(): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  const chunk = Buffer.allocUnsafe(65536);
  while (size < maxInput) {
    let n: number;
    try {
      n = readSync(0, chunk, 0, Math.min(chunk.length, maxInput - size), null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") {
        pause(2);
        continue;
      }
      if (code === "EOF") break;
      throw error;
    }
    if (n === 0) break;
    chunks.push(Buffer.from(chunk.subarray(0, n)));
    size += n;
  }
  return Buffer.concat(chunks, size);
}

export function writeWhole(text: string): void {
  const data = Buffer.from(text);
  let written = 0;
  while (written < data.length) {
    try {
      written += writeSync(1, data, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      pause(2);
    }
  }
}

const cell = new Int32Array(new SharedArrayBuffer(4));

export const pause = (ms: number): void => void Atomics.wait(cell, 0, 0, ms);
