// The last step of `tdd ship` and `tdd full`: one commit on a branch of its own, and what was asked for beyond that.
// Invariant: commits on the branch tdd/<feature> only; pushes, opens a pull request, removes the spec only when told.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KitContext, PhaseResult } from "./kit-context.js";

type Finding = PhaseResult["findings"][number];

/** What went wrong, if anything; outside a git repository there is nothing to do. */
export function shipFeature(context: KitContext, spec: string): Finding | undefined {
  const { project, run, tell, kit } = context;
  const git = (...args: string[]) => spawnSync("git", args, { cwd: project, encoding: "utf8" });
  if (git("rev-parse", "--is-inside-work-tree").stdout?.trim() !== "true") return undefined;
  const feature =
    spec
      .replace(/^.*\//, "")
      .replace(/\.[^.]*$/, "")
      .replace(/[^A-Za-z0-9_-]+/g, "-") || "feature";
  const branch = `tdd/${feature}`;
  const stopped = (what: string, next: string): Finding => {
    run.append({ event: "commit_failed", kit, reason: what, data: { branch } });
    return { rule: "ship", what: what.slice(0, 300), next };
  };
  const base = git("symbolic-ref", "--short", "HEAD").stdout.trim();
  if (base !== branch) {
    const switched = git("switch", "-c", branch);
    if (switched.status !== 0 && git("switch", branch).status !== 0)
      return stopped(`git switch: ${switched.stderr.trim()}`, `switch to ${branch} by hand, then run tdd ship again`);
  }
  const commit = (message: string) => git("commit", "-q", "-m", message);
  // Runs and requests are records of the work, not part of it.
  git("add", "-A", "--", ".", ":(exclude)runs", ":(exclude)interop");
  const isEmpty = git("diff", "--cached", "--quiet").status === 0;
  if (isEmpty) tell("git: nothing to commit");
  else {
    const { status, stderr } = commit(`Add ${feature}`);
    if (status !== 0)
      return stopped(`git commit: ${stderr.trim()}`, "mend what it names, then: interlock kit tdd ship <spec>");
    run.append({ event: "committed", kit, data: { branch } });
  }
  if (context.ship?.archiveSpec && existsSync(join(project, spec)) && git("rm", "-q", "--", spec).status === 0) {
    if (commit(`Archive ${spec}: it is done`).status !== 0)
      return stopped(`the removal of ${spec} could not be committed`, "commit it by hand");
    run.append({ event: "spec_archived", kit, data: { spec } });
  }
  const sent = context.ship?.push ? send(context, branch, base) : undefined;
  if (sent) return stopped(sent.what, sent.next);
  if (!context.ship?.push && !isEmpty) tell(`git: committed on ${branch}; push it when you are ready, or use --push`);
  return undefined;
}

/** Pushes the branch, and opens a pull request where that was asked for. */
function send(context: KitContext, branch: string, base: string): { what: string; next: string } | undefined {
  const { project, run, kit, tell } = context;
  const start = (program: string, ...args: string[]) => spawnSync(program, args, { cwd: project, encoding: "utf8" });
  if (start("git", "remote", "get-url", "origin").status !== 0)
    return { what: 'there is no remote "origin" to push to', next: "git remote add origin <url>, or leave --push out" };
  const pushed = start("git", "push", "-q", "-u", "origin", branch);
  if (pushed.status !== 0)
    return { what: `git push: ${pushed.stderr.trim()}`, next: `push it by hand: git push -u origin ${branch}` };
  run.append({ event: "pushed", kit, data: { branch } });
  tell(`git: pushed ${branch}`);
  if (!context.ship?.pullRequest) return undefined;
  const to = base && base !== branch ? ["--base", base] : [];
  const opened = start("gh", "pr", "create", "--fill", "--head", branch, ...to);
  if (opened.status !== 0)
    return {
      what: `gh pr create: ${(opened.error?.message ?? opened.stderr).trim()}`,
      next: "open the pull request by hand; the branch is pushed",
    };
  run.append({ event: "pull_request_opened", kit, data: { branch, url: opened.stdout.trim().slice(0, 200) } });
  tell(opened.stdout.trim());
  return undefined;
}
