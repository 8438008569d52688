// Which commits `interlock ci` checks: those named, those of the pull request or push, or those not on the default
// branch. Invariant: a name that git does not know is an error with its remedy, never an empty range.
import { readBoundedText } from "../project/bounded-read.js";
import { askGit } from "../project/run-git.js";

export interface CommitRange {
  /** Full hashes. `from` and what it reaches is left out; undefined: everything `to` reaches. */
  from?: string;
  to: string;
  /** Why this range: shown to people. */
  source: string;
}

export class UnknownRange extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

export function commitRange(root: string, given: string | undefined, env: Env): CommitRange {
  if (askGit(root, ["rev-parse", "--git-dir"]) === undefined)
    throw new UnknownRange("this folder is not in a git repository, or git is missing");
  if (given !== undefined) return namedRange(root, given);
  if (commitOf(root, "HEAD") === undefined) throw new UnknownRange("the repository has no commit yet");
  return githubRange(root, env) ?? gitlabRange(root, env) ?? localRange(root);
}

function namedRange(root: string, given: string): CommitRange {
  const [, from = "", dots, to = ""] = /^(.*?)(\.{2,3})(.*)$/.exec(given) ?? [undefined, given, "..", ""];
  const end = needed(root, to || "HEAD");
  const begin = needed(root, from || "HEAD");
  const base = dots === "..." ? mergeBase(root, begin, end) : begin;
  return { ...(base && { from: base }), to: end, source: "--range" };
}

/** GitHub Actions: the event's own commits; of a checked out merge commit, the pull request's head where it is here. */
function githubRange(root: string, env: Env): CommitRange | undefined {
  if (env["GITHUB_ACTIONS"] !== "true") return undefined;
  const event = eventOf(env["GITHUB_EVENT_PATH"]);
  const base = env["GITHUB_BASE_REF"];
  if (base) {
    const pull = event["pull_request"] as { base?: { sha?: string }; head?: { sha?: string } } | undefined;
    const to = commitOf(root, pull?.head?.sha) ?? needed(root, "HEAD");
    const from = commitOf(root, `refs/remotes/origin/${base}`) ?? commitOf(root, pull?.base?.sha);
    if (!from) throw new UnknownRange(`the base of the pull request (${base}) is not in this clone; ${fetchAll}`);
    return { from, to, source: `pull request into ${base}` };
  }
  const { before, after, repository } = event as {
    before?: string;
    after?: string;
    repository?: { default_branch?: string };
  };
  const to = commitOf(root, after) ?? needed(root, "HEAD");
  return pushed(root, before, to, repository?.default_branch, "push");
}

function gitlabRange(root: string, env: Env): CommitRange | undefined {
  if (env["GITLAB_CI"] !== "true" && !env["CI_MERGE_REQUEST_DIFF_BASE_SHA"]) return undefined;
  const to = commitOf(root, env["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] || env["CI_COMMIT_SHA"]) ?? needed(root, "HEAD");
  const base = env["CI_MERGE_REQUEST_DIFF_BASE_SHA"];
  if (base) return { from: needed(root, base), to, source: "merge request" };
  return pushed(root, env["CI_COMMIT_BEFORE_SHA"], to, env["CI_DEFAULT_BRANCH"], "push");
}

/** A new branch has no commit before: then what the default branch does not have. */
function pushed(root: string, before: string | undefined, to: string, branch = "", source: string): CommitRange {
  const from = commitOf(root, before);
  // A force push: the old head may be gone, and what it shares with the new one is old.
  if (from) return { from: mergeBase(root, from, to) ?? from, to, source };
  const main = commitOf(root, `refs/remotes/origin/${branch}`) ?? commitOf(root, `refs/heads/${branch}`);
  const base = main && mergeBase(root, main, to);
  if (base && base !== to) return { from: base, to, source: `new branch beside ${branch}` };
  return newest(root, to);
}

const defaults = ["refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master"];

function localRange(root: string): CommitRange {
  const to = needed(root, "HEAD");
  for (const name of [...defaults, "refs/heads/main", "refs/heads/master"]) {
    const branch = commitOf(root, name);
    const base = branch && mergeBase(root, branch, to);
    if (!base || (base === to && name.startsWith("refs/heads/"))) continue;
    return { from: base, to, source: `not on ${name.replace(/^refs\/(?:remotes|heads)\//, "")}` };
  }
  return newest(root, to);
}

function newest(root: string, to: string): CommitRange {
  const from = commitOf(root, `${to}^1`);
  return { ...(from && { from }), to, source: "the newest commit; name more with --range" };
}

const fetchAll = "fetch the whole history (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0)";

function needed(root: string, name: string): string {
  const found = commitOf(root, name);
  if (found) return found;
  const isCut = askGit(root, ["rev-parse", "--is-shallow-repository"])?.toString().trim() === "true";
  throw new UnknownRange(
    `"${name.slice(0, 80)}" is no commit in this clone${isCut ? `, which is shallow; ${fetchAll}` : ""}`,
  );
}

/** Undefined also for what a command line could take for an option. */
function commitOf(root: string, name: unknown): string | undefined {
  if (typeof name !== "string" || !name || name.startsWith("-") || /^0+$/.test(name)) return undefined;
  const answer = askGit(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`]);
  return /^[0-9a-f]{40,64}$/.exec(answer?.toString().trim() ?? "")?.[0];
}

const mergeBase = (root: string, a: string, b: string): string | undefined =>
  askGit(root, ["merge-base", a, b], { ms: 60_000 })?.toString().trim().split("\n")[0] || undefined;

function eventOf(file: string | undefined): Record<string, unknown> {
  if (!file) return {};
  try {
    const value: unknown = JSON.parse(readBoundedText(file, 32 << 20));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // no event to be read: the checked out commit counts
  }
}
