// Files that a copy or a pattern would take away and that nothing brings back, as things stand on disk.
// Invariant: only what is proved counts: the file is there, git does not have its content, nothing kept it before.
import { statSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { Effect, PathEffect } from "../model/effect.js";
import { hazard } from "../model/hazards.js";
import { compileGlob, matchCompiled } from "../project/globs.js";
import { askGitList } from "../project/run-git.js";
import type { Danger } from "../shell/hazards/path-hazards.js";
import { isTemporary } from "../shell/hazards/places.js";
import type { Facts } from "./index.js";
import { isCopy, isDatabaseDelete, isPatternDelete } from "./lossy-effects.js";
import { isFolder } from "./shell-analysis.js";

/** Copies over uncommitted work or a personal file, and deletes by a pattern that meet uncommitted work. */
export function lostFiles(facts: Facts): Danger[] {
  return facts.effects.flatMap((effect, at): Danger[] => {
    if (isDatabaseDelete(effect) && deletesDatabase(facts, effect, at))
      return [{ effect, hazard: hazard("database-change") }];
    if (isPatternDelete(effect) && deletesMatching(facts, effect.path))
      return [{ effect, hazard: hazard("delete-changed") }];
    if (!isCopy(effect)) return [];
    const found = landings(effect.path, effect.copyOf)
      .map((target) => overwrites(facts, effect, target, at))
      .find(Boolean);
    return found ? [{ effect, hazard: hazard(found) }] : [];
  });
}

/** Where the copy ends: in a folder that is there it keeps its name, which the path may have already. */
function landings(path: string, copyOf: string): string[] {
  if (copyOf.endsWith("/.") || !isFolder(path)) return [path];
  const inside = join(path, basename(copyOf));
  return basename(path) === basename(copyOf) ? [path, inside] : [inside];
}

function overwrites(facts: Facts, effect: PathEffect, target: string, at: number) {
  const source = effect.copyOf!.replace(/\/\.$/, "");
  const { project } = facts.world;
  if (target === source || !project.exists(target)) return undefined;
  const earlier = facts.effects.slice(0, at);
  if (!project.exists(source) && !earlier.some((e) => e.kind === "write" && e.path === source)) return undefined;
  if (keptBefore(earlier, target, source) || isOwnCopy(source, target)) return undefined;
  if (isTemporary(target) && !`${target}/`.startsWith(`${project.root}/`)) return undefined;
  const lost = uncommitted(facts, target);
  if (lost?.length === 0) return undefined;
  if (isDocument(facts, target)) return "truncate-personal";
  // `sed ... f > t && mv t f` is how a file is edited.
  if (lost === undefined || effect.by === "mv") return undefined;
  const meets = !isFolder(target) || lost.some((name) => project.exists(join(source, relative(target, name))));
  return meets ? "overwrite-work" : undefined;
}

/** The same command has put the content elsewhere, or made it, or the new content is made of it. */
const keptBefore = (earlier: readonly Effect[], target: string, source: string): boolean =>
  earlier.some(
    (e) =>
      (e.path === target && (e.kind === "write" || e.how === "move" || (e.kind === "read" && e.by !== undefined))) ||
      (e.kind === "write" && e.path === source && e.by !== "cp" && earlier.some((r) => r.path === target)),
  );

/** A copy of the file that was made before: `app.ts.bak`, `/tmp/app.ts`. */
function isOwnCopy(source: string, target: string): boolean {
  const [from, to] = [basename(source), basename(target)];
  if (from === to && isTemporary(source)) return true;
  if (/\.(?:example|sample|template|dist|default)$/.test(from)) return false;
  return (
    (from !== to && from.startsWith(to)) || /[.~_-](?:bak|orig|backup|saved?|old|good|keep)(?:\.\w+)?~?$/.test(from)
  );
}

/** What git could not give back of a file or a folder; undefined where git does not know the place. */
function uncommitted(facts: Facts, path: string): readonly string[] | undefined {
  return facts.once(`uncommitted ${path}`, () => {
    const folder = isFolder(path) ? path : dirname(path);
    const top = askGitList(folder, ["rev-parse", "--show-toplevel"], { ms: 1_500 })?.[0]?.trim();
    if (top === undefined) return undefined;
    const ask = (...args: string[]) => askGitList(top, [...args, "--", path], { ms: 1_500 }) ?? [];
    const changed = ask("diff-files", "-z", "--name-only", "--diff-filter=d");
    return [...changed, ...ask("ls-files", "-z", "--others", "--exclude-standard")].map((name) => join(top, name));
  });
}

const documents = /^(?:Documents|Desktop|Pictures|Music|Videos|Movies|\.ssh|\.gnupg|\.password-store)\//;

function isDocument({ world }: Facts, path: string): boolean {
  if (path.startsWith(`${world.project.root}/`)) return false;
  return path.startsWith(`${world.userHome}/`) && documents.test(path.slice(world.userHome.length + 1));
}

/** Made to be thrown away. */
const passing =
  /(?:^|[/._-])(?:tests?|tmp|temp|scratch|cache|demo|example|fixtures?|e2e|ci|bench|coverage|\.\w+)(?=[/._-])/i;

/** A database in the project whose content is nowhere else. */
function deletesDatabase(facts: Facts, { path = "" }: PathEffect, at: number): boolean {
  const { project } = facts.world;
  if (!path.startsWith(`${project.root}/`)) return false;
  if (passing.test(path.slice(project.root.length + 1)) || !project.gitDir || !project.exists(path)) return false;
  if (facts.effects.slice(0, at).some((e) => e.path === path && (e.kind === "write" || e.kind === "read")))
    return false;
  return facts.once(`database ${path}`, () => {
    const kept = askGitList(project.root, ["ls-files", "-z", "--", path], { ms: 1_500 });
    return kept?.length === 0 && (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  });
}

/** `find . -name '*.ts' -newer x -delete`: some of what it meets was changed and not committed. */
function deletesMatching(facts: Facts, path: string): boolean {
  const { project } = facts.world;
  if (!project.gitDir || !path.startsWith(`${project.root}/`)) return false;
  const changed = facts.once("changed files", () =>
    askGitList(project.root, ["diff-files", "-z", "--name-only", "--diff-filter=d"], { ms: 1_500 }),
  );
  if (!changed?.length) return false;
  try {
    const globs = [compileGlob(path.slice(project.root.length + 1))];
    return changed.some((name) => matchCompiled(globs, name));
  } catch {
    return false;
  }
}
