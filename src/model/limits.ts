// Every time limit an event meets on its way, in milliseconds, in one table. Loads nothing.
// Invariant: the limits nest (limits.test.ts): whoever waits, waits longer than what it waits for, so that a call
// somebody has given up on is never recorded as passed.

export const limits = {
  /** The host waits this long for a hook: the timeout `init` registers. When it passes, the host decides. */
  host: 30_000,
  /** The server reads a whole request within this time. */
  request: 5_000,
  /** The server answers a call within this time, with a refusal if nobody judged it. */
  server: 24_000,
  /** The gates judge an event within this time: the default and the most `deadlineMs` in interlock.yaml can set. */
  judge: 8_000,
  /** All adopted hooks of one event together. */
  adopted: 14_000,
  /** A worker waits this long for the lock of the record. */
  record: 6_000,
  /** A hook process waits this long: nobody queues behind it. */
  recordAlone: 18_000,
  /** A worker that has calls and sends nothing for this long is killed; the next one gets its calls. */
  stuckWorker: 15_000,
  /** A caller in the spool whose request nobody took decides by itself after this time. */
  spoolTaken: 1_000,
  /** A caller in the spool whose request nobody answered decides by itself after this time. */
  spoolAnswer: 10_000,
  /** The shim kills the process it started to decide by itself after this time. */
  shimAlone: 15_000,
  /** A hook process waits this long, from its start, for its turn among many; then it refuses. */
  turn: 19_000,
  /** The same in a process the shim started. */
  turnAlone: 5_000,
  /** A record is written this long before somebody gives up on its answer, or the call is recorded as refused. */
  margin: 1_500,
  /** Commands and repairs outside the pipeline wait this long for the lock of a record. */
  lock: 5_000,
} as const;
