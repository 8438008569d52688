// A preset of the guard, written into this project's or the user's interlock.yaml.
import type { Opened } from "../../hook/open-project.js";
import { presets } from "../../packs/guard/presets.js";
import { unknownWord } from "./args.js";
import { type ConfigEdit, planConfigEdit } from "./edit-config.js";

export const presetNames = Object.keys(presets);

export function presetEdit(
  opened: Opened,
  name: string,
  usage: string,
  where: "project" | "user" = "project",
): Promise<ConfigEdit> {
  if (!presetNames.includes(name)) throw unknownWord(`no preset is called`, name, presetNames, usage);
  return planConfigEdit(opened, [{ key: "packs.guard.preset", value: name }], where);
}
