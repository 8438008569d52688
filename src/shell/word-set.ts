// A set of words written as text: long lists stay readable and are looked up in constant time.

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));
