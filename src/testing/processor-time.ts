// Measures what work costs this process, so that growth can be compared while other programs use the machine.

/** The least processor time of several rounds, in microseconds and at least 1. */
export async function processorTime(work: () => unknown, rounds = 3): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, user + system);
  }
  return Math.max(least, 1);
}
