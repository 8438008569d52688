// interlock preset <name>: how strict the guard is.
import { presets } from "../../packs/guard/presets.js";
import { atMost, parseOptions } from "../lib/args.js";
import { changeConfig, changeOptions, changeUsage } from "../lib/change-config.js";
import { openHere, printJson } from "../lib/current-project.js";
import { presetEdit, presetNames } from "../lib/preset-edit.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock preset [${presetNames.join("|")}] [--user] [--dry-run] [--json]

  Without a name: the presets, and which one is in force.${changeUsage}`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, changeOptions, usage, "words");
  atMost(words, 1, usage);
  const opened = await openHere(values);
  const [name] = words;
  const current = String(opened.settings.config.packs["guard"]!.options["preset"]);
  if (name !== undefined) {
    const edit = await presetEdit(opened, name, usage, values.user ? "user" : "project");
    return changeConfig(edit, values, `The guard is ${name}. Next: interlock status`);
  }
  if (values.json) printJson({ current, presets: presetNames });
  else
    for (const [each, { says }] of Object.entries(presets))
      say(`${each === current ? "*" : " "} ${each.padEnd(9)} ${says}`, 12);
  return 0;
}
