// Time as every room has it. Loads nothing: a hook call would pay for it.

/** Monotonic milliseconds. Not `performance.now()`: that makes Node load perf_hooks, which costs a hook time. */
export const monotonic = (): number => {
  const [s, ns] = process.hrtime();
  return s * 1000 + ns / 1e6;
};

let cell: Int32Array | undefined;

/** Holds the whole process up for that long. */
export function sleep(ms: number): void {
  cell ??= new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(cell, 0, 0, ms);
}
