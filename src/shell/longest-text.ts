// How long a text may be that is read: a command, and a program in it.
// Invariant: one bound for all, so that a program inside a command that is read is never too long itself.
export const longestText = 256 * 1024;
