// interlock restore: undoes changes found after a call, and brings back work that a command lost.
// Invariant: nothing is overwritten that is not kept first; each restoration is a record.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Opened } from "../../hook/open-project.js";
import type { JsonObject } from "../../model/json.js";
import { keepWork } from "../../packs/guard/destructive/keep-work.js";
import { borrowing, listKeptWork } from "../../project/kept-work.js";
import { restorePath } from "../../project/restore.js";
import { askGit } from "../../project/run-git.js";
import { keepSnapshot, keptSnapshot, restoreProtected } from "../../project/snapshot-file.js";
import { takeSnapshot } from "../../project/tree-snapshot.js";
import { keptFile } from "../../project/watch-folder.js";
import { parseOptions } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { bold, dim, green, red, shown } from "../lib/paint.js";
import { withProgress } from "../lib/progress.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock restore [list]            what can be restored
       interlock restore v-12              put back the files that verdict reported as changed
       interlock restore <kept work>       bring back the work tree as it was before a command that loses work
Options: --json. What is in the way is kept first and can be restored in turn.
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { json: "flag", cwd: "text", home: "text" }, usage, "words");
  const opened = await openHere(values);
  const [what = "list"] = words;
  if (what === "list") return list(opened, values.json);
  const by = person(values.json, "script");
  if (by === undefined) return 1;
  const done = await withProgress("bringing the files back", () =>
    what.startsWith("v-") ? restoreFiles(opened, what) : restoreWork(opened, what),
  );
  if ("why" in done) return fail(done.why, values.json);
  const failed = done.files.filter((f) => f.why !== undefined);
  opened.store.append(() => ({
    type: "restore",
    body: {
      from: what,
      by,
      files: done.files as JsonObject[],
      ...(done.undo && { undo: done.undo }),
    },
  }));
  if (values.json) printJson({ restored: what, ...done });
  else {
    for (const { path, why } of done.files)
      say(why ? `${red("not restored")} ${shown(path)}: ${why}` : `${green("restored")} ${shown(path)}`);
    if (done.undo) say(dim(`What was in the way is kept: interlock restore ${done.undo}`));
  }
  return failed.length ? 1 : 0;
}

type Done = { files: { path: string; why?: string }[]; undo?: string } | { why: string };

/** From the snapshot taken before the call. */
async function restoreFiles({ folder, store, repository }: Opened, id: string): Promise<Done> {
  const snapshot = keptSnapshot(keptFile(folder, id));
  if (!snapshot) return { why: `nothing is kept under ${shown(id, 40)}; interlock restore lists what is` };
  const undoing = id.endsWith(".undo");
  const observed = (store.find(id.replace(/\.undo$/, ""))?.body as { observed?: { tampering?: { path: string }[] } })
    ?.observed;
  const paths = observed?.tampering?.map((f) => f.path) ?? Object.keys(snapshot.protected);
  const undo = `${id}.undo`;
  if (!undoing) {
    const now = await takeSnapshot(repository.root, {
      protectedFiles: paths,
      keepCopies: true,
      limits: { entries: 0 },
    });
    keepSnapshot(keptFile(folder, undo), now);
  }
  const files = paths.map((path) => {
    const why = undoing
      ? restoreProtected(snapshot, path)
        ? undefined
        : "it was too large"
      : restorePath(snapshot, path);
    return why === undefined ? { path } : { path, why };
  });
  return undoing ? { files } : { files, undo };
}

/** From what was kept before a command that would lose work. */
function restoreWork({ repository, folder }: Opened, name: string): Done {
  const { root } = repository;
  const env = borrowing(folder);
  const git = (...args: string[]) => askGit(root, args, { ms: 30_000, env })?.toString("utf8").trim();
  const commit = listKeptWork(folder, root).find((w) => w.id === name || name.endsWith(`/${w.id}`))?.commit;
  if (!commit) return { why: `nothing is kept under ${shown(name, 60)}; interlock restore lists what is` };
  if (/-stash-\d+$/.test(name)) {
    // The project's own git must find the objects without ours.
    const list = git("rev-list", "--objects", commit, "--not", "--branches", "--tags", "HEAD") ?? "";
    const input = list
      .split("\n")
      .map((line) => line.split(" ")[0])
      .join("\n");
    const pack = join(repository.commonDir ?? repository.gitDir!, "objects", "pack", "pack");
    const copied = askGit(root, ["pack-objects", "-q", pack], { ms: 30_000, env, input }) !== undefined;
    const stored = copied && git("stash", "store", "-m", `restored from ${name}`, commit) !== undefined;
    return stored ? { files: [{ path: "git stash" }] } : { why: "git could not store the stash" };
  }
  const kept = keepWork({ repo: root, id: `restore of ${name}` }, { now: Date.now(), folder });
  const put = git("restore", "--overlay", "--worktree", `--source=${commit}`, "--", ".");
  if (put === undefined) return { why: "git could not write the files back; nothing else was changed" };
  const files = git("diff", "--name-only", `${commit}^`, commit)?.split("\n").filter(Boolean) ?? [];
  return {
    files: files.slice(0, 200).map((path) => ({ path })),
    ...(kept["kept"] === true && { undo: String(kept["id"]) }),
  };
}

function list({ folder, repository, store }: Opened, json: boolean | undefined): number {
  const verdicts = namesIn(join(folder, "kept")).map((id) => ({
    id,
    files:
      (
        store.find(id.replace(/\.undo$/, ""))?.body as { observed?: { tampering?: { path: string }[] } }
      )?.observed?.tampering?.map((f) => f.path) ?? [],
  }));
  const work = listKeptWork(folder, repository.root).map(({ id, what }) => ({ id, what }));
  if (json) printJson({ verdicts, work });
  else {
    for (const { id, files } of verdicts) say(`${bold(id)}  ${files.map((f) => shown(f, 80)).join(", ")}`);
    for (const { id, what } of work) say(`${bold(id)}  ${shown(what)}`);
    if (!verdicts.length && !work.length) say("Nothing is kept.");
  }
  return 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => name.slice(0, -5))
      .sort();
  } catch {
    return []; // no such folder: nothing was ever found
  }
}

function fail(why: string, json: boolean | undefined): number {
  if (json) printJson({ restored: false, why });
  else sayError(`interlock: ${why}.`);
  return 1;
}
