// Derives hazards from what effects name: deletes of roots and homes, credential files, devices, start-up files.
// Invariant: pure; a hazard a tool attached itself is kept, and only a graver one takes its place.
import type { Effect, Hazard, PathEffect, PathHow } from "../../model/effect.js";
import { hazard, hazardName } from "../../model/hazards.js";
import { deletionHazard } from "./deletion.js";
import type { KnownPlaces } from "./places.js";
import { readingHazard } from "./reading.js";
import { writingHazard } from "./writing.js";

export interface Danger {
  effect: Effect;
  hazard: Hazard;
}

/** Every hazard of a command, the gravest of each effect. */
export function hazardsOf(effects: readonly Effect[], places: KnownPlaces): Danger[] {
  const found: Danger[] = [];
  for (const effect of effects) {
    const gravest = graver(effect.hazard, pathHazard(effect, places));
    if (gravest) found.push({ effect, hazard: gravest });
  }
  return leaks(found, effects, places);
}

const graver = (left: Hazard | undefined, right: Hazard | undefined): Hazard | undefined =>
  left && (!right || left.level >= right.level) ? left : right;

/** What git and other tools keep in their own files they judge themselves. */
const keptByTool = new Set<PathHow>(["git", "git-config", "own-store"]);

/** The hazard of one path effect, judged by its path alone. */
export function pathHazard(effect: Effect, places: KnownPlaces): Hazard | undefined {
  if (effect.kind === "delete") return effect.how === "git" ? undefined : deletionHazard(effect, places);
  if (effect.kind === "write")
    return effect.how && keptByTool.has(effect.how) ? undefined : writingHazard(effect, places);
  return effect.kind === "read" ? readingHazard(effect, places) : undefined;
}

/** A secret that is read in the same command in which data leaves the machine is on its way out. */
function leaks(found: Danger[], effects: readonly Effect[], places: KnownPlaces): Danger[] {
  const sent = effects.filter((effect) => effect.kind === "network" && effect.program !== "git");
  const [out] = sent;
  if (!out) return found;
  if (out.upload)
    for (const effect of effects)
      if (effect.kind === "read" && effect.how !== "stage" && !found.some((danger) => danger.effect === effect))
        found.push({ effect, hazard: sending(effect, places, out.program) });
  return found.map((danger) =>
    danger.hazard.class === "credential-read" &&
    danger.hazard.level < 3 &&
    // What another machine shows of itself is not ours to send.
    danger.effect.how !== "remote" &&
    !goesHome(danger, sent) &&
    // A secret store that is asked over the network sends nothing away by that.
    sent.some((effect) => effect.program === undefined || effect.program !== danger.effect.program)
      ? { effect: danger.effect, hazard: hazard("secret-sent", `${hazardName(danger.hazard)}-sent`) }
      : danger,
  );
}

/** Services that issue a token, by the beginning of its name: it may be shown to them. */
const issuers: readonly (readonly [RegExp, RegExp])[] = [
  [/^gh-/, /(?:^|\.)github(?:usercontent)?\.com$|(?:^|\.)ghcr\.io$/],
  [/^glab-/, /(?:^|\.)gitlab\.com$/],
  [/^gcloud-/, /(?:^|\.)(?:googleapis\.com|google\.com|run\.app|gcr\.io|pkg\.dev)$/],
  [/^aws-/, /(?:^|\.)amazonaws\.com$/],
  [/^az-/, /(?:^|\.)(?:azure\.com|azurecr\.io|microsoft\.com|windows\.net)$/],
  [/^npm-/, /(?:^|\.)npmjs\.org$/],
];

/** Everything that is sent goes to the service the token is from. */
function goesHome({ effect, hazard: { name = "" } }: Danger, sent: readonly Effect[]): boolean {
  const home = issuers.find(([token]) => token.test(name))?.[1];
  return (
    home !== undefined &&
    sent.every((one) => {
      if (one.program !== undefined && one.program === effect.program) return true;
      const host = /^(?:\w+:\/\/)?(?:[^@/]*@)?([^:/?#]+)/.exec(one.host ?? "")?.[1];
      return host !== undefined && home.test(host);
    })
  );
}

/** Files that leave the machine: a whole project or home is a disaster, one file may be the task. */
function sending(effect: PathEffect, { root, home }: KnownPlaces, program: string | undefined): Hazard {
  // A project copied to a machine one may log in to is a deployment.
  const deployed = program === "rsync" || program === "scp" || program === "sftp";
  const { path } = effect;
  const everything = effect.recursive && ((path === root && !deployed) || path === home || path === "/");
  return hazard(everything ? "upload-everything" : "upload-file");
}
