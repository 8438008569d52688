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
    .replace(/[^\w.-]+/g, "-")
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
  const taken =
    spawnSync("git", ["-C", root, "rev-parse", "-q", "--verify", `refs/heads/${branch}`], { stdio: "ignore" })
      .status === 0;
  return taken ? { why: `the branch ${branch} is there already`, next: "start with another --name" } : undefined;
}

export function enterBranch(root: string, branch: string): void {
  try {
    execFileSync("git", ["-C", root, "switch", "-c", branch], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  } catch (error) {
    const why = (error as { stderr?: Buffer }).stderr?.toString().trim() || (error as Error).message;
    sayError(yellow(`the branch could not be made (${why}); run: git switch -c ${branch}`));
  }
}
