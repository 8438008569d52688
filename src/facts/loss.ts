// Whether deleting a path inside the project loses anything git could not give back.
// Invariant: only a proof counts: outside git, outside the project, or when git can't say, the answer is no.
import { askGitList } from "../files/git.js";
import type { Facts } from "./index.js";

/** Exists, and holds nothing but committed or staged content as git has it, and files git was told to ignore. */
export function recoverable(facts: Facts, path: string): boolean {
  const { project } = facts.world;
  return facts.once(`recoverable ${path}`, () => {
    if (!project.gitDir || !path.startsWith(`${project.root}/`) || !project.exists(path)) return false;
    const ask = (...args: string[]) => askGitList(project.root, [...args, "--", path], { ms: 1_500 });
    const fresh = ask("ls-files", "-z", "--others", "--exclude-standard");
    return fresh?.length === 0 && ask("diff-files", "-z", "--name-only")?.length === 0;
  });
}
