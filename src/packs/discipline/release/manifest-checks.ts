// Finds calls that would write or publish an invalid release manifest.
// Invariant: reads only; a shell write whose content cannot be seen is refused.
import { join, relative, resolve } from "node:path";
import { belowRoot } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import type { Project } from "../../../model/gate.js";
import { inert } from "../../../model/text.js";
import { matchCompiled } from "../../../project/globs.js";
import type { ManifestRule } from "../discipline-options.js";
import { type BoundNames, matchCommand } from "./command-pattern.js";
import { manifestProblems } from "./manifest-problems.js";

interface Unsound {
  what: string;
  why: string;
  next: string;
}

export function unsoundManifest(facts: Facts, rules: readonly ManifestRule[]): Unsound | undefined {
  const { event } = facts;
  const { project } = facts.world;
  for (const rule of rules) {
    const isOne = (path: string) => {
      const below = belowRoot(project.root, path);
      return below !== undefined && matchCompiled([rule.file], below);
    };
    const { edit } = facts;
    if (edit?.after !== undefined && isOne(edit.path)) {
      const known = edit.before === undefined ? [] : manifestProblems(edit.before, rule, project);
      const problem = manifestProblems(edit.after, rule, project).find((p) => !known.includes(p));
      if (problem) return refuse(rule, `${event.tool!.name} ${inert(edit.path, 80)}`, problem);
    }
    const written = edit
      ? undefined
      : facts.effects.find((e) => e.kind === "write" && e.path !== undefined && isOne(e.path));
    if (written && written.by !== "git") {
      const what = `${event.tool!.name}: change ${inert(written.path!, 80)}`;
      const texts = sources(facts, written.path!);
      const problem = texts?.flatMap((text) => manifestProblems(text, rule, project))[0];
      if (problem) return refuse(rule, what, problem);
      if (!texts)
        return {
          what,
          why: "what it leaves in the manifest cannot be inspected",
          next: "change the manifest with Edit or Write",
        };
    }
    for (const { path, shown } of publications(facts, rule)) {
      const text = project.read(path);
      const problem = text === undefined ? undefined : manifestProblems(text, rule, project)[0];
      if (problem)
        return refuse(
          rule,
          `publish ${inert(shown, 60)}`,
          `${inert(relative(project.root, path), 60)} is not sound: ${problem}`,
        );
    }
  }
  return undefined;
}

const refuse = ({ cask }: ManifestRule, what: string, why: string): Unsound => ({
  what,
  why,
  next: cask
    ? "put the sha256 of the released file in the cask (`shasum -a 256 FILE`), then try again"
    : "put the real signature, address and length in the manifest, then try again",
});

/** What would be written: the files a copy reads from, or the arguments of an MCP tool. */
function sources(facts: Facts, target: string): string[] | undefined {
  const { tool } = facts.event;
  if (tool!.kind === "mcp") return [strings(tool!.input).join("\n")];
  const copies = facts.shell?.commands.every((c) => /^(?:cp|mv|install|ditto)$/.test(c.program));
  const from = facts.effects.flatMap((e) =>
    e.kind === "read" && e.path !== undefined && e.path !== target ? e.path : [],
  );
  const texts = from.flatMap((path) => facts.world.project.read(path) ?? []);
  return copies && from.length && texts.length === from.length ? texts : undefined;
}

const strings = (value: unknown): string[] =>
  typeof value === "string" ? [value] : value && typeof value === "object" ? Object.values(value).flatMap(strings) : [];

/** The manifests a call would publish: the named file, or those in the named folder. */
function publications(facts: Facts, rule: ManifestRule): { path: string; shown: string }[] {
  const { project } = facts.world;
  return (facts.shell?.commands ?? []).flatMap((command) =>
    (rule.publishers ?? []).flatMap((pattern) => {
      const bound: BoundNames | undefined = matchCommand(pattern, command);
      const at = (path: string) => resolve(command.cwd ?? facts.event.cwd, path);
      if (!bound) return [];
      if (pattern.includes("{file}"))
        return bound.file !== undefined && matchCompiled([rule.file], bound.file.replace(/^\.?\/+/, ""))
          ? [{ path: at(bound.file), shown: bound.file }]
          : [];
      const folder = bound.dir ?? outputFolder(project) ?? ".";
      return manifestsIn(at(folder), rule, project).map((path) => ({ path, shown: folder }));
    }),
  );
}

/** The folder wrangler publishes when none is named. */
function outputFolder(project: Project): string | undefined {
  for (const name of ["wrangler.toml", "wrangler.json", "wrangler.jsonc"]) {
    const found = /"?pages_build_output_dir"?\s*[=:]\s*"([^"\n]+)"/.exec(project.read(name) ?? "")?.[1];
    if (found) return found;
  }
  return undefined;
}

const deepest = 5;
const most = 3000;

function manifestsIn(folder: string, rule: ManifestRule, project: Project): string[] {
  const found: string[] = [];
  let looked = 0;
  const walk = (path: string, depth: number): void => {
    for (const name of project.list(path)) {
      if (++looked > most) return;
      const full = join(path, name);
      if (matchCompiled([rule.file], relative(folder, full))) found.push(full);
      else if (depth < deepest && name !== "node_modules" && name !== ".git" && !/\.\w{1,5}$/.test(name))
        walk(full, depth + 1);
    }
  };
  walk(folder, 0);
  return found;
}
