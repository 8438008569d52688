// A line on standard error that moves while a long command works, also while it waits for git.
// Invariant: only at a terminal; drawn by a thread of its own, because the work itself may not return for minutes;
// once `end` returns, the line is gone and nothing is drawn any more.
import { Worker } from "node:worker_threads";

export interface Progress {
  /** What is being done now. */
  step(what: string): void;
  /** How far it is: pieces of work, files, bytes. */
  at(done: number, of?: number): void;
  end(): void;
}

const silent: Progress = { step: () => {}, at: () => {}, end: () => {} };

/** Shared with the thread: its state, done, total, length of the text; then the text in UTF-16. */
const [state, done, total, length] = [0, 1, 2, 3];
const head = 4;
const room = 200;
const ended = 2;

const drawing = `
const { workerData: { shared, first, every } } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const numbers = new Int32Array(shared, 0, ${head});
const text = new Uint16Array(shared, ${head * 4});
const started = Date.now();
const shape = "|/-\\\\";
let turn = 0;
const draw = () => {
  const [, done, total, length] = numbers;
  const share = total > 0 ? Math.min(100, Math.floor((100 * done) / total)) + " % " : "";
  const seconds = Math.round((Date.now() - started) / 1000);
  const what = String.fromCharCode(...text.subarray(0, length));
  writeSync(2, "\\r" + shape[turn++ % 4] + " " + what + " " + share + seconds + " s\\x1b[K");
};
const wait = (ms) => Atomics.wait(numbers, 0, 0, ms);
wait(first);
while (Atomics.compareExchange(numbers, 0, 0, 1) === 0) {
  try { draw(); } catch {} // the terminal is gone or full: one drawing less
  Atomics.store(numbers, 0, 0);
  wait(every);
}`;

export function startProgress(what: string): Progress {
  if (!process.stderr.isTTY) return silent;
  const shared = new SharedArrayBuffer(head * 4 + room * 2);
  const numbers = new Int32Array(shared, 0, head);
  const text = new Uint16Array(shared, head * 4);
  const step = (now: string): void => {
    const shown = now.slice(0, Math.min(room, Math.max(10, (process.stderr.columns || 80) - 20)));
    for (let i = 0; i < shown.length; i++) text[i] = shown.charCodeAt(i);
    numbers[length] = shown.length;
    numbers[done] = numbers[total] = 0;
  };
  step(what);
  const workerData = { shared, first: 400, every: 250 };
  const thread = new Worker(drawing, { eval: true, execArgv: [], env: {}, workerData });
  thread.on("error", () => {}); // no line is drawn; the work goes on
  thread.unref();
  return {
    step,
    at(now, of = 0) {
      // Counted in thousandths where the numbers are too big, such as bytes.
      const scale = of > 2 ** 30 ? of / 2 ** 30 : 1;
      numbers[done] = now / scale;
      numbers[total] = of / scale;
    },
    end() {
      while (Atomics.load(numbers, state) !== ended) Atomics.compareExchange(numbers, state, 0, ended);
      Atomics.notify(numbers, state);
      process.stderr.write("\r\u001b[K");
    },
  };
}

/** Runs work under a line of its own. */
export async function withProgress<T>(what: string, work: (progress: Progress) => T | Promise<T>): Promise<T> {
  const progress = startProgress(what);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}
