// An option no table lists may or may not take the next word. This file has a tool judged under every such reading.
// Invariant: the effects of a command are those of all its readings together, so the gravest one always counts.
import type { Arg, Invocation } from "../analyze/tool.js";

/** An unlisted option and the word behind it, which is its argument in one reading and an operand in the other. */
interface Doubt {
  name: string;
  option: Arg;
  word: Arg;
}

/** Doubts of the call that is being read. Calls nest (`sudo kubectl`), so each has its own list. */
let found: Doubt[] | undefined;
/** Options that some table listed: a tool may read the same words by several. */
let known = new Set<Arg>();

/**
 * Reported by the option parser. A word that begins with a dash is taken for an option, never for an argument, and an
 * option that is a number (`nice -5`) is its own argument.
 */
export function doubt(name: string, option: Arg, word: Arg | undefined): void {
  if (/^\d+$/.test(name)) return;
  if (found && word && !(word.value ?? word.prefix).startsWith("-")) found.push({ name, option, word });
}

/** Reported by the option parser: the table lists this option. */
export function listed(option: Arg): void {
  if (found) known.add(option);
}

/** These words belong to another program: what their options take is its matter. */
export function handedOn(words: readonly Arg[]): void {
  if (found) for (const word of words) known.add(word);
}

/** A tool that asks whether an option was given knows it: it is a flag and takes no word. */
export function settle(names: readonly string[]): void {
  if (found?.length) found = found.filter((one) => !names.includes(one.name));
}

function doubtsOf(lower: () => void): Doubt[] {
  const outer = { found, known };
  found = [];
  known = new Set();
  try {
    lower();
    return found.filter(({ option }) => !known.has(option));
  } finally {
    ({ found, known } = outer);
  }
}

const mostReadings = 16;

/**
 * Judges `call` as it stands, then with every set of doubtful words left out. `lower` judges one reading, `again` calls
 * a further one, keeps of its effects what is new, and says whether more may follow. False: some were not tried.
 */
export function eachReading(
  call: Invocation,
  lower: (call: Invocation) => void,
  again: (judge: () => void) => boolean,
): boolean {
  const queue: Doubt[][] = [[]];
  const seen = new Set<string>();
  for (let at = 0; at < queue.length; at++) {
    if (at >= mostReadings) return false;
    const taken = queue[at]!;
    let doubts: Doubt[] = [];
    const judge = () => {
      const words = new Set(taken.map((one) => one.word));
      const args = taken.length ? call.args.filter((arg) => !words.has(arg)) : call.args;
      doubts = doubtsOf(() => lower(taken.length ? { ...call, args } : call));
    };
    if (at === 0) judge();
    else if (!again(judge)) return false;
    const settled = new Set(taken.map((one) => one.option));
    for (const one of doubts) {
      if (settled.has(one.option) || !call.args.includes(one.word)) continue;
      const next = [...taken, one];
      const key = next
        .map(({ word }) => call.args.indexOf(word))
        .sort((a, b) => a - b)
        .join(" ");
      if (!seen.has(key)) queue.push(next);
      seen.add(key);
    }
  }
  return true;
}
