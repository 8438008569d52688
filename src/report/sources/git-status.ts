// Section 8, Git Status: the last commit of each repository, and whether its work tree is clean.

import { basename } from "node:path";
import { askGitListBeside } from "../../project/run-git.js";
import { reportTable } from "../section.js";
import { askEach, type Part, type SourceContext } from "../source.js";

const staleDays = 7;

export async function repositories({ config, now }: SourceContext): Promise<Part | undefined> {
  if (!config.git?.length) return undefined;
  const ask = async (folder: string): Promise<string[]> => {
    const question = { ms: 20_000 };
    const [last, changed] = await Promise.all([
      askGitListBeside(folder, ["log", "-1", "-z", "--format=%ct"], question),
      askGitListBeside(folder, ["status", "--porcelain", "-z"], question),
    ]);
    const seconds = Number(last?.[0]);
    if (!changed) throw new Error("no git repository, or git did not answer");
    const state = changed.length ? `${changed.length} changed` : "clean";
    if (!Number.isFinite(seconds)) return [basename(folder), "no commit", state];
    const days = Math.floor((now.getTime() / 1000 - seconds) / 86_400);
    const date = new Date(seconds * 1000).toISOString().slice(0, 10);
    return [basename(folder), `${date}${days > staleDays ? ` (${days} days ago)` : ""}`, state];
  };
  const { found, problems } = await askEach(config.git, (folder) => folder, ask);
  return { blocks: found.length ? [reportTable(["Repository", "last commit", "work tree"], found)] : [], problems };
}
