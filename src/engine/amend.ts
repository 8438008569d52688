// Writes the changes gates make to project files.
// Invariant: all amendments of one file are one atomic write; a file that is too large is not rewritten.
import { readBoundedText } from "../project/bounded-read.js";
import { replaceFile } from "../project/replace-file.js";
import type { Amendment } from "./judge.js";

const largestAmended = 16 * 1024 * 1024;

/** Returns the paths that changed. */
export function amendFiles(amendments: readonly Amendment[]): string[] {
  const texts = new Map<string, { before: string | undefined; text: string | undefined }>();
  for (const { path, change } of amendments) {
    const file = texts.get(path) ?? currentText(path);
    file.text = change(file.text) ?? file.text;
    texts.set(path, file);
  }
  const changed = [...texts].filter(([, f]) => f.text !== undefined && f.text !== f.before);
  for (const [path, file] of changed) replaceFile(path, file.text!);
  return changed.map(([path]) => path);
}

function currentText(path: string) {
  let before: string | undefined;
  try {
    before = readBoundedText(path, largestAmended);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return { before, text: before };
}
