// One word of a command line, quoted so that a shell reads it back unchanged.
const needsNoQuotes = /^[\w@%+=:,./-]+$/;

/** Quotes only where it must. POSIX shells by default; `win32` is for cmd.exe. */
export function shellQuote(word: string, platform?: string): string {
  if (needsNoQuotes.test(word)) return word;
  return platform === "win32" ? `"${word.replaceAll('"', '\\"')}"` : singleQuote(word);
}

/** Always quotes: for assignments that are read back by their quotes. */
export const singleQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
