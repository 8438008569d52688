// Lets several sessions of a benchmark make their calls in turn.
export class Turns {
  #turn = 0;
  readonly #left = new Set<number>();
  readonly #waiting = new Map<number, () => void>();

  constructor(private readonly size: number) {}

  /** Ends this session's turn and waits for its next. With `last` it does not come back. */
  async next(arm: number, last: boolean): Promise<void> {
    const waits = new Promise<void>((resolve) => this.#waiting.set(arm, resolve));
    if (this.#turn === arm) this.#pass();
    await waits;
    if (last) this.leave(arm);
  }

  leave(arm: number): void {
    this.#left.add(arm);
    if (this.#turn === arm) this.#pass();
  }

  #pass(): void {
    for (let i = 0; i < this.size; i++) {
      this.#turn = (this.#turn + 1) % this.size;
      if (!this.#left.has(this.#turn)) break;
    }
    const go = this.#waiting.get(this.#turn);
    this.#waiting.delete(this.#turn);
    go?.();
  }
}
