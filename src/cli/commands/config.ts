// interlock config: the configuration in force, a check of a file before it is used, or one value set.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { Opened } from "../../hook/open-project.js";
import type { Json } from "../../model/json.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { changeConfig, changeOptions, changeUsage } from "../lib/change-config.js";
import { openHere, printJson } from "../lib/current-project.js";
import { planConfigEdit } from "../lib/edit-config.js";
import { green, red, yellow } from "../lib/paint.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock config [--json]            the configuration in force and where it comes from
       interlock config check [<file>] [--json]   check a file (this project's interlock.yaml by default)
       interlock config set <key> <value> [--user] [--dry-run] [--json]
                                                  such as: interlock config set packs.discipline.mode warn

  The value is written as in YAML: true, 5, warn, [a, b].${changeUsage}`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, changeOptions, usage, "words");
  const [verb] = words;
  if (verb !== undefined && verb !== "check" && verb !== "set")
    throw unknownWord("there is no", `config ${verb}`, ["config check", "config set"], usage);
  const opened = await openHere(values);
  if (verb === "check") {
    atMost(words, 2, usage);
    return check(resolve(words[1] ?? opened.projectFile), words[1] !== undefined, Boolean(values.json), opened);
  }
  if (verb === "set") {
    const [, key, value] = words;
    if (key === undefined || value === undefined) throw new UsageError(`which key, and which value?\n${usage}`);
    atMost(words, 3, usage);
    const edit = await planConfigEdit(opened, [{ key, value: yamlValue(value) }], values.user ? "user" : "project");
    return changeConfig(edit, values, `${key} is ${value}.`);
  }
  const { config, problems, loosened, hash } = opened.settings;
  if (values.json) {
    printJson({ hash, userFile: opened.userFile, projectFile: opened.projectFile, problems, loosened, config });
    return problems.length ? 1 : 0;
  }
  say(`configuration ${hash}\n  yours:     ${opened.userFile}\n  project's: ${opened.projectFile}`);
  for (const [id, pack] of Object.entries(config.packs)) {
    const preset = pack.options["preset"];
    const gates = [
      ...(typeof preset === "string" ? [`preset ${preset}`] : []),
      ...Object.entries(pack.gates).map(([g, m]) => `${g}: ${m}`),
    ];
    say(`  ${id}: ${pack.enabled ? pack.mode : "off"}${gates.length ? ` (${gates.join(", ")})` : ""}`, 4);
  }
  for (const p of problems) say(red(`  problem: ${p}`), 4);
  for (const l of loosened)
    say(
      yellow(
        `  not loosened: ${l.path} stays ${JSON.stringify(l.kept)}; ` +
          `to accept the project's ${JSON.stringify(l.refused)} run: interlock trust`,
      ),
      4,
    );
  return problems.length ? 1 : 0;
}

async function check(file: string, named: boolean, json: boolean, opened: Opened): Promise<number> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (json) printJson({ file, problems: [], missing });
    else if (missing && !named) say(`There is no ${file}: your own settings and the defaults hold.`);
    else sayError(`interlock: ${missing ? `there is no ${file}` : `${file} can't be read`}`);
    return missing && !named ? 0 : 1;
  }
  const { compile } = await import("../../config/compile.js");
  const alone = await compile({ name: "user", text: undefined }, { name: file, text }, true);
  const { problems } = alone;
  const ignored = problems.length || file === opened.userFile ? [] : await looser(opened, file, text);
  if (json) printJson({ file, problems, ignored });
  else if (problems.length) for (const p of problems) say(red(p), 2);
  else say(green(`${file} is fine`));
  if (!json && ignored.length) {
    say(yellow("Ignored until you agree to it with interlock trust, because your own settings are tighter:"));
    for (const { path, kept, refused } of ignored)
      say(yellow(`  ${path}: ${JSON.stringify(refused)} (${JSON.stringify(kept)} stays in force)`), 4);
  }
  return problems.length ? 1 : 0;
}

/** What a project's file says in vain: it is looser than the user's settings, and nobody agreed to it. */
async function looser(opened: Opened, file: string, text: string) {
  if (file === opened.projectFile) return opened.settings.loosened;
  const { compile } = await import("../../config/compile.js");
  const user = existsSync(opened.userFile) ? readFileSync(opened.userFile, "utf8") : undefined;
  return (await compile({ name: opened.userFile, text: user }, { name: file, text })).loosened;
}

function yamlValue(text: string): Json {
  try {
    return parse(text) as Json;
  } catch {
    return text; // no YAML: taken as the text it is
  }
}
