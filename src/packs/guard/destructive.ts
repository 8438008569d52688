// What can't be undone is not done: deletes, lost work and history, disks, databases, infrastructure, code from elsewhere.
// Invariant: judged on effects with a hazard, never on text; every refusal names the hazard so that the user can except it.

import type { Facts } from "../../facts/index.js";
import { losesNothing, recoverable } from "../../facts/recoverable.js";
import type { Effect } from "../../model/effect.js";
import { before, gate } from "../../model/gate.js";
import { adviceOn, type Hazard, hazardName } from "../../model/hazards.js";
import { inert } from "../../model/text.js";
import { ask, deny, type Opinion } from "../../model/verdict.js";
import type { Danger } from "../../shell/hazards/path-hazards.js";
import { secretClasses } from "./hazards.js";
import { type GuardOptions, type Reaction, reactionTo, strictness } from "./presets.js";

export const destructive = gate<undefined, GuardOptions>({
  id: "guard/destructive",
  title: "What can't be undone is not done",
  about:
    "Refuses deletes outside the project or of the project, loss of uncommitted work and of history, force-pushes, protected branches, disks, databases, infrastructure, start-up entries and code from elsewhere, in any spelling and however deeply wrapped. How much counts is the preset's (`standard`, `strict`, `paranoid`); named exceptions are the user's.",
  remedy:
    "Take the way the refusal names; or the user lets it through once (`interlock allow`) or for good (`packs.guard.except`).",
  on: before(),
  onError: "deny",
  protecting: true,
  judge({ facts, config, act }) {
    const found: (Danger & { reaction: Reaction })[] = [];
    for (const { effect, hazard } of facts.hazards) {
      if (secretClasses.has(hazard.class)) continue;
      if (hazard.class === "worktree-loss")
        act("keep-work", { repo: effect.repo ?? facts.event.cwd, id: hazardName(hazard) });
      const reaction = reactionTo(hazard, config);
      if (reaction && !excused(facts, effect, hazard, config)) found.push({ effect, hazard, reaction });
    }
    const worst = found.find((f) => f.reaction === "deny") ?? found[0];
    if (worst) return opinion(worst.effect, worst.hazard, worst.reaction);
    return unknown(facts, config);
  },
});

/** Inside the project, what git can give back or was told to ignore is no loss; nor is what a git command would not lose as things stand. */
function excused(facts: Facts, effect: Effect, hazard: Hazard, config: GuardOptions): boolean {
  if (!strictness(config).excuses) return false;
  if (hazard.class === "worktree-loss" || hazard.class === "history-loss") return losesNothing(facts, effect, hazard);
  if (!/^delete-project-(?:tree|files)$/.test(hazard.id)) return false;
  return effect.path !== undefined && !effect.glob && recoverable(facts, effect.path);
}

function opinion(effect: Effect, hazard: Hazard, reaction: Reaction): Opinion {
  const said = {
    what: `${inert(effect.reason, 120)} [${hazardName(hazard)}]`,
    ...adviceOn(hazard),
    data: { hazard: hazardName(hazard), class: hazard.class, level: hazard.level },
  };
  return reaction === "ask" ? ask(said) : deny(said);
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
