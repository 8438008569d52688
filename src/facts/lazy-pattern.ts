// Patterns that are compiled only for text that could match: in a process that lives for one event compiling them is most of the work.
// Invariant: everything a pattern matches holds one of its words; looking for the words decides nothing else.
/** A pattern and words of which everything it matches holds one. */
export interface LazyPattern {
  words: readonly string[];
  pattern(): RegExp;
}
export const lazyPattern = (words: string, pattern: () => RegExp): LazyPattern => ({
  words: words.split("|"),
  pattern,
});
export const findLazy = ({ words, pattern }: LazyPattern, text: string): RegExpExecArray | null =>
  words.some((word) => text.includes(word)) ? pattern().exec(text) : null;
export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
export const anyOf = (words: readonly string[], set: ReadonlySet<string>): boolean =>
  words.some((word) => set.has(word));
/** The word a text begins with. */
export const startsWithWord = (text: string, set: ReadonlySet<string>): boolean =>
  set.has(/^\w+/.exec(text)?.[0] ?? "");
/** Nothing but what every keyboard has: Unicode's classes would say no more than ASCII's. */
export const isPlain = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** A pattern that is made when it is first asked for: V8 reads one where its literal is run, and Unicode's classes are slow to read. */
export function lazyRegExp(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= make());
}
