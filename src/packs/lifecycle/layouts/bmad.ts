// Where a project's BMAD configuration puts the files that the tables expect in BMAD's default places.
// Invariant: reads only; a place outside the project is ignored.
import { join } from "node:path";
import type { Project } from "../../../model/gate.js";

const files = [".bmad-core/core-config.yaml", "_bmad/bmm/config.yaml", ".bmad/bmm/config.yaml", "bmad/bmm/config.yaml"];

/** Default place -> the configuration key that moves it. */
const single: Readonly<Record<string, string>> = {
  "docs/prd.md": "prdFile",
  "docs/prd/": "prdShardedLocation",
  "docs/architecture.md": "architectureFile",
  "docs/architecture/": "architectureShardedLocation",
  "docs/stories/": "devStoryLocation",
};
const folders = ["planning_artifacts", "implementation_artifacts", "output_folder"];

/** The configured places of a pattern; none if BMAD is not used or moves nothing. */
export function configuredPlaces(project: Project, base: string, pattern: string): string[] {
  const own = Object.keys(single).find(
    (place) => pattern === place || (place.endsWith("/") && pattern.startsWith(place)),
  );
  const [, under, rest] = /^_bmad-output\/([^/]+)\/(.+)$/.exec(pattern) ?? [];
  if (!own && !rest) return [];
  const texts = files.flatMap((file) => project.read(join(base, file)) ?? []);
  const value = (key: string) =>
    texts.flatMap((text) => new RegExp(`^\\s*${key}:\\s*["']?([^"'#\\n]+)`, "m").exec(text)?.[1]?.trim() ?? []);
  const below = (path: string) => path.replace(/^\{project-root\}\//, "").replace(/\/+$/, "");
  const found = own
    ? value(single[own]!).map((place) => below(place) + (own.endsWith("/") ? `/${pattern.slice(own.length)}` : ""))
    : folders
        .filter((key) => under === "*" || key === "output_folder" || key.startsWith(under!.split("-")[0]!))
        .flatMap((key) =>
          value(key).flatMap((place) => [`${below(place)}/${rest}`, `${below(place)}/${under}/${rest}`]),
        );
  return found.filter((place) => !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(place));
}
