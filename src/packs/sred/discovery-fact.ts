// The suggestion for one commit: history from git or from what is kept of it, ranked; a model's answer if one is kept.
// Invariant: bounded in time; it changes nothing but the kept history in Interlock's own folder.
import { join } from "node:path";
import type { Facts } from "../../facts/index.js";
import type { CommitCall } from "../../model/commit-call.js";
import { commitContext, stagedContent } from "../../sred/commit-context.js";
import { answerKey, keptAnswer } from "../../sred/model/suggestion-cache.js";
import { readHistory, type SredHistory } from "../../sred/ranking/history.js";
import { type Suggestion, suggest } from "../../sred/suggestion.js";
import type { JudgedCommit } from "./judged-commits.js";
import type { SredOptions } from "./sred-options.js";

/** The gates have eight seconds for everything. */
const historyTime = 3_000;

export const sredFolder = (facts: Facts): string =>
  join(facts.world.places.interlockHome, "projects", facts.world.project.id);

export const historyFact = (facts: Facts, root: string, now: number): SredHistory =>
  facts.once(`sred history ${root}`, () =>
    readHistory({ root, file: join(sredFolder(facts), "sred", "history.json"), now, ms: historyTime }),
  );

/** The commit takes files that are not staged. */
export const takesAll = ({ options, operands }: CommitCall): boolean =>
  options.includes("--all") || operands.length > 0;

export function suggestionFor(facts: Facts, commit: JudgedCommit, options: SredOptions, now: number): Suggestion {
  const { root, call } = commit;
  const message = commit.message ?? { scope: undefined, prefix: undefined, issueKeys: [] };
  const staged = stagedContent(root, takesAll(call));
  const context = commitContext(root, message, staged, now);
  const key = answerKey({ repository: facts.world.project.id, scope: message.scope, staged: staged.entries });
  const model = options.model ? keptAnswer(sredFolder(facts), key, now) : undefined;
  return suggest(message, context, historyFact(facts, root, now), model);
}
