// Sets values in an interlock.yaml and keeps its comments, for `config set`, `enable`, `preset` and `init --preset`.
// Invariant: a change that would make the file invalid is not written; what would be ignored is said.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isMap, parseDocument } from "yaml";
import type { Loosening } from "../../config/layer.js";
import type { Opened } from "../../hook/open-project.js";
import type { Json } from "../../model/json.js";
import { replaceFile } from "../../project/replace-file.js";
import { starterText } from "./starter.js";

export interface ConfigChange {
  /** "packs.discipline.mode"; a list where a step itself has a dot. */
  key: string | readonly string[];
  value: Json;
}

export interface ConfigEdit {
  file: string;
  before: string | undefined;
  after: string;
  problems: string[];
  /** What the file says and is not followed, because the user has not agreed. */
  ignored: Loosening[];
}

export async function planConfigEdit(
  opened: Opened,
  changes: readonly ConfigChange[],
  where: "project" | "user",
): Promise<ConfigEdit> {
  const file = where === "user" ? opened.userFile : opened.projectFile;
  const before = textIn(file);
  const after = withValues(before ?? (where === "user" ? "version: 1\n" : starterText()), changes);
  const user = { name: opened.userFile, text: where === "user" ? after : textIn(opened.userFile) };
  const project = { name: opened.projectFile, text: where === "user" ? undefined : after };
  const { compile } = await import("../../config/compile.js");
  const { problems, loosened } = await compile(user, project);
  return { file, before, after, problems, ignored: loosened };
}

export function applyConfigEdit({ file, after }: ConfigEdit): void {
  mkdirSync(dirname(file), { recursive: true });
  replaceFile(file, after);
}

function withValues(text: string, changes: readonly ConfigChange[]): string {
  const document = parseDocument(text);
  if (document.errors.length) return text; // the problem is reported when it is compiled
  if (document.contents !== null && !isMap(document.contents)) return text;
  for (const { key, value } of changes) document.setIn(typeof key === "string" ? key.split(".") : key, value);
  const written = document.toString({ lineWidth: 0 });
  return text.includes("\r\n") ? written.replaceAll(/\r?\n/g, "\r\n") : written;
}

const textIn = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
