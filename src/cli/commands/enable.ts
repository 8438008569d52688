// interlock enable <pack>: turns a pack on, in this project's interlock.yaml or the user's own.
import { relative } from "node:path";
import { registry } from "../../packs/registry.js";
import { gitAddCommand } from "../../project/git-exclude.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { changeConfig, changeOptions, changeUsage } from "../lib/change-config.js";
import { openHere } from "../lib/current-project.js";
import { planConfigEdit } from "../lib/edit-config.js";
import { ownName } from "../lib/own-name.js";

const offered = registry.filter(({ id }) => id !== "rules");
const packs = offered.map(({ id }) => id);
const modes = ["observe", "warn", "enforce"];

export const usage = `Usage: interlock enable <pack> [--mode observe|warn|enforce] [--user] [--dry-run] [--json]

  Packs:
${offered.map(({ id, about }) => `    ${id.padEnd(11)} ${about}`).join("\n")}

  --mode     observe records, warn tells the agent, enforce refuses (default)${changeUsage}`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(args, { mode: "text", ...changeOptions }, usage, "words");
  const [pack] = words;
  if (pack === undefined) throw new UsageError(`which pack?\n${usage}`);
  atMost(words, 1, usage);
  if (!packs.includes(pack)) throw unknownWord("no pack is called", pack, packs, usage);
  const mode = values.mode ?? "enforce";
  if (!modes.includes(mode)) throw unknownWord("no mode is called", mode, modes, usage);
  const changes = [
    { key: `packs.${pack}.enabled`, value: true },
    { key: `packs.${pack}.mode`, value: mode },
  ];
  const opened = await openHere(values);
  const edit = await planConfigEdit(opened, changes, values.user ? "user" : "project");
  const { root } = opened.repository;
  const share = gitAddCommand(root, [relative(root, edit.file)]);
  const whose = values.user ? "" : ` The file is the project's; your team gets the same rules by: ${share}.`;
  return changeConfig(edit, values, `${pack} is on: ${mode}.${whose} Next: ${ownName()} status`);
}
