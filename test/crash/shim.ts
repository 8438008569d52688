// A file system whose n-th call can be made to fail, to fall short or to be the process's last.
// Invariant: calls are numbered in the order the store makes them; those not meddled with reach the real file system.
import fs from "node:fs";
import type { Io } from "../../src/store/index.js";

export type Call = { name: keyof Io; n: number; args: unknown[]; real: () => unknown };

const names = [
  "openSync",
  "closeSync",
  "readSync",
  "writeSync",
  "fsyncSync",
  "ftruncateSync",
  "fstatSync",
  "statSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "readdirSync",
  "readFileSync",
] as const satisfies (keyof Io)[];

export function shim(meddle: (call: Call) => unknown): Io & { calls(): number } {
  let n = 0;
  const io: Record<string, unknown> = { calls: () => n };
  for (const name of names) {
    const real = fs[name] as (...args: unknown[]) => unknown;
    io[name] = (...args: unknown[]) => meddle({ name, n: ++n, args, real: () => real(...args) });
  }
  return io as unknown as Io & { calls(): number };
}

export function failure(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: made to fail`), { code });
}
