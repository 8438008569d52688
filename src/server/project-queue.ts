// Jobs in turn: one queue per project, the queues served round robin, so that a busy project does not block others.
// Invariant: jobs of one queue start in the order they came, at most `width` at a time; what exceeds the bounds is
// rejected at once.
export interface QueueBounds {
  /** Jobs waiting in one queue, and in all queues together. */
  perQueue: number;
  total: number;
  /** Bytes of everything that waits. */
  bytes: number;
}

interface Job {
  bytes: number;
  run: () => Promise<void>;
}

interface Queue {
  waiting: Job[];
  running: number;
  width: number;
}

export class ProjectQueue {
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  #running = 0;
  #bytes = 0;
  #starting = false;

  constructor(private readonly bounds: QueueBounds) {}

  get waiting(): number {
    return this.#waiting;
  }

  get queues(): number {
    return this.#queues.size;
  }

  /** False: there is no room, and the job was not taken. `run` must not reject. `width` is asked for only when jobs of
   * this queue are running. */
  add(key: string, bytes: number, run: () => Promise<void>, width = () => 1): boolean {
    const queue = this.#queues.get(key) ?? { waiting: [], running: 0, width: 1 };
    const { perQueue, total, bytes: most } = this.bounds;
    if (queue.waiting.length >= perQueue || this.#waiting >= total || this.#bytes + bytes > most) return false;
    if (queue.running) queue.width = width();
    queue.waiting.push({ bytes, run });
    this.#queues.set(key, queue);
    this.#waiting++;
    this.#bytes += bytes;
    this.#startJobs();
    return true;
  }

  #startJobs(): void {
    if (this.#starting) return;
    this.#starting = true;
    let started = true;
    while (started) {
      started = false;
      for (const [key, queue] of this.#queues) started = this.#startOne(key, queue) || started;
    }
    this.#starting = false;
  }

  /** Starts the next job of a queue if it may run now. */
  #startOne(key: string, queue: Queue): boolean {
    if (queue.running >= queue.width) return false;
    const job = queue.waiting.shift();
    if (!job) return false;
    queue.running++;
    this.#waiting--;
    this.#bytes -= job.bytes;
    const run = () =>
      void job.run().finally(() => {
        queue.running--;
        this.#running--;
        if (!queue.running && !queue.waiting.length) this.#queues.delete(key);
        this.#startJobs();
      });
    // Between two jobs the event loop turns once, for the sockets. If the queue is idle, run the job right away.
    const idle = this.#running === 0 && this.#waiting === 0;
    this.#running++;
    if (idle) run();
    else setImmediate(run);
    return true;
  }
}
