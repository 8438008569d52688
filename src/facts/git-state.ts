// Where the repository stands, read from its files: no git process.
import { join } from "node:path";
import type { Project } from "../model/gate.js";
import { readBoundedText } from "../project/bounded-read.js";

export interface GitFact {
  isRepository: boolean;
  /** undefined outside a repository or on a detached HEAD. */
  branch?: string;
  detached: boolean;
}

export function gitOf(project: Project): GitFact {
  if (!project.gitDir) return { isRepository: false, detached: false };
  let head: string;
  try {
    head = readBoundedText(join(project.gitDir, "HEAD"), 4096).trim();
  } catch {
    // A repository without a readable HEAD has no branch we could name.
    return { isRepository: true, detached: false };
  }
  const ref = /^ref: refs\/heads\/(.+)$/.exec(head);
  return ref ? { isRepository: true, branch: ref[1], detached: false } : { isRepository: true, detached: true };
}
