// Puts Interlock's entries back into a settings file that lost them while a call ran.
// Invariant: only files Interlock was installed in; the changed file is kept first; a file that git changed by moving
// to another commit is left, because a copy in its place would be in git's way.
import { relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RegistrationLoss } from "../../../model/registration-loss.js";
import { headCommit, identify } from "../../../project/identify.js";
import { askGit } from "../../../project/run-git.js";
import type { TreeSnapshot } from "../../../project/tree-snapshot.js";
import { disarms } from "../settings/disarm.js";
import { setHandlers } from "../settings/edit-settings.js";
import { readSettings } from "../settings/settings.js";
import { readTextFile, replaceText } from "../settings/settings-files.js";
import { type Install, keepCopy, readManifest } from "./install-manifest.js";
import { isOurs, tokenHeader } from "./own-entries.js";

export function putBackEntries(home: string, files: readonly string[], before: TreeSnapshot): RegistrationLoss[] {
  const { installs } = readManifest(home);
  return files.flatMap((file): RegistrationLoss[] => {
    const install = installs[file];
    const why = install && disarmedNow(file, install);
    if (!install || why === undefined) return [];
    if (belongsToGit(file, before)) return [{ file, why, left: "the file came and went with a commit of git's" }];
    try {
      return [{ file, why, putBack: repair(home, file, install, before) }];
    } catch (fault) {
      return [{ file, why, left: (fault as Error).message }];
    }
  });
}

function disarmedNow(file: string, install: Install): string | undefined {
  try {
    return disarms(readTextFile(file), install);
  } catch (fault) {
    return (fault as Error).message;
  }
}

/** HEAD moved, and the commit before had the file. */
function belongsToGit(file: string, { root, head }: TreeSnapshot): boolean {
  const repository = identify(root);
  if (head === undefined || repository.kind !== "git" || headCommit(repository) === head) return false;
  const name = relative(root, file);
  return !name.startsWith("..") && askGit(root, ["cat-file", "-e", `${head}:${name}`]) !== undefined;
}

/** The file becomes what it was; settings other than hooks that were changed meanwhile stay. */
function repair(home: string, file: string, install: Install, before: TreeSnapshot): string {
  const now = readTextFile(file);
  const copy = before.protected[file]?.copy;
  const earlier = copy === undefined ? undefined : Buffer.from(copy, "base64").toString("utf8");
  const choices = earlier === undefined ? [withEntries(now, install)] : [withHooksOf(now, earlier), earlier];
  const text = choices.find((each) => each !== undefined && !disarms(each, install));
  if (text === undefined) throw new Error("the file can't be edited as it is now");
  const kept = now === undefined ? "" : keepCopy(home, file, now, new Date());
  replaceText(file, text, text.includes(tokenHeader) ? 0o600 : undefined);
  return kept;
}

/** Undefined: only the hooks differ, or it can't be read. A half-edited hook that stayed could block every call. */
function withHooksOf(now: string | undefined, earlier: string): string | undefined {
  const [changed, old] = [readSettings(now), readSettings(earlier)];
  if (now === undefined || !changed.ok || !old.ok) return undefined;
  const { hooks: _, disableAllHooks: __, ...rest } = changed.json;
  const { hooks, disableAllHooks: ___, ...oldRest } = old.json;
  return isDeepStrictEqual(rest, oldRest) ? undefined : `${JSON.stringify({ ...rest, hooks }, null, 2)}\n`;
}

function withEntries(now: string | undefined, { handlers }: Install): string | undefined {
  try {
    return setHandlers(now?.trim() ? now : "{}\n", handlers, ({ handler }) => isOurs(handler)).text;
  } catch {
    return undefined; // laid out in a way that can't be edited
  }
}
