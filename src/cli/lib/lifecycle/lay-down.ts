// `interlock lifecycle init`: agents, skills, manifest and constitution as files the project owns.
// Invariant: a file or an agent that is there stays as it is; a second run has nothing to do.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manifestPlaces } from "../../../facts/agent-roles.js";
import { type StarterFile, starterFiles } from "../../../packs/lifecycle/starter/starter-files.js";
import { printJson } from "../current-project.js";
import { dim, green, shown } from "../paint.js";
import { say } from "../wrap.js";
import { type LifecycleRun, UnusableProject, viewHere } from "./lifecycle-run.js";
import { notEnforced, printHints } from "./setup-hints.js";

interface LayDownPlan {
  make: StarterFile[];
  /** What is there already. */
  keep: string[];
}

export function planLayDown(root: string, files: readonly StarterFile[]): LayDownPlan {
  const agents = agentsIn(join(root, ".claude", "agents"));
  const manifest = manifestPlaces.find((place) => existsSync(join(root, place)));
  const legacy = ".isdlc/constitution.md";
  const there = ({ path, agent }: StarterFile): string | undefined => {
    if (existsSync(join(root, path))) return path;
    if (agent !== undefined && agents.has(agent)) return agents.get(agent);
    if (path.endsWith("skills-manifest.json")) return manifest;
    return path.endsWith("constitution.md") && existsSync(join(root, legacy)) ? legacy : undefined;
  };
  const plan: LayDownPlan = { make: [], keep: [] };
  for (const file of files) {
    const kept = there(file);
    if (kept === undefined) plan.make.push(file);
    else plan.keep.push(kept);
  }
  return plan;
}

/** Agents by name; a file may have another name than its agent. */
function agentsIn(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  if (!existsSync(folder)) return found;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".md"))) {
    const head = readFileSync(join(folder, file), "utf8").slice(0, 2000);
    const name = /^name:[ \t]*["']?([\w-]+)/m.exec(head)?.[1];
    if (name) found.set(name.toLowerCase(), `.claude/agents/${file}`);
  }
  return found;
}

export function layDown(run: LifecycleRun, dryRun: boolean): number {
  const { catalogue, paths } = viewHere(run);
  const { make, keep } = planLayDown(paths.root, starterFiles(catalogue));
  if (!dryRun)
    for (const { path, text } of make) {
      const full = join(paths.root, path);
      try {
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, text, { flag: "wx" });
      } catch (error) {
        throw new UnusableProject(
          `${path} can't be made: ${(error as Error).message}`,
          "move what is in the way, then run interlock lifecycle init again; what is there stays",
        );
      }
    }
  const paths_ = make.map((f) => f.path);
  const off = notEnforced(run);
  const hints = off ? [off] : [];
  if (run.values.json) {
    printJson({ applied: !dryRun && make.length > 0, dryRun, make: paths_, keep, hints });
    return 0;
  }
  if (!make.length) {
    say(green("nothing to do: agents, skills, manifest and constitution are there"));
    printHints(hints);
    return 0;
  }
  say(`${dryRun ? "would make" : green("made")}:`);
  for (const line of summary(paths_)) say(`  ${line}`);
  if (keep.length) say(dim(`kept as they were: ${keep.length} file${keep.length === 1 ? "" : "s"}`));
  if (dryRun) say(dim("nothing was written (--dry-run)"));
  else
    say(
      "These files are yours: edit and commit them. Agents are loaded when a session starts.\n" +
        'next: interlock lifecycle start feature --branch "<the work>"',
    );
  printHints(hints);
  return 0;
}

/** One line per folder. */
function summary(paths: readonly string[]): string[] {
  const folders = new Map<string, string[]>();
  for (const path of paths) folders.set(dirname(path), [...(folders.get(dirname(path)) ?? []), path]);
  return [...folders].map(([folder, list]) =>
    list.length === 1 ? shown(list[0]!, 100) : `${folder}/ (${list.length} files)`,
  );
}
