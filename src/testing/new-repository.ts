// A new git repository for a test. Git makes one per process and branch name; each further one is a copy of it, which
// saves a process and the files of git's example hooks.
import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { temporary } from "./temporary.js";

const made = new Map<string, string>();

export function newRepository(root: string, branch = "main"): void {
  cpSync(made.get(branch) ?? makeFirst(branch), join(root, ".git"), { recursive: true });
}

function makeFirst(branch: string): string {
  const folder = temporary("repository");
  execFileSync("git", ["init", "-q", "-b", branch, folder]);
  const git = join(folder, ".git");
  const hooks = readdirSync(join(git, "hooks"));
  for (const name of hooks) if (name.endsWith(".sample")) rmSync(join(git, "hooks", name));
  made.set(branch, git);
  return git;
}
