// Opened projects kept between events, as long as no file they were read from has changed.
// Invariant: every event checks those files again (inode, size, both times); any change opens the project again.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { adoptedHooks } from "../hook/adopted-hooks.js";
import { type Opened, type OpenOptions, open } from "../hook/open-project.js";

interface CachedProject {
  opened: Opened;
  stamp: FileStamp[];
}

/** One property of one file; undefined where there is no file. */
type FileStamp = number | undefined;

const most = 64;

export class ProjectCache {
  readonly #projects = new Map<string, CachedProject>();

  readonly open = (folder: string, options: OpenOptions): Opened | Promise<Opened> => {
    const name = `${folder}\n${options.env["CLAUDE_CONFIG_DIR"] ?? ""}`;
    const known = this.#projects.get(name);
    const unkept = known?.opened.settings.keep !== undefined;
    return known && isSame(stampOf(folder, known.opened, unkept), known.stamp)
      ? known.opened
      : this.#openAgain(name, folder, options);
  };

  /** Whether adopted hooks run in that folder, as far as it is open. */
  adopts(folder: string): boolean {
    for (const [name, { opened }] of this.#projects)
      if (name.startsWith(`${folder}\n`)) return adoptedHooks(opened).length > 0;
    return false;
  }

  async #openAgain(name: string, folder: string, options: OpenOptions): Promise<Opened> {
    // Stamped before it is read: a change in between is noticed with the next event.
    const stamp = stampOf(folder, this.#projects.get(name)?.opened ?? (await open(folder, options)), true);
    const opened = await open(folder, options);
    this.#projects.delete(name);
    if (this.#projects.size >= most) this.#projects.delete(this.#projects.keys().next().value!);
    this.#projects.set(name, { opened, stamp });
    return opened;
  }
}

/** Whether the folder still belongs to that repository and its configuration is unchanged. The store checks the key. */
function stampOf(
  folder: string,
  { repository, home, folder: own, userFile, projectFile, consentsFile }: Opened,
  unkept: boolean,
): FileStamp[] {
  const parts: FileStamp[] = [];
  for (let at = folder; ; at = dirname(at)) {
    parts.push(statSync(join(at, ".git"), { throwIfNoEntry: false })?.ino);
    if (at === repository.root || at === dirname(at)) break;
  }
  const files = [userFile, projectFile, consentsFile];
  // Without a key the compiled configuration is in no file yet. Once there is one, these two change.
  if (unkept) files.push(join(own, "config.json"), join(home, "key"));
  for (const file of files) {
    const stat = statSync(file, { throwIfNoEntry: false });
    parts.push(stat?.ino, stat?.size, stat?.mtimeMs, stat?.ctimeMs);
  }
  return parts;
}

/** Compares as many parts as were taken now. */
const isSame = (now: readonly FileStamp[], before: readonly FileStamp[]): boolean =>
  now.every((part, i) => part === before[i]);
