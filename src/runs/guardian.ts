// Ends a process group when the process that started it dies, also by kill -9.
// Invariant: a small shell waits on a pipe that only the starter holds; released, it ends without touching anything.
import { spawn } from "node:child_process";

/** SIGTERM, then SIGKILL after ten seconds. */
const script = `read -r word && [ "$word" = released ] && exit 0
kill -s TERM -- "-$1" || exit 0
n=0
while [ $n -lt 10 ] && kill -s 0 -- "-$1"; do sleep 1; n=$((n + 1)); done
kill -s KILL -- "-$1"`;

export interface Guardian {
  /** The group has ended, or is no longer to end with this process. */
  release(): void;
}

const nobody: Guardian = { release: () => undefined };

/** `pid`: leader of the group. Where there are no process groups, nobody watches. */
export function guardGroup(pid: number | undefined): Guardian {
  if (pid === undefined || process.platform === "win32") return nobody;
  const watcher = spawn("sh", ["-c", script, "interlock-guardian", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => undefined); // no sh: nobody watches
  watcher.stdin?.on("error", () => undefined);
  watcher.unref();
  return { release: () => void watcher.stdin?.end("released\n") };
}
