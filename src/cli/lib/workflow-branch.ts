// The git branch of a workflow: its name, whether it can be created, and creating it.
// Invariant: what git would refuse is reported before anything is started.
import { execFileSync, spawnSync } from "node:child_process";
import type { CommandRefused } from "../../packs/lifecycle/commands/workflow-commands.js";
import type { Repository } from "../../project/identify.js";
import { UsageError } from "./args.js";
import { yellow } from "./paint.js";
import { sayError } from "./wrap.js";

/** Turned into a valid branch name. */
export function nameIn(text: string | undefined): string | undefined {
  const name = text
    ?.trim()
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, "-")
    .replace(/\.{2,}/g, "-")
    .replace(/^[.-]+|(?:\.lock|[.-])+$/g, "")
    .slice(0, 80);
  if (name === "") throw new UsageError("--name wants letters or digits");
  return name;
}

export const noRepository: CommandRefused = {
  why: "there is no git repository here",
  next: "git init, or start without --branch",
};

/** Reported before the workflow starts: one whose branch cannot be created could not go on. */
export function noBranch({ root, gitDir }: Repository, branch: string): CommandRefused | undefined {
  if (!gitDir) return noRepository;
  const isBranch = (name: string) =>
    spawnSync("git", ["-C", root, "show-ref", "-q", "--verify", `refs/heads/${name}`], { stdio: "ignore" }).status ===
    0;
  if (isBranch(branch)) return { why: `the branch ${branch} is there already`, next: "start with another --name" };
  // Git keeps branches as files: a/b can't be made where a is a branch.
  const folder = branch.slice(0, branch.indexOf("/"));
  const below = spawnSync("git", ["-C", root, "for-each-ref", "--format=%(refname:short)", `refs/heads/${branch}/`], {
    encoding: "utf8",
  }).stdout.split("\n")[0];
  const inTheWay = isBranch(folder) ? folder : below;
  if (!inTheWay) return undefined;
  const instead = inTheWay === folder ? "without --branch" : "with another --name";
  return {
    why: `the branch ${inTheWay} is in the way of ${branch}`,
    next: `rename it (git branch -m ${inTheWay} <another name>), or start ${instead}`,
  };
}

export function enterBranch(root: string, branch: string): void {
  try {
    execFileSync("git", ["-C", root, "switch", "-c", branch], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    // A hook of the repository may fail after git has switched.
    const { stdout } = spawnSync("git", ["-C", root, "symbolic-ref", "--short", "HEAD"], { encoding: "utf8" });
    if (stdout.trim() === branch) return;
    const why = (error as { stderr?: Buffer }).stderr?.toString().trim() || (error as Error).message;
    sayError(yellow(`the branch could not be made (${why}); run: git switch -c ${branch}`));
  }
}
