// interlock trust: the user agrees that files of this project may loosen the user's settings.
// Invariant: consent is bound to the hash of the file and needs a person at a terminal, even with `--yes`.
// Anyone may revoke it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectOf } from "../../engine/project-reader.js";
import type { Opened } from "../../hook/open-project.js";
import { consentHash, consents } from "../../project/consents.js";
import { replaceFile } from "../../project/replace-file.js";
import { parseOptions } from "../lib/args.js";
import { confirm, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock trust [--yes] [--revoke] [--json]

  Lets this project's files loosen your settings: its interlock.yaml and, with the lifecycle framework, its
  iteration-requirements.json and workflows.json. Without your consent they may only tighten them.
  Consent is for exactly the content they have now.
`;

interface Trustable {
  file: string;
  hash: string;
  loosened: { path: string; kept: unknown; refused: unknown }[];
}

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(
    args,
    { yes: "flag", revoke: "flag", json: "flag", cwd: "text", home: "text" },
    usage,
  );
  const opened = await openHere(values);
  const { consentsFile } = opened;
  const files = await trustable(opened, values.cwd ?? process.cwd());
  const hashes = files.map((f) => f.hash);
  const hash = hashes[0] ?? null;
  const known = consents(consentsFile);
  if (!files.length) {
    sayError(`interlock: there is no ${opened.projectFile} to trust.`);
    return 1;
  }
  if (values.revoke) {
    replaceFile(consentsFile, `${JSON.stringify(known.filter((h) => !hashes.includes(h)))}\n`, 0o600);
    if (values.json) printJson({ trusted: false, hash, files });
    else say("The project's files may only tighten again.");
    return 0;
  }
  const asking = files.filter((f) => f.loosened.length > 0 && !known.includes(f.hash));
  if (!asking.length) {
    const already = hashes.some((h) => known.includes(h));
    if (values.json) printJson({ trusted: already, loosened: [], files });
    else say(already ? "Already trusted in this form." : "Nothing to do: the project's files loosen nothing.");
    return 0;
  }
  if (person(values.json) === undefined) return 1;
  for (const { file, loosened } of asking) {
    sayError(`${file} would loosen:`);
    for (const { path, kept, refused } of loosened)
      sayError(`  ${path}: ${JSON.stringify(kept)} -> ${JSON.stringify(refused)}`);
  }
  if (!(await confirm("Accept this, for exactly this content?", values.yes))) return 1;
  replaceFile(consentsFile, `${JSON.stringify([...known, ...asking.map((f) => f.hash)])}\n`, 0o600);
  if (values.json) printJson({ trusted: true, hash, loosened: asking.flatMap((f) => f.loosened), files });
  else say("Trusted. Any change of the file asks again.");
  return 0;
}

async function trustable(opened: Opened, cwd: string): Promise<Trustable[]> {
  const text = textOf(opened.projectFile);
  const own =
    text === undefined
      ? []
      : [{ file: opened.projectFile, hash: consentHash(text), loosened: [...opened.settings.loosened] }];
  return [...own, ...(await tables(opened, cwd))];
}

/** The lifecycle framework's own, where the project uses it. */
async function tables(opened: Opened, cwd: string): Promise<Trustable[]> {
  const { viewProject, tableTexts } = await import("../../packs/lifecycle/model/project-view.js");
  const { looseningsIn } = await import("../../packs/lifecycle/layouts/loosening-report.js");
  const project = projectOf(opened.repository);
  const sight = viewProject({ cwd, env: {} }, project, opened.settings.config.packs["lifecycle"]!.options, opened.home);
  if (!sight) return [];
  const loosened = looseningsIn(sight.catalogue);
  return Object.entries(tableTexts(project, sight.paths.root)).flatMap(([table, found]) =>
    found?.text === undefined
      ? []
      : [
          {
            file: join(project.root, found.name),
            hash: consentHash(found.text),
            loosened: loosened.filter((l) => l.table === table),
          },
        ],
  );
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // no such file: there is nothing to consent to
  }
}
