// Path words to absolute paths, without touching the disk.
// Invariant: a result is absolute and normalised; what depends on an unknown directory is undefined.

const longestPath = 8_192;

export function resolvePath(cwd: string | undefined, word: string): string | undefined {
  // No system has a longer path; a chain of `cd` makes one.
  if (word === "" || word.length + (cwd?.length ?? 0) > longestPath) return undefined;
  if (word.startsWith("/")) return normalise(word, cwd);
  // A drive of Windows has its place below /mnt, as in WSL.
  const [, drive, rest] = /^([a-z]):[\\/](.*)$/is.exec(word) ?? [];
  if (drive && cwd?.startsWith("/"))
    return normalise(`/mnt/${drive.toLowerCase()}/${rest!.replaceAll("\\", "/")}`, cwd);
  return cwd === undefined ? undefined : normalise(`${cwd}/${word}`, cwd);
}

function normalise(path: string, cwd: string | undefined): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
    // /proc/self/root and /proc/self/cwd are other spellings of / and of the working directory.
    if (parts.length === 3 && parts[0] === "proc" && /^(self|thread-self|\d+)$/.test(parts[1]!)) {
      if (parts[2] === "root") parts.length = 0;
      else if (parts[2] === "cwd" && cwd !== undefined && parts[1] !== "1")
        parts.splice(0, 3, ...cwd.split("/").filter(Boolean));
    }
  }
  return `/${parts.join("/")}`;
}

export const isInside = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Standard streams and bit buckets: nothing on disk is read or changed through them. */
export const isStreamPath = (path: string): boolean =>
  /^\/dev\/(null|zero|full|u?random|stdin|stdout|stderr|tty|ptmx|fd(\/\d+)?|pts\/\d+)$/.test(path) ||
  /^\/proc\/(self|\d+)\/fd\/\d+$/.test(path);
