// What kept work consists of: the objects it does not share with the commit it was made on.
// Invariant: reads git's objects only; `packWhatIsKept` writes to the repository of kept work alone.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { askGit } from "./run-git.js";

const patient = { ms: 60_000, maxBytes: 1 << 30 };

/** Names and ids of the objects. `where`: the repository that has them. */
function objectsOf(where: string, commit: string): { id: string; name: string }[] {
  const list = (...args: string[]) => askGit(where, ["rev-list", "--objects", "--missing=allow-any", ...args], patient);
  // The first commit of a project has no parent.
  const lines = (list(commit, `^${commit}^1`) ?? list(commit))?.toString("utf8").split("\n") ?? [];
  return lines.filter(Boolean).map((line) => {
    const [id = "", ...name] = line.split(" ");
    return { id, name: name.join(" ") };
  });
}

/** Whether a name, a message or a content of kept work holds one of the texts. */
export function keptWorkHolds(where: string, commit: string, texts: readonly string[]): boolean {
  const objects = objectsOf(where, commit);
  if (objects.some(({ name }) => texts.some((text) => name.includes(text)))) return true;
  const input = objects.map(({ id }) => `${id}\n`).join("");
  const contents = askGit(where, ["cat-file", "--batch", "--buffer"], { ...patient, input });
  // What can't be read can't be said to hold nothing.
  return contents === undefined || texts.some((text) => contents.includes(text));
}

/** Packs of the repository of kept work without the objects of what was dropped: git prunes single objects only. */
export function packWhatIsKept(store: string, commits: readonly string[]): void {
  const folder = join(store, "objects", "pack");
  const packs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".idx")) : [];
  if (!packs.length) return;
  const wanted = new Set(commits.flatMap((commit) => objectsOf(store, commit).map(({ id }) => id)));
  const own = packs.flatMap((name) => packedIds(store, join(folder, name)));
  const input = [...new Set(own)]
    .filter((id) => wanted.has(id))
    .map((id) => `${id}\n`)
    .join("");
  const made = input && askGit(store, ["pack-objects", "-q", join(folder, "pack")], { ...patient, input });
  if (made === undefined) return;
  const fresh = made.toString().trim();
  for (const name of readdirSync(folder))
    if (packs.some((pack) => name.startsWith(pack.slice(0, -4))) && !(fresh && name.includes(fresh)))
      rmSync(join(folder, name), { force: true });
}

const packedIds = (store: string, index: string): string[] =>
  askGit(store, ["verify-pack", "-v", index.replace(/\.idx$/, ".pack")], patient)
    ?.toString("latin1")
    .split("\n")
    .flatMap((line) => /^[0-9a-f]{40,64}(?= (?:commit|tree|blob|tag) )/.exec(line) ?? []) ?? [];
