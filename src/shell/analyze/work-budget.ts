// How much work an analysis may do: units, not milliseconds, so that a text has the same answer on every machine.
// Invariant: scripts of the project draw on a pool of their own, each on at most half of what is left of it, so the
// commands of the given text are looked at whatever the scripts among them cost.

/** One unit is about what `echo a` costs. */
export const mostWork = { own: 24_000, scripts: 24_000 };

/** What small scripts need is always there, as long as anything is. */
const leastShare = 400;

export class WorkBudget {
  #left: number;
  #reported = false;

  constructor(
    units: number,
    /** The budget that scripts draw on; undefined in a script, where they draw on its own. */
    readonly pool?: WorkBudget,
    private readonly parent?: WorkBudget,
  ) {
    this.#left = units;
  }

  get isOut(): boolean {
    return this.#left <= 0 || (this.parent?.isOut ?? false);
  }

  spend(units: number): void {
    this.#left -= units;
    this.parent?.spend(units);
  }

  /** The budget of a script that runs under this one. */
  forScript(): WorkBudget {
    const source = this.pool ?? this;
    return new WorkBudget(Math.max(source.#left / 2, Math.min(source.#left, leastShare)), undefined, source);
  }

  /** True the first time it is asked: that the budget is out is said once. */
  report(): boolean {
    if (this.#reported) return false;
    this.#reported = true;
    return true;
  }
}

export const workBudget = (): WorkBudget => new WorkBudget(mostWork.own, new WorkBudget(mostWork.scripts));
