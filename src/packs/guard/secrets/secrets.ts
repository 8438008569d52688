// Keeps credentials out of the transcript and on this machine.
// Invariant: judges effects of file tools and of the shell alike; what the user declared readable may be read.

import { relative } from "node:path";
import type { Facts } from "../../../facts/index.js";
import { untrackedIn } from "../../../facts/untracked-files.js";
import type { Effect } from "../../../model/effect.js";
import { before, gate } from "../../../model/gate.js";
import { adviceOn, hazardName } from "../../../model/hazards.js";
import { inert } from "../../../model/text.js";
import { ask, deny } from "../../../model/verdict.js";
import { matchCompiled } from "../../../project/globs.js";
import { askGitList } from "../../../project/run-git.js";
import { type Danger, pathHazard } from "../../../shell/hazards/path-hazards.js";
import { type GuardOptions, reactionTo, strictness } from "../presets.js";
import { secretClasses } from "../secret-classes.js";

export const secrets = gate<undefined, GuardOptions>({
  id: "guard/secrets",
  title: "Credentials are neither read nor sent",
  about:
    "Refuses reading credential files and variables (keys, tokens, `.env`, cloud and package registry credentials, " +
    "process memory) where the agent would see their content, and sending local data away. The preset sets how " +
    "strict it is; `packs.guard.readable` names files that may be read.",
  remedy:
    "Use the credential without showing it; or the user names the file in `packs.guard.readable`, " +
    "or lets the call through once.",
  on: before(),
  onError: "deny",
  protecting: true,
  judge({ facts, config }) {
    for (const { effect, hazard } of [...facts.hazards, ...stagedSecrets(facts)]) {
      if (!secretClasses.has(hazard.class) || isReadable(facts, effect, config)) continue;
      const reaction = reactionTo(hazard, config);
      if (!reaction || (strictness(config).excuses && isShared(facts, effect))) continue;
      const said = {
        what: `${inert(effect.reason, 80)}${effect.word ? `: ${inert(effect.word, 60)}` : ""} [${hazardName(hazard)}]`,
        ...adviceOn(hazard),
        data: { hazard: hazardName(hazard), class: hazard.class, level: hazard.level },
      };
      return reaction === "ask" ? ask(said) : deny(said);
    }
  },
});

/** `.env.ports`, `.env.ci`: variants that git keeps are in every clone, and hold no secret that is still one. */
function isShared(facts: Facts, effect: Effect): boolean {
  const { path, kind } = effect;
  const { project } = facts.world;
  if (kind !== "read" || path === undefined || effect.glob || !/\/\.env\.[^/]+$/.test(path)) return false;
  if (!project.gitDir || !path.startsWith(`${project.root}/`)) return false;
  return facts.once(`kept ${path}`, () => {
    const kept = askGitList(project.root, ["ls-files", "-z", "--", path], { ms: 1_500 });
    return kept?.length === 1;
  });
}

/** `git add -A` takes in what nobody named: credentials among the files git does not keep yet. */
function stagedSecrets(facts: Facts): Danger[] {
  const places = { root: facts.world.project.root, home: facts.world.userHome };
  return facts.effects.flatMap((effect) => {
    if (effect.kind !== "read" || effect.how !== "stage") return [];
    return untrackedIn(facts, effect).flatMap((path) => {
      const staged = { ...effect, path, glob: false, recursive: false, word: relative(places.root, path) };
      const hazard = pathHazard(staged, places);
      return hazard ? [{ effect: staged, hazard }] : [];
    });
  });
}

function isReadable(facts: Facts, effect: Effect, { readable = [] }: GuardOptions): boolean {
  const { path } = effect;
  if (path === undefined || effect.glob) return false;
  return readable.some((globs) => {
    const [, root, glob] = /^(~\/|\/)?([\s\S]*)$/.exec(globs)!;
    const base = root === "~/" ? facts.world.userHome : root === "/" ? "" : facts.world.project.root;
    return (
      path.startsWith(`${base}/`) &&
      matchCompiled([glob!.replaceAll(`\n${root ?? ""}`, "\n")], path.slice(base.length + 1))
    );
  });
}
