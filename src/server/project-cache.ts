// Opened projects kept between events: what was read stays in use as long as no file it came from has changed.
// Invariant: every event looks at those files again (inode, size, both times); a change of any of them opens the project anew.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Opened, type OpenOptions, open } from "../hook/open-project.js";

interface Warm {
  opened: Opened;
  stamp: Stamp[];
}

/** Of one file: which it is and when it was last touched; nothing where there is none. */
type Stamp = number | undefined;

const kept = 64;

/** An `open` with a memory. */
export function warmOpen(): (folder: string, options: OpenOptions) => Opened | Promise<Opened> {
  const projects = new Map<string, Warm>();
  const anew = async (name: string, folder: string, options: OpenOptions): Promise<Opened> => {
    // Stamped before it is read: what changes in between is noticed with the next event.
    const stamp = stampOf(folder, projects.get(name)?.opened ?? (await open(folder, options)), true);
    const opened = await open(folder, options);
    projects.delete(name);
    if (projects.size >= kept) projects.delete(projects.keys().next().value!);
    projects.set(name, { opened, stamp });
    return opened;
  };
  return (folder, options) => {
    const name = `${folder}\n${options.env["CLAUDE_CONFIG_DIR"] ?? ""}`;
    const known = projects.get(name);
    const unkept = known?.opened.settings.keep !== undefined;
    return known && isSame(stampOf(folder, known.opened, unkept), known.stamp)
      ? known.opened
      : anew(name, folder, options);
  };
}

/** Whether the folder still belongs to that repository, and whether its configuration is what was read; the store sees to the key. */
function stampOf(
  folder: string,
  { repository, home, folder: own, userFile, projectFile, consentsFile }: Opened,
  unkept: boolean,
): Stamp[] {
  const parts: Stamp[] = [];
  for (let at = folder; ; at = dirname(at)) {
    parts.push(statSync(join(at, ".git"), { throwIfNoEntry: false })?.ino);
    if (at === repository.root || at === dirname(at)) break;
  }
  const files = [userFile, projectFile, consentsFile];
  // Until there is a key the configuration is kept in no file; then those two change, and it is opened once more.
  if (unkept) files.push(join(own, "config.json"), join(home, "key"));
  for (const file of files) {
    const stat = statSync(file, { throwIfNoEntry: false });
    parts.push(stat?.ino, stat?.size, stat?.mtimeMs, stat?.ctimeMs);
  }
  return parts;
}

/** As far as it was looked at now. */
function isSame(now: readonly Stamp[], before: readonly Stamp[]): boolean {
  for (let i = 0; i < now.length; i++) if (now[i] !== before[i]) return false;
  return true;
}
