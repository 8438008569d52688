// Patterns that are compiled only for text that could match: in a process that lives for one event, compiling is most
// of the work. Invariant: everything a pattern matches contains one of its hint words; the hints decide nothing else.

export interface LazyPattern {
  /** Every match contains one of these. */
  words: readonly string[];
  pattern(): RegExp;
}

/** `words`: the hints, separated by `|`. */
export const lazyPattern = (words: string, pattern: () => RegExp): LazyPattern => ({
  words: words.split("|"),
  pattern,
});

export const findLazy = ({ words, pattern }: LazyPattern, text: string): RegExpExecArray | null =>
  words.some((word) => text.includes(word)) ? pattern().exec(text) : null;

export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

export const anyOf = (words: readonly string[], set: ReadonlySet<string>): boolean =>
  words.some((word) => set.has(word));

/** Whether the first word of a text is in the set. */
export const startsWithWord = (text: string, set: ReadonlySet<string>): boolean =>
  set.has(/^\w+/.exec(text)?.[0] ?? "");

/** ASCII only: Unicode classes would match nothing more. */
export const isPlain = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** A pattern compiled on first use. V8 compiles a literal where it is evaluated, and Unicode classes are slow. */
export function lazyRegExp(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= make());
}

/** One pattern of several alternatives, so that each can stand on a line of its own. */
export const alternatives = (parts: readonly string[], flags = ""): RegExp => new RegExp(parts.join("|"), flags);
