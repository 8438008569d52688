// Whether a process runs now. Its number may belong to another one meanwhile: who must know keeps its start time too.
// Invariant: one of another user counts as alive; one in another pid namespace looks dead.

export function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
