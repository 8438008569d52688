// Hazards that rules treat in a special way, by id: which of them git can prove harmless, which lose a stash.
// Invariant: the only place outside the tools where a hazard is named by its id.

/** What git is asked before one of its commands that loses work counts as harmless. */
export type GitProof = "tracked" | "untracked" | "head" | "path";

const gitProofs: Readonly<Record<string, GitProof>> = {
  "git-reset-hard": "tracked",
  "git-reset-merge": "tracked",
  "git-checkout-force": "tracked",
  "git-switch-force": "tracked",
  "git-read-tree-reset": "tracked",
  "git-clean": "untracked",
  "git-reset": "head",
  "git-checkout-path": "path",
  "git-restore-path": "path",
};

/** undefined: no proof excuses it. */
export const gitProofFor = (id: string): GitProof | undefined =>
  Object.hasOwn(gitProofs, id) ? gitProofs[id] : undefined;

/** Deletes below the project, excused when git has a copy of all they take. */
export const isDeleteInProject = (id: string): boolean => id === "delete-project-tree" || id === "delete-project-files";

/** Stashed work is lost, not the work tree. */
export const losesStash = (id: string): boolean => id.startsWith("git-stash-");

/** A coding agent is started without its hooks. */
export const startsWithoutHooks = (id: string | undefined): boolean => id === "hookless-agent";
