// Where work is kept that a command would lose: a repository of its own in Interlock's folder, which borrows the
// project's objects.
// Invariant: nothing is written to the project's repository, so its log, pushes, mirrors and pruning never see it.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keptWorkHolds, packWhatIsKept } from "./kept-content.js";
import { askGit } from "./run-git.js";

const prefix = "refs/kept/";
/** Where earlier releases kept it, in the project's own repository. */
const earlier = "refs/interlock/kept/";

export interface KeptWork {
  id: string;
  what: string;
  /** When it was kept, ms. */
  at: number;
  commit: string;
  /** Kept in the project's own repository by an earlier release. */
  earlier?: true;
}

export const keptStore = (folder: string): string => join(folder, "kept-work.git");

export const keptRef = (id: string): string => `${prefix}${id}`;

/** Makes the repository, or renews what it borrows. False: git can't. */
export function prepareKeptStore(folder: string, commonDir: string): boolean {
  const store = keptStore(folder);
  if (!existsSync(join(store, "HEAD"))) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (askGit(folder, ["init", "--quiet", "--bare", store], { ms: 5_000 }) === undefined) return false;
  }
  mkdirSync(join(store, "objects", "info"), { recursive: true });
  writeFileSync(join(store, "objects", "info", "alternates"), `${join(commonDir, "objects")}\n`);
  mkdirSync(join(store, "info"), { recursive: true });
  const excluded = join(commonDir, "info", "exclude");
  if (existsSync(excluded)) copyFileSync(excluded, join(store, "info", "exclude"));
  return true;
}

/** Newest first. */
export function listKeptWork(folder: string, root: string): KeptWork[] {
  const own = existsSync(join(keptStore(folder), "HEAD")) ? refsIn(keptStore(folder), prefix) : [];
  return [...own, ...refsIn(root, earlier).map((work) => ({ ...work, earlier: true as const }))];
}

function refsIn(where: string, under: string): KeptWork[] {
  const format = "--format=%(refname) %(objectname) %(subject)";
  const lines = askGit(where, ["for-each-ref", "--sort=-refname", format, under])?.toString("utf8").split("\n") ?? [];
  return lines.filter(Boolean).map((line) => {
    const [ref = "", commit = "", ...subject] = line.split(" ");
    const id = ref.slice(under.length);
    return { id, what: subject.join(" "), at: timeOf(id), commit };
  });
}

/** `2026-11-16T20-18-08-123Z`, as the ids begin. */
const timeOf = (id: string): number =>
  Date.parse(id.replace(/^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3})Z.*$/, "$1:$2:$3.$4Z")) || 0;

/** Whether a name or a content in it holds one of the texts. */
export const holdsText = (folder: string, root: string, { commit, earlier }: KeptWork, texts: readonly string[]) =>
  keptWorkHolds(earlier ? root : keptStore(folder), commit, texts);

/** Removes what `goes` names, and its content; returns the ids. */
export function dropKeptWork(folder: string, root: string, goes: (work: KeptWork) => boolean): string[] {
  const all = listKeptWork(folder, root);
  const gone = all.filter(goes);
  for (const work of gone.filter((w) => w.earlier)) askGit(root, ["update-ref", "-d", `${earlier}${work.id}`]);
  const own = all.filter((w) => !w.earlier);
  const store = keptStore(folder);
  if (own.length && own.every((w) => gone.includes(w))) rmSync(store, { recursive: true, force: true });
  else if (own.some((w) => gone.includes(w))) {
    for (const { id } of own.filter((w) => gone.includes(w))) askGit(store, ["update-ref", "-d", keptRef(id)]);
    const left = own.filter((w) => !gone.includes(w));
    packWhatIsKept(
      store,
      left.map((w) => w.commit),
    );
    askGit(store, ["prune", "--expire=now"], { ms: 30_000 });
  }
  return gone.map((w) => w.id);
}

/** The variables with which the project's git reads kept objects. */
export const borrowing = (folder: string): Record<string, string> => ({
  GIT_ALTERNATE_OBJECT_DIRECTORIES: join(keptStore(folder), "objects"),
});
