// SHA-256 of many files: this thread and a few worker threads take files from one shared counter.
// Invariant: reads regular files only, never waits on a pipe; what can't be read gives undefined, in the place of
// its path.
import * as crypto from "node:crypto";
import * as fs from "node:fs";
import { Worker } from "node:worker_threads";
import { os } from "../project/node-builtins.js";

export interface FileDigest {
  sha256: string;
  /** Bytes that were read; the size may have been another when the file was listed. */
  bytes: number;
}

type HashAtOnce = (algorithm: string, data: Buffer, encoding: "hex") => string;

/** Starting a thread costs about as much as hashing this many files or bytes. */
export const worthAThread = { files: 1_000, bytes: 64 << 20 };
const maxThreads = 3;

type Found = [index: number, sha256: string, bytes: number];

/** One use: `start` if there will be much to do, `hash` once, `close` in the end. */
export class FileHasher {
  #workers: Worker[] = [];

  /** Threads take a while to start; the caller can go on looking for files meanwhile. */
  start(): void {
    if (this.#workers.length) return;
    const count = Math.min(maxThreads, os().availableParallelism() - 1);
    for (let i = 0; i < count; i++) {
      const worker = new Worker(threadCode, { eval: true, execArgv: [], env: {} });
      worker.unref();
      this.#workers.push(worker);
    }
  }

  /** `paths` are absolute. Largest first gives the most even split. */
  async hash(paths: readonly string[], totalBytes: number): Promise<(FileDigest | undefined)[]> {
    if (paths.length > 1 && (paths.length > worthAThread.files || totalBytes > worthAThread.bytes)) this.start();
    const next = new Int32Array(new SharedArrayBuffer(4));
    const others = this.#workers.map((worker) => inThread(worker, paths, next));
    const found = [hashFromCounter(fs, crypto, paths, next), ...(await Promise.all(others))];
    const digests: (FileDigest | undefined)[] = new Array(paths.length).fill(undefined);
    for (const part of found) for (const [i, sha256, bytes] of part) digests[i] = { sha256, bytes };
    return digests;
  }

  /** A thread that still ends would slow down what comes next. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

export async function hashFiles(paths: readonly string[], totalBytes: number): Promise<(FileDigest | undefined)[]> {
  const hasher = new FileHasher();
  try {
    return await hasher.hash(paths, totalBytes);
  } finally {
    await hasher.close();
  }
}

const threadCode = `const { parentPort } = require("node:worker_threads");
const hash = ${hashFromCounter.toString()};
parentPort.once("message", ({ paths, next }) =>
  parentPort.postMessage(hash(require("node:fs"), require("node:crypto"), paths, next)));`;

function inThread(worker: Worker, paths: readonly string[], next: Int32Array): Promise<Found[]> {
  return new Promise((resolve, reject) => {
    worker.ref();
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`a hashing thread ended with code ${code}`)));
    worker.postMessage({ paths, next });
  });
}

/** Also run in threads, from its own source text: it may use nothing but its parameters and global names. */
function hashFromCounter(
  { openSync, readSync, closeSync, constants }: typeof fs,
  { createHash, hash: hashAtOnce }: typeof crypto & { hash?: HashAtOnce },
  paths: readonly string[],
  next: Int32Array,
): Found[] {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  const found: Found[] = [];
  for (let i = Atomics.add(next, 0, 1); i < paths.length; i = Atomics.add(next, 0, 1)) {
    let fd: number | undefined;
    try {
      fd = openSync(paths[i]!, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
      const first = readSync(fd, buffer, 0, buffer.length, null);
      // Most files fit in one read. Node has the one-step form from 20.12 on.
      if (first < buffer.length && hashAtOnce) {
        found.push([i, hashAtOnce("sha256", buffer.subarray(0, first), "hex"), first]);
        continue;
      }
      let total = first;
      const hash = createHash("sha256").update(buffer.subarray(0, first));
      for (let n = first; n > 0 && first === buffer.length; total += n) {
        n = readSync(fd, buffer, 0, buffer.length, null);
        hash.update(buffer.subarray(0, n));
      }
      found.push([i, hash.digest("hex"), total]);
    } catch {
      // gone or not ours to read: no digest
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }
  return found;
}
