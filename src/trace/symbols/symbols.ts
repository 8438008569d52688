// Names of the functions, classes and other declarations that ranges of lines touch. Invariant: sorted by their place
// in the file, each once; a file that can't be read that way has none.

/** Lines are counted from 1; `end` is the last one. */
export function symbolsTouched(
  _path: string,
  _text: string,
  _ranges: readonly { start: number; end: number }[],
): string[] {
  return [];
}
