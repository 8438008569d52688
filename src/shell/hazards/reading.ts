// What makes a read dangerous: the content is a credential and would be shown.
// Invariant: a file that is only handed on to a program, or changed in place, is not shown.
import type { Hazard, PathEffect } from "../../model/effect.js";
import { hazard } from "../../model/hazards.js";
import { isCredentialFile, isKeyMaterial, isKeyStore, reachesCredentials } from "./credentials.js";
import { isDisk, type KnownPlaces } from "./places.js";

const credentialFile = hazard("credential-file");

/** They look into every file and print what they find. */
const searches = new Set("grep egrep fgrep zgrep ugrep trufflehog gitleaks detect-secrets".split(" "));

export function readingHazard(effect: PathEffect, { home, root }: KnownPlaces): Hazard | undefined {
  const path = effect.path ?? effect.within;
  if (effect.path === undefined && /^["']?\/proc\/.*\/environ\b/s.test(effect.word ?? "")) return credentialFile;
  // In a folder that is not known, a name says as much.
  if (path === undefined && effect.how === undefined && /^\W?\.env\W?$/.test(effect.word ?? "")) return credentialFile;
  if (path === undefined || effect.how === "edit" || effect.how === "use") return undefined;
  if (
    isCredentialFile(path, home) ||
    (effect.recursive && isCredentialFile(path.replace(/\/\*+$/, ""), home)) ||
    (effect.glob && reachesCredentials(path, home))
  )
    return credentialFile;
  if ((effect.recursive || effect.glob) && isKeyStore(path)) return hazard("key-store");
  const whole = path === home || path === "/" || path === "/home" || path === "/Users";
  if (effect.recursive && whole && path !== root && searches.has(effect.by ?? "")) return credentialFile;
  const isOutside = root !== undefined && !`${path}/`.startsWith(`${root}/`);
  if (effect.glob && isOutside && home !== undefined && /^[^*?[]*/.exec(path)![0].length <= home.length + 1)
    if (isKeyMaterial(path)) return credentialFile;
  if (isKeyMaterial(path)) {
    const example = /\/(test|tests|fixtures|testdata|examples?)\//.test(path);
    return hazard(effect.how === "stage" && !example ? "key-material-staged" : "key-material");
  }
  return isDisk(path) ? hazard("read-device") : undefined;
}
