// Release manifests are checked before they are written and before their folder is published.
import { join, resolve } from "node:path";
import { before, gate, type Project } from "../../engine/gate.js";
import { inert } from "../../engine/text.js";
import { deny } from "../../engine/verdict.js";
import { belowRoot } from "../../facts/changes.js";
import { matchCompiled } from "../../files/globs.js";
import { localSize, matchCommand } from "./artifact.js";
import { like } from "./names.js";
import type { ManifestRule, Options } from "./options.js";

export const releaseManifest = gate<undefined, Options>({
  id: "discipline/release-manifest",
  title: "Release manifests are sound",
  about:
    "Refuses an edit of a release manifest (for Sparkle: appcast.xml) that leaves an entry without a signature, with a placeholder, with a forbidden address or with a length that differs from the local file; and the publication of a folder that holds such a manifest.",
  remedy: "Put the real signature, address and length in the manifest.",
  on: before("edit", "write", "shell"),
  onError: "deny",
  judge({ facts, config, project, event }) {
    for (const rule of config.release.manifests) {
      const { edit } = facts;
      const below = edit && belowRoot(project.root, edit.path);
      if (edit?.after !== undefined && below !== undefined && matchCompiled([rule.file], below)) {
        const problem = manifestProblem(edit.after, rule, project);
        if (problem) return refuse(`${event.tool!.name} ${below}`, problem);
      }
      for (const command of facts.shell?.commands ?? [])
        for (const pattern of rule.publishers ?? []) {
          const bound = matchCommand(pattern, command);
          if (!bound) continue;
          const folder = resolve(command.cwd ?? event.cwd, bound.dir ?? ".");
          const text = project.read(join(folder, manifestName(rule)));
          const problem = text === undefined ? undefined : manifestProblem(text, rule, project);
          if (problem)
            return refuse(
              `publish ${inert(bound.dir ?? ".", 60)}`,
              `${manifestName(rule)} in it is not sound: ${problem}`,
            );
        }
    }
  },
});

const manifestName = (rule: ManifestRule): string => rule.file.split("\n")[0]!.split("/").at(-1)!.replaceAll("*", "");

const refuse = (what: string, why: string) =>
  deny({ what, why, next: "put the real signature, address and length in the manifest, then try again" });

const placeholder = /^\W*$|placeholder|todo|fixme|replace|xxx|your[_-]|<.*>|\.\.\./i;

/** What is wrong with a manifest, entry by entry; an entry is an element with an address. */
export function manifestProblem(
  text: string,
  { signed = [], forbidden = [], length }: ManifestRule,
  project: Project,
): string | undefined {
  for (const [element] of text.matchAll(/<[\w:]+\b[^<>]*\burl\s*=\s*["'][^<>]*>/g)) {
    const attribute = (name: string) => new RegExp(`(?:^|[\\s"'])${name}\\s*=\\s*["']([^"']*)["']`).exec(element)?.[1];
    const url = attribute("url") ?? "";
    const name = inert(url, 60);
    const values = signed.map(attribute).filter((v) => v !== undefined);
    if (signed.length && !values.length) return `${name} has no ${signed[0]}`;
    const bad = values.find((v) => placeholder.test(v));
    if (bad !== undefined) return `${name} has an empty or placeholder signature`;
    const banned = forbidden.find((f) => like(`*${f}*`, url));
    if (banned) return `${name} points to ${banned}`;
    const declared = length === undefined ? undefined : attribute(length);
    const size = declared === undefined ? undefined : localSize(project, url.split(/[?#]/)[0]!);
    if (size !== undefined && Number(declared) !== size)
      return `${name} declares length ${inert(declared!, 20)}, the local file has ${size}`;
  }
  return undefined;
}
