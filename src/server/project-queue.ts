// Work in turns: one line per project, the lines served one after the other, so that a busy project makes no other wait.
// Invariant: within a line work is done in the order it came, at most `width` at a time; what does not fit in the bounds is turned away at once.
export interface Bounds {
  /** Waiting in one line, and in all lines together. */
  perLine: number;
  total: number;
  /** Bytes of all that waits. */
  bytes: number;
}

interface Job {
  bytes: number;
  work: () => Promise<void>;
}

interface Line {
  waiting: Job[];
  running: number;
  width: number;
}

export class Turns {
  readonly #lines = new Map<string, Line>();
  #waiting = 0;
  #running = 0;
  #bytes = 0;
  #busy = false;

  constructor(private readonly bounds: Bounds) {}

  get waiting(): number {
    return this.#waiting;
  }

  get lines(): number {
    return this.#lines.size;
  }

  /** False: there is no room, and nothing was taken. `work` must not throw. */
  add(key: string, bytes: number, work: () => Promise<void>, width = 1): boolean {
    const line = this.#lines.get(key) ?? { waiting: [], running: 0, width };
    const { perLine, total, bytes: most } = this.bounds;
    if (line.waiting.length >= perLine || this.#waiting >= total || this.#bytes + bytes > most) return false;
    line.width = width;
    line.waiting.push({ bytes, work });
    this.#lines.set(key, line);
    this.#waiting++;
    this.#bytes += bytes;
    this.#serve();
    return true;
  }

  #serve(): void {
    if (this.#busy) return;
    this.#busy = true;
    let started = true;
    while (started) {
      started = false;
      for (const [key, line] of this.#lines) started = this.#start(key, line) || started;
    }
    this.#busy = false;
  }

  /** One job of the line, if its turn has come. */
  #start(key: string, line: Line): boolean {
    if (line.running >= line.width) return false;
    const job = line.waiting.shift();
    if (!job) return false;
    line.running++;
    this.#waiting--;
    this.#bytes -= job.bytes;
    const work = () =>
      void job.work().finally(() => {
        line.running--;
        this.#running--;
        if (!line.running && !line.waiting.length) this.#lines.delete(key);
        this.#serve();
      });
    // Between two jobs the loop turns once: other lines and the sockets get their say. Who comes when nobody is at work need not wait for that.
    const alone = this.#running === 0 && this.#waiting === 0;
    this.#running++;
    if (alone) work();
    else setImmediate(work);
    return true;
  }
}
