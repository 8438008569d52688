// What each class of hazard means for the one who reads the refusal: why it is refused, and what to do instead.
import type { Hazard } from "../../model/effect.js";

export interface Advice {
  why: string;
  next: string;
}

const user = "ask the user to do it in their own terminal";

export const advice: Record<Hazard["class"], Advice> = {
  "worktree-loss": {
    why: "uncommitted work would be lost without a way back",
    next:
      "`git stash push -u` sets changes aside and can be undone; " +
      "`git reset --soft COMMIT` takes commits back and keeps their content",
  },
  "history-loss": {
    why: "commits others or the user may need would be replaced or become unreachable",
    next: "make a new commit instead (`git revert COMMIT`), or keep the old one first: `git branch keep/NAME`",
  },
  "protected-branch": {
    why: "people build on that branch",
    next: "push a branch of your own (`git push -u origin HEAD`) and open a pull request",
  },
  "mass-delete": {
    why: "a whole tree would be deleted that git can't give back",
    next: "delete single files by name, commit first, or move the folder aside: `mv FOLDER FOLDER.old`",
  },
  disk: { why: "it writes to a raw device or file system", next: user },
  database: {
    why: "data would be dropped or changed without a bound",
    next:
      "look first (`SELECT count(*)` with the same condition) and bound the statement with WHERE, " +
      "or ask the user to run it",
  },
  infrastructure: {
    why: "it changes or removes running infrastructure",
    next: "show the plan (plan, diff, --dry-run) and ask the user to apply it",
  },
  "credential-read": {
    why: "a credential would become visible to the agent and end up in the transcript",
    next: "use it without showing it (pass the file or variable to the program that needs it), or ask the user",
  },
  exfiltration: {
    why: "local data would leave this machine",
    next: "keep it local, or ask the user to send it",
  },
  "remote-code": {
    why: "text from elsewhere would be executed unseen",
    next: "download it to a file, read it, then run what you need from it",
  },
  persistence: {
    why: "it installs something that runs later without anybody asking",
    next: user,
  },
  permissions: {
    why: "ownership or permissions would change widely",
    next: "change the single file that needs it",
  },
  kill: {
    why: "processes that are not this agent's would be ended",
    next: "end only a process you started, by its number",
  },
  system: { why: "it changes the machine, not the project", next: user },
  "verification-skip": {
    why: "the project's own checks would be skipped",
    next: "run it without the option and fix what the checks report",
  },
};

/** The secrets gate judges these; the destructive gate all others. */
export const secretClasses: ReadonlySet<Hazard["class"]> = new Set(["credential-read", "exfiltration"]);
