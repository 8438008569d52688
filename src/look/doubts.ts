// Which cases may be false alarms: what the transcript can't prove, and what the person asked for.
// Invariant: a doubt never hides a case, it only counts it apart.
import { hazardCatalogue } from "../model/hazards.js";
import type { Opinion } from "../model/verdict.js";

export interface DoubtContext {
  /** The person's last prompt. */
  prompt: string;
}

/** By hazard class: words of a prompt that ask for it. */
const asked: Readonly<Record<string, RegExp>> = {
  "worktree-loss": /\b(?:discard|reset|revert|throw (?:it )?away|clean|drop|undo|restore|roll ?back)\b/i,
  "history-loss": /\b(?:force|reset|rewrite|rebase|squash|amend|delete|undo|roll ?back)\b/i,
  "protected-branch": /\b(?:push|release|deploy|publish|ship)\b/i,
  "mass-delete": /\b(?:delete|remove|clean|wipe|purge|clear|uninstall|start over|from scratch)\b/i,
  database: /\b(?:drop|truncate|reset|wipe|delete|migrate|recreate|seed)\b/i,
  infrastructure: /\b(?:deploy|destroy|delete|remove|tear ?down|stop|prune|restart|scale)\b/i,
  "verification-skip": /\b(?:no-verify|skip|without (?:the )?(?:hooks?|checks?))\b/i,
  kill: /\b(?:kill|stop|restart|terminate)\b/i,
};

export function doubtAbout(opinion: Opinion, { prompt }: DoubtContext): string | undefined {
  if (opinion.kind !== "deny" && opinion.kind !== "ask") return undefined;
  const hazard = opinion.data?.["hazard"];
  const cls = String(opinion.data?.["class"] ?? "");
  if (asked[cls]?.test(prompt)) return "the prompt seems to ask for it";
  if (typeof hazard === "string" && mayBeExcused(hazard))
    return "git can't be asked any more; it passes where nothing would be lost";
  return undefined;
}

const mayBeExcused = (name: string): boolean =>
  Object.entries(hazardCatalogue).some(
    ([id, entry]) => "excuse" in entry && (id === name || ("name" in entry && entry.name === name)),
  );
