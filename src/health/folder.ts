// Doctor's area "folder": Interlock's home exists, can be written, and nobody else can read it.
import { chmodSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "../model/shell-quote.js";
import { folderFault } from "../server/home-preflight.js";
import type { CheckContext } from "./context.js";
import type { HealthFinding, Repair } from "./finding.js";

const area = "folder";
const privatePaths = ["", "key", "server", "server/door.json", "server/spool", "bin"];

export function checkFolder({ home }: Pick<CheckContext, "home">): HealthFinding[] {
  if (!existsSync(home)) {
    const what = `${home} does not exist yet; the first event creates it`;
    return [{ area, ok: false, mild: true, what, fix: "interlock init" }];
  }
  const fault = folderFault(home);
  if (fault) {
    const { why, fix, blockingFile, lockedFolder } = fault;
    const what = `${why}: nothing is recorded meanwhile; protecting gates still judge`;
    if (blockingFile !== undefined) return [{ area, ok: false, what, fix, repair: moveAway(blockingFile) }];
    if (lockedFolder !== undefined) return [{ area, ok: false, what, fix, repair: makePrivate(lockedFolder) }];
    return [{ area, ok: false, what, fix }];
  }
  if (process.platform === "win32") return [{ area, ok: true, what: home }];
  const readable = privatePaths
    .map((name) => join(home, name))
    .filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (!readable.length) return [{ area, ok: true, what: `${home} is private to you` }];
  return readable.map((path) => ({ area, ok: false, what: `${path} can be read by other users`, ...privacy(path) }));
}

/** The command and the repair for something that others can read. */
export const privacy = (path: string) => ({ fix: `chmod go-rwx ${shellQuote(path)}`, repair: makePrivate(path) });

const makePrivate = (path: string): Repair => ({
  stage: "files",
  id: `private ${path}`,
  will: `make ${path} readable by you alone`,
  async apply() {
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
    return undefined;
  },
});

const moveAway = (path: string): Repair => ({
  stage: "files",
  id: `move ${path}`,
  will: `rename ${path} to ${path}.old`,
  async apply() {
    renameSync(path, `${path}.old`);
    return undefined;
  },
});
