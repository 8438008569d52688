// The class of a change to one file, computed from its text before and after. Invariant: deterministic, and in doubt
// a change is INTENT_EVOLUTION: only what provably does the same is a refactor.
import { extensionOf, fileKind } from "../syntax/file-kind.js";
import { longestParsed, parseSyntax } from "../syntax/syntax-tree.js";
import type { MutationClass } from "../trace-record.js";
import { compareSyntax } from "./compare-syntax.js";
import { compareTokens } from "./compare-tokens.js";

export interface ClassifiedChange {
  class: MutationClass;
  why: string;
}

const reasons = {
  none: ["AST_REFACTOR", "only the layout changed"],
  comments: ["DOCUMENTATION", "only comments changed"],
  names: ["AST_REFACTOR", "only names of locals changed, consistently"],
  order: ["AST_REFACTOR", "only the order of declarations changed"],
  meaning: ["INTENT_EVOLUTION", "the code changed"],
} as const;

export function classifyChange(path: string, before: string | undefined, after: string | undefined): ClassifiedChange {
  if (before === undefined) return { class: "FILE_CREATION", why: "the file is new" };
  if (after === undefined) return { class: "FILE_DELETION", why: "the file was deleted" };
  const kind = fileKind(path);
  if (kind === "prose") return { class: "DOCUMENTATION", why: "a text file" };
  if (kind === "configuration") return { class: "CONFIGURATION", why: "a configuration file" };
  if (kind === "other") return reasonFor(compareTokens(extensionOf(path), before, after));
  if (Math.max(before.length, after.length) > longestParsed)
    return { class: "INTENT_EVOLUTION", why: "too large to compare" };
  const trees = [before, after].map((text) => parseSyntax(path, text));
  if (!trees[0] || !trees[1]) return { class: "INTENT_EVOLUTION", why: "a syntax error, or syntax unknown here" };
  return reasonFor(compareSyntax(trees[0], trees[1]));
}

function reasonFor(difference: keyof typeof reasons): ClassifiedChange {
  const [mutation, why] = reasons[difference];
  return { class: mutation, why };
}
