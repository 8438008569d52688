// Overrides a page asks for. A page only asks; a person at the terminal grants or declines.
// Invariant: nothing here lifts a refusal; a wish is a sentence in memory, bounded and gone with the server.
import { inert } from "../model/text.js";

export interface OverrideWish {
  id: number;
  /** The source it is about. */
  key: string;
  verdict: string;
  reason: string;
  what: string;
  gates: string[];
  at: number;
  status: "waiting" | "granted" | "declined";
  /** What came of it, for the page. */
  answer?: string;
}

const most = 20;

export class OverrideWishes {
  readonly #all: OverrideWish[] = [];
  #next = 1;
  /** When a terminal last asked for wishes; 0: never. */
  lastTerminal = 0;

  constructor(private readonly changed: (key: string) => void = () => {}) {}

  add(wish: Pick<OverrideWish, "key" | "verdict" | "reason" | "what" | "gates">): OverrideWish {
    const same = this.#all.find((w) => w.key === wish.key && w.verdict === wish.verdict && w.status === "waiting");
    if (same) return same;
    const made: OverrideWish = {
      ...wish,
      reason: inert(wish.reason, 200),
      id: this.#next++,
      at: Date.now(),
      status: "waiting",
    };
    this.#all.push(made);
    if (this.#all.length > most) this.#all.shift();
    this.changed(wish.key);
    return made;
  }

  of(key: string): readonly OverrideWish[] {
    return this.#all.filter((wish) => wish.key === key);
  }

  waiting(key: string): readonly OverrideWish[] {
    return this.of(key).filter((wish) => wish.status === "waiting");
  }

  answer(id: number, status: "granted" | "declined", answer: string): boolean {
    const wish = this.#all.find((one) => one.id === id && one.status === "waiting");
    if (!wish) return false;
    wish.status = status;
    wish.answer = inert(answer, 300);
    this.changed(wish.key);
    return true;
  }
}
