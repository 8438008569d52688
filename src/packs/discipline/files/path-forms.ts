// The forms of a path that the pack's globs are matched against: relative to the project, absolute, under home.

import { belowRoot, type Change } from "../../../facts/changes.js";
import type { Facts } from "../../../facts/index.js";
import { matchCompiled } from "../../../project/globs.js";
import type { DisciplineOptions } from "../discipline-options.js";

export function matchesPathForms(globs: readonly string[], path: string, facts: Facts): boolean {
  const { project, userHome } = facts.world;
  const below = belowRoot(project.root, path);
  const fromHome = belowRoot(userHome, path);
  const spellings = [
    `@${path}`,
    ...(below === undefined ? [] : [below]),
    ...(fromHome === undefined ? [] : [`~/${fromHome}`]),
  ];
  return spellings.some((s) => matchCompiled(globs, s));
}

/** Whether a call changes nothing but prose (`research.exempt`). */
export const onlyProse = (edits: readonly Change[], facts: Facts, { research }: DisciplineOptions): boolean =>
  edits.every((c) => c.path !== undefined && matchesPathForms(research.exempt, c.path, facts));

/** Images, documents, archives and other binaries are made by programs; no edit tool writes them. */
export const binaryFile = new RegExp(
  String.raw`\.(?:png|jpe?g|gif|webp|bmp|ico|tiff?|pdf|zip|tar|tgz|gz|bz2|xz|7z|jar|whl|woff2?|ttf` +
    "|otf|mp[34]|wav|ogg|mov|webm|bin|dat|db|sqlite3?|parquet|npy|npz|pkl|pt|onnx|wasm|exe|dll|so|dylib|dmg|iso)$",
  "i",
);
