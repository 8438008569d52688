// The class of a change to one file, computed from its text before and after. Invariant: deterministic, and in doubt
// a change is INTENT_EVOLUTION: only what provably does the same is a refactor.
import type { MutationClass } from "../trace-record.js";
import { fileKind } from "./file-kind.js";

export function classifyChange(
  path: string,
  before: string | undefined,
  after: string | undefined,
): { class: MutationClass; why: string } {
  if (before === undefined) return { class: "FILE_CREATION", why: "the file is new" };
  if (after === undefined) return { class: "FILE_DELETION", why: "the file was deleted" };
  const kind = fileKind(path);
  if (kind === "prose") return { class: "DOCUMENTATION", why: "a text file" };
  if (kind === "configuration") return { class: "CONFIGURATION", why: "a configuration file" };
  return { class: "INTENT_EVOLUTION", why: "the code changed" };
}
