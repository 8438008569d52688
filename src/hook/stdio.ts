// Standard input and output of a hook, read and written whole and at once.
// Invariant: loads nothing but `fs`; input beyond the limit is cut one byte above it, which marks it as too large.
import { readSync, writeSync } from "node:fs";
import { sleep } from "../model/clock.js";

export const maxInput = 8 * 1024 * 1024 + 1;

export function readAll(): Buffer {
  let held = Buffer.allocUnsafe(16_384);
  let size = 0;
  while (size < maxInput) {
    if (size === held.length) held = Buffer.concat([held], Math.min(held.length * 4, maxInput));
    let n: number;
    try {
      n = readSync(0, held, size, held.length - size, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EAGAIN") {
        sleep(2);
        continue;
      }
      if (code === "EOF") break;
      throw error;
    }
    if (n === 0) break;
    size += n;
  }
  return held.subarray(0, size);
}

export function writeWhole(text: string): void {
  const data = Buffer.from(text);
  let written = 0;
  while (written < data.length) {
    try {
      written += writeSync(1, data, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      sleep(2);
    }
  }
}
