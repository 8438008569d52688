// A planned change to a settings file that belongs to the user, and what it takes to undo it.
// Invariant: planning changes nothing; a file that nobody else has changed since is restored byte for byte.
import { rmSync } from "node:fs";
import { sha256 } from "../../../model/sha256.js";
import { unifiedDiff } from "./diff.js";
import { type Container, type Document, type Item, JsoncError, parseJsonc } from "./jsonc.js";
import { readTextFile, replaceText } from "./settings-files.js";

export interface PlannedChange {
  file: string;
  before: string | undefined;
  /** Undefined: the file is removed. */
  after: string | undefined;
  diff: string;
  nothingToDo: boolean;
  /** Why it can't be done. */
  blocked?: string;
}

export const plannedChange = (file: string, before: string | undefined, after: string | undefined): PlannedChange => ({
  file,
  before,
  after,
  diff: unifiedDiff(before ?? "", after ?? "", file),
  nothingToDo: before === after,
});

export function writeChange({ file, after }: PlannedChange): void {
  if (after === undefined) rmSync(file, { force: true });
  else replaceText(file, after);
}

/** What is kept about a change to be able to undo it. */
export interface ChangedFile {
  /** Hash of the file before; null if there was none. Absent if someone else changed the file between two changes. */
  before?: string | null;
  /** Hash of the file after. */
  after: string;
  /** The copy of the file before. */
  backup?: string;
}

/** The text before the change, where the file is still as we left it and the copy is whole; undefined elsewhere. */
export function textBefore(now: string, kept: ChangedFile | undefined): { text: string | undefined } | undefined {
  if (kept?.after !== sha256(now)) return undefined;
  if (kept.before === null) return { text: undefined };
  const copy = kept.backup === undefined ? undefined : readTextFile(kept.backup);
  return copy !== undefined && sha256(copy) === kept.before ? { text: copy } : undefined;
}

/** The file's top-level object, or why there is none. */
export function objectIn(text: string, file: string): { document: Document; root: Container } | { blocked: string } {
  try {
    const document = parseJsonc(text);
    const { root } = document;
    return root.kind === "object" ? { document, root } : { blocked: `${file}: the top level must be an object` };
  } catch (error) {
    if (!(error instanceof JsoncError)) throw error;
    return { blocked: `${file}: ${error.message}; repair it and run this again` };
  }
}

export const itemOf = (node: Container, key: string): Item | undefined => node.items.find((item) => item.key === key);
