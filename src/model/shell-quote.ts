// Writes a word so that a POSIX shell reads it back as exactly that word.

/** Words that need no quotes stay as they are. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
