// The last step of `tdd ship` and `tdd full`: one commit on a branch of its own.
// Invariant: commits on a new branch only, pushes nothing, and changes nothing outside a git repository.
import { spawnSync } from "node:child_process";
import type { KitContext } from "./kit-context.js";

export function runGit(context: KitContext, spec: string): void {
  const { project, run, tell } = context;
  const git = (...args: string[]) => spawnSync("git", args, { cwd: project, encoding: "utf8" });
  if (git("rev-parse", "--is-inside-work-tree").stdout?.trim() !== "true") return;
  const feature =
    spec
      .replace(/^.*\//, "")
      .replace(/\.[^.]*$/, "")
      .replace(/[^A-Za-z0-9._-]+/g, "-") || "feature";
  const branch = `tdd/${feature}`;
  if (git("symbolic-ref", "--short", "HEAD").stdout.trim() !== branch) {
    const switched = git("switch", "-c", branch);
    if (switched.status !== 0 && git("switch", branch).status !== 0) return tell(`git: ${switched.stderr.trim()}`);
  }
  git("add", "-A");
  if (git("diff", "--cached", "--quiet").status === 0) return tell("git: nothing to commit");
  const committed = git("commit", "-q", "-m", `Add ${feature}`);
  const ok = committed.status === 0;
  run.append({ event: ok ? "committed" : "commit_failed", kit: context.kit, data: { branch } });
  tell(
    ok ? `git: committed on ${branch}; push it when you are ready` : `git: ${committed.stderr.trim().slice(0, 300)}`,
  );
}
