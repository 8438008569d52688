// While a workflow has a branch, its commits go there and not to main.
import { join } from "node:path";
import type { Facts } from "../../../facts/index.js";
import type { Effect } from "../../../model/effect.js";
import { before, gate, type Project } from "../../../model/gate.js";
import { deny } from "../../../model/verdict.js";
import { optionsOf } from "../lifecycle-options.js";
import { isBelow } from "../model/lifecycle-paths.js";
import { phaseContextOf } from "./gate-context.js";

export const branchGuard = gate({
  id: "lifecycle/branch-guard",
  title: "No commits on main while a workflow branch is active",
  about:
    "Refuses commits (in any form of git command, in chains and inside scripts) while HEAD is on main or " +
    "master and the active workflow has its own branch. Merges pass, and so do commits in other " +
    "repositories.",
  remedy: "Run `git switch` to the workflow's branch and commit there.",
  window: "While the workflow's branch is active.",
  reset: "The end of the workflow.",
  on: before("shell"),
  onError: "pass",
  env: ["ISDLC_PROJECT"],
  judge(context) {
    const { facts, project } = context;
    const commits = facts.shell?.commits.filter((c) => !notWork.has(c.how ?? "")) ?? [];
    if (!commits.length) return;
    const branch = phaseContextOf(context)?.workflow?.branch;
    if (!branch || !commits.some((c) => inProject(c, project))) return;
    if (!facts.git.isRepository) throw new Error("the current branch is not known: this is no git repository");
    const current = branchWhenCommitting(facts);
    if (current === undefined || !optionsOf(context.config).protectedBranches.includes(current)) return;
    const exists = branchExists(project, branch);
    return deny({
      what: `commit on ${current}`,
      why: `the active workflow's branch is ${branch}`,
      next: exists ? `git switch ${branch}, then commit again` : `git switch -c ${branch}, then commit again`,
      data: { branch: current, workflow: branch },
    });
  },
});

/** Merges bring in existing work, and `commit-tree` puts nothing on a branch. */
const notWork: ReadonlySet<string> = new Set(["merge", "pull", "commit-tree"]);

const inProject = ({ repo }: Effect, { root }: Project): boolean => repo === undefined || isBelow(root, repo);

/** The branch when the commit runs, after `git switch` earlier in the same command. */
function branchWhenCommitting(facts: Facts): string | undefined {
  let branch = facts.git.branch;
  for (const { program, argv } of facts.shell?.commands ?? []) {
    if (program !== "git") continue;
    const words = argv.filter((w): w is string => typeof w === "string");
    const verb = words.findIndex((w) => !w.startsWith("-"));
    if (words[verb] === "commit") break;
    if (words[verb] !== "switch" && words[verb] !== "checkout") continue;
    const rest = words.slice(verb + 1);
    if (rest.includes("--")) continue;
    const made = rest.findIndex((w) => /^-[bBcC]$/.test(w));
    branch = (made >= 0 ? rest[made + 1] : rest.find((w) => !w.startsWith("-"))) ?? branch;
  }
  return branch;
}

function branchExists({ commonDir, gitDir, exists, read }: Project, name: string): boolean {
  const base = commonDir ?? gitDir;
  if (!base) return false;
  if (exists(join(base, "refs", "heads", name))) return true;
  return read(join(base, "packed-refs"))?.includes(` refs/heads/${name}\n`) ?? false;
}
