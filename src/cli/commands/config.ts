// interlock config: the configuration in force, or a check of a file before it is used.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseOptions } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { green, red, yellow } from "../lib/paint.js";

export const usage = `Usage: interlock config [--json]            the configuration in force and where it comes from
       interlock config check [<file>] [--json]   check a file (this project's interlock.yaml by default)
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { json: "flag", cwd: "text", home: "text" }, usage, "words");
  const opened = await openHere(values);
  if (words[0] === "check")
    return check(resolve(words[1] ?? opened.projectFile), words[1] !== undefined, Boolean(values.json));
  const { config, problems, loosened, hash } = opened.settings;
  if (values.json) {
    printJson({ hash, userFile: opened.userFile, projectFile: opened.projectFile, problems, loosened, config });
    return problems.length ? 1 : 0;
  }
  console.log(`configuration ${hash}\n  yours:     ${opened.userFile}\n  project's: ${opened.projectFile}`);
  for (const [id, pack] of Object.entries(config.packs)) {
    const gates = Object.entries(pack.gates).map(([g, m]) => `${g}: ${m}`);
    console.log(`  ${id}: ${pack.enabled ? pack.mode : "off"}${gates.length ? ` (${gates.join(", ")})` : ""}`);
  }
  for (const p of problems) console.log(red(`  problem: ${p}`));
  for (const l of loosened)
    console.log(
      yellow(
        `  not loosened: ${l.path} stays ${JSON.stringify(l.kept)}; ` +
          `to accept the project's ${JSON.stringify(l.refused)} run: interlock trust`,
      ),
    );
  return problems.length ? 1 : 0;
}

async function check(file: string, named: boolean, json: boolean): Promise<number> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (json) printJson({ file, problems: [], missing });
    else if (missing && !named) console.log(`There is no ${file}: your own settings and the defaults hold.`);
    else console.error(`interlock: ${missing ? `there is no ${file}` : `${file} can't be read`}`);
    return missing && !named ? 0 : 1;
  }
  const { compile } = await import("../../config/compile.js");
  const { problems } = await compile({ name: "user", text: undefined }, { name: file, text }, true);
  if (json) printJson({ file, problems });
  else if (problems.length) for (const p of problems) console.log(red(p));
  else console.log(green(`${file} is fine`));
  return problems.length ? 1 : 0;
}
