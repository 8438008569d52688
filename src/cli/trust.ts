// interlock trust: the user's consent that this project's interlock.yaml may loosen their settings, bound to the file's hash.
// Invariant: giving consent needs a person at a terminal, `--yes` or not; taking it back tightens and needs nobody.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { consents } from "../config/load.js";
import { replaceFile } from "../files/replace.js";
import { options } from "./args.js";
import { openHere, printJson } from "./here.js";
import { confirm, person } from "./person.js";

export const usage = "Usage: interlock trust [--yes] [--revoke] [--json]\n";

export async function run(args: string[]): Promise<number> {
  const { values } = options(args, { yes: "flag", revoke: "flag", json: "flag", cwd: "text", home: "text" }, usage);
  const { projectFile, consentsFile, settings } = await openHere(values);
  let text: string;
  try {
    text = readFileSync(projectFile, "utf8");
  } catch {
    console.error(`interlock: there is no ${projectFile} to trust.`);
    return 1;
  }
  const hash = createHash("sha256").update(text).digest("hex");
  const known = consents(consentsFile);
  if (values.revoke) {
    replaceFile(consentsFile, `${JSON.stringify(known.filter((h) => h !== hash))}\n`, 0o600);
    if (values.json) printJson({ trusted: false, hash });
    else console.log("This file may only tighten again.");
    return 0;
  }
  if (!settings.loosened.length || known.includes(hash)) {
    if (values.json) printJson({ trusted: known.includes(hash), loosened: [] });
    else
      console.log(known.includes(hash) ? "Already trusted in this form." : "Nothing to do: this file loosens nothing.");
    return 0;
  }
  if (person(values.json) === undefined) return 1;
  console.error(`${projectFile} would loosen:`);
  for (const { path, kept, refused } of settings.loosened)
    console.error(`  ${path}: ${JSON.stringify(kept)} -> ${JSON.stringify(refused)}`);
  if (!(await confirm("Accept this, for exactly this content of the file?", values.yes))) return 1;
  replaceFile(consentsFile, `${JSON.stringify([...known, hash])}\n`, 0o600);
  if (values.json) printJson({ trusted: true, hash, loosened: settings.loosened });
  else console.log("Trusted. Any change of the file asks again.");
  return 0;
}
