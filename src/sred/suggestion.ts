// The SR&ED project and type suggested for a commit: the ranking, a model's answer where there is one, or the scope.
// Invariant: a suggestion says where it comes from and is machine-made until a person confirms it.

import type { SredMessage, SredType } from "./message.js";
import { sredTypes } from "./message.js";
import type { SredHistory } from "./ranking/history.js";
import { type CommitContext, rankProjects } from "./ranking/rank.js";
import { type DiscoveryFailure, fallbackProject } from "./scope-fallback.js";

export interface Suggestion {
  project: string;
  alternatives: string[];
  reasoning: string;
  confidence: number;
  source: "history" | "model" | "scope";
  /** The project is not in the history. */
  isNew: boolean;
  type: SredType;
  typeReason: string;
  /** Why there is no answer of a model that was asked, or no history. */
  failure?: DiscoveryFailure | "OFFLINE" | "NO_HISTORY";
  /** Only a part of the history was read. */
  cut: boolean;
}

/** What the model said, or why it said nothing. */
export type ModelAnswer =
  | { project: string; alternatives: string[]; reasoning: string; confidence: number }
  | { failure: DiscoveryFailure | "OFFLINE" };

/** From here on a match counts as strong. */
export const strongMatch = 0.8;
export const weakMatch = 0.5;

export function suggest(
  message: Pick<SredMessage, "scope" | "prefix">,
  context: CommitContext,
  history: SredHistory,
  model?: ModelAnswer,
): Suggestion {
  const { projects, confidence } = rankProjects(history.commits, context);
  const names = projects.map((p) => p.project);
  const fallback = fallbackProject(message.scope);
  const { cut } = history;
  const [first] = projects;
  const base = (project: string) => ({ cut, ...suggestedType(message, context, history, project) });
  if (model && "failure" in model)
    return {
      ...base(fallback),
      project: fallback,
      alternatives: names.filter((n) => n !== fallback).slice(0, 3),
      reasoning: "derived from the scope",
      confidence: 0,
      source: "scope",
      isNew: !names.includes(fallback),
      failure: model.failure,
    };
  if (model) {
    const { project, reasoning } = model;
    const alternatives = [...model.alternatives, ...names].filter((n) => n !== project);
    return {
      ...base(project),
      project,
      alternatives: [...new Set(alternatives)].slice(0, 3),
      reasoning,
      confidence: model.confidence,
      source: "model",
      isNew: !names.includes(project),
    };
  }
  if (!first || confidence < weakMatch)
    return {
      ...base(fallback),
      project: fallback,
      alternatives: names.filter((n) => n !== fallback).slice(0, 3),
      reasoning: noMatch(message.scope, context),
      confidence,
      source: "scope",
      isNew: !names.includes(fallback),
      ...(history.cut && !first ? { failure: "NO_HISTORY" as const } : {}),
    };
  return {
    ...base(first.project),
    project: first.project,
    alternatives: names.slice(1, 4),
    reasoning:
      first.sameScope > 0
        ? `Scope '${message.scope}' matches ${counted(first.sameScope)} in ${first.project}.`
        : `The changed files, the branch or the issue match ${counted(first.commits)} in ${first.project}.`,
    confidence,
    source: "history",
    isNew: false,
  };
}

const counted = (n: number): string => `${n} prior commit${n === 1 ? "" : "s"}`;

const noMatch = (scope: string | undefined, { paths }: CommitContext): string =>
  scope === undefined
    ? `The message has no scope, and ${paths.length ? "the changed files have" : "there is"} no clear prior SR&ED work.`
    : `Scope '${scope}' has no prior SR&ED work.`;

const branchTypes: [prefix: RegExp, type: SredType][] = [
  [/^(?:experiment|poc|prototype|perf|optimize)\//i, "experimental-development"],
  [/^(?:investigate|research)\//i, "applied-research"],
  [/^(?:test|qa)\//i, "support-work"],
];

/** `experiment/x` and the like say what type of SR&ED work a branch is for. */
export const typeOfBranch = (branch: string | undefined): SredType | undefined =>
  branchTypes.find(([prefix]) => prefix.test(branch ?? ""))?.[1];

function suggestedType(
  { prefix, scope }: Pick<SredMessage, "scope" | "prefix">,
  { branch }: CommitContext,
  { commits }: SredHistory,
  project: string,
): Pick<Suggestion, "type" | "typeReason"> {
  const named = typeOfBranch(branch);
  if (named) return { type: named, typeReason: `branch ${branch}` };
  if (prefix === "test") return { type: "support-work", typeReason: "the commit is about tests" };
  const counts = new Map<SredType, number>();
  for (const commit of commits) {
    const type = sredTypes.find((t) => t === commit.type);
    if (!type || !commit.claims.includes(project)) continue;
    counts.set(type, (counts.get(type) ?? 0) + (commit.scope === scope ? 3 : 1));
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1]);
  if (most) return { type: most[0], typeReason: `the type of most commits of ${project}` };
  return { type: "experimental-development", typeReason: "the usual type of software work" };
}
