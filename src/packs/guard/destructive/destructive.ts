// Refuses what can't be undone: deletes, lost work and history, disks, databases, infrastructure, downloaded code.
// Invariant: judges effects with a hazard, never text; every refusal names the hazard, so the user can except it.

import type { Facts } from "../../../facts/index.js";
import { mayBeKept, mayLose } from "../../../facts/lossy-effects.js";
import { isAbsent, recoverable } from "../../../facts/recoverable.js";
import { largeTreeStatus } from "../../../facts/work-tree.js";
import type { Effect } from "../../../model/effect.js";
import { before, gate } from "../../../model/gate.js";
import { adviceOn, type Hazard, hazardCatalogue, hazardName } from "../../../model/hazards.js";
import type { JsonObject } from "../../../model/json.js";
import { inert } from "../../../model/text.js";
import { ask, deny, type Opinion } from "../../../model/verdict.js";
import type { Danger } from "../../../shell/hazards/path-hazards.js";
import { type GuardOptions, type Reaction, reactionTo, strictness } from "../presets.js";
import { secretClasses } from "../secret-classes.js";

export const destructive = gate<undefined, GuardOptions>({
  id: "guard/destructive",
  title: "Nothing irreversible is done",
  about:
    "Refuses deleting the project or files outside it, losing uncommitted work or history, force-pushes, " +
    "protected branches, and changes to disks, databases, infrastructure and start-up files, as well as running " +
    "downloaded code: in any spelling and however deeply wrapped. The preset (`standard`, `strict`, `paranoid`) " +
    "sets how strict it is; the user can name exceptions.",
  remedy:
    "Do what the refusal suggests; or the user lets the call through once (`interlock allow`) " +
    "or always (`packs.guard.except`).",
  on: before(),
  onError: "deny",
  protecting: true,
  judge({ facts, config, act }) {
    const found: (Danger & { reaction: Reaction })[] = [];
    for (const { effect, hazard } of [...facts.hazards, ...lost(facts)]) {
      if (secretClasses.has(hazard.class)) continue;
      if (hazard.class === "worktree-loss")
        act("keep-work", keepParams(facts, effect.repo ?? facts.event.cwd, hazardName(hazard)));
      const reaction = reactionTo(hazard, config);
      if (reaction && !isExcused(facts, effect, hazard, config)) found.push({ effect, hazard, reaction });
    }
    const denied = found.filter((f) => f.reaction === "deny");
    const opens = ({ effect, hazard }: Danger) => isOpenedByKeeping(facts, effect, hazard, config);
    const worst = denied.find((f) => !opens(f)) ?? denied[0] ?? found[0];
    if (worst) return opinion(facts, worst, worst.reaction, opens(worst));
    return unknown(facts, config);
  },
});

/** What a copy or a pattern would take away, as things stand on disk. */
const lost = (facts: Facts): readonly Danger[] =>
  facts.once("lost files", () => (facts.effects.some(mayLose) && facts.part("lost")?.lostFiles(facts)) || []);

/**
 * Inside the project, what git can give back or was told to ignore is no loss.
 * Neither is a git command that would lose nothing as things stand.
 */
export function isExcused(facts: Facts, effect: Effect, hazard: Hazard, config: GuardOptions): boolean {
  if (!strictness(config).excuses) return false;
  if ((hazard.class === "mass-delete" || hazard.id === "truncate-work") && isAbsent(facts, effect)) return true;
  if (mayBeKept(hazard)) return facts.part("git")?.losesNothing(facts, effect, hazard) ?? false;
  if (!hazardCatalogue[hazard.id].excuse) return false;
  return effect.path !== undefined && !effect.glob && recoverable(facts, effect.path);
}

/** Committing the work, setting it aside or copying it lets the same call pass. */
function isOpenedByKeeping(facts: Facts, effect: Effect, hazard: Hazard, config: GuardOptions): boolean {
  if (hazard.id === "overwrite-work") return true;
  const { excuse } = hazardCatalogue[hazard.id];
  if (!strictness(config).excuses || !excuse) return false;
  if (excuse !== "kept-in-git") return /^(?:no-changes|no-untracked|path-unchanged)$/.test(excuse);
  return !effect.glob && (effect.path?.startsWith(`${facts.world.project.root}/`) ?? false);
}

function opinion(facts: Facts, { effect, hazard }: Danger, reaction: Reaction, opensByKeeping: boolean): Opinion {
  const byStash = hazard.class === "worktree-loss" && mayBeKept(hazard) && !hazardCatalogue[hazard.id].advice;
  const next = byStash && facts.part("git")?.keepingStep(facts, effect);
  const said = {
    what: `${inert(effect.reason, 120)} [${hazardName(hazard)}]`,
    ...adviceOn(hazard),
    ...(next && { next }),
    data: { hazard: hazardName(hazard), class: hazard.class, level: hazard.level },
  };
  return reaction === "ask" ? ask(said) : deny({ ...said, ...(opensByKeeping && { joins: true }) });
}

function unknown(facts: Facts, config: GuardOptions): Opinion | undefined {
  const effect = strictness(config).unknown && facts.effects.find((e) => e.kind === "unknown");
  if (!effect) return undefined;
  return ask({
    what: inert(effect.reason, 120),
    why: "the preset paranoid lets nothing run whose effects can't be known",
    next: "write the command out so that each step can be seen",
  });
}

/** In a large tree the proof has asked already whether there is anything to keep. */
const keepParams = (facts: Facts, repo: string, id: string): JsonObject => ({
  repo,
  id,
  ...(largeTreeStatus(facts, repo)?.listed.every((e) => e.ignored) && { clean: true }),
});
