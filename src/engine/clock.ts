// Monotonic milliseconds. Not `performance.now()`: touching it makes Node load perf_hooks, which a hook call would pay for.
export const monotonic = (): number => {
  const [s, ns] = process.hrtime();
  return s * 1000 + ns / 1e6;
};
