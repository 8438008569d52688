// Doctor's area "folder": what lies in the place of a file of Interlock's and is none: a link to a device, a pipe, a
// folder; and files in the place of folders. Repaired by moving it away; what was there before comes from the record.
import { lstatSync, readdirSync, renameSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { shellQuote } from "../model/shell-quote.js";
import type { CheckContext } from "./context.js";
import type { HealthFinding, Repair } from "./finding.js";

const area = "folder";
const homeFiles = ["key", "consents.json", "installs/claude-code.json", "bin/interlock.sh"];
const serverFiles = ["door.json", "lock", "log", "down", "called", "spool/server"];
const projectFiles = ["state.json", "state.backup.json", "lock", "unclean", "config.json"];
const homeFolders = ["projects", "marks", "installs", "cache", "turns", "bin", "server/spool"];

export function checkSpecialFiles({ home, opened, found }: CheckContext): HealthFinding[] {
  const { folder, userFile, projectFile, repository } = opened;
  const files = [
    ...homeFiles.map((name) => join(home, name)),
    ...serverFiles.map((name) => join(home, "server", name)),
    ...projectFiles.map((name) => join(folder, name)),
    ...["", ".odd"].map((odd) => join(home, "marks", `${repository.id}${odd}.json`)),
    ...namesIn(join(folder, "ledger")).filter((path) => path.endsWith(".jsonl")),
    ...namesIn(join(home, "cache")),
    userFile,
    projectFile,
    ...found.scopes.map(({ file }) => file),
  ];
  const folders = [...homeFolders.map((name) => join(home, name)), folder, join(folder, "ledger")];
  const bell = join(home, "server", "spool", "bell");
  return [
    ...files.flatMap((path) => findingOf(path, "a file", (stat) => stat.isFile())),
    ...folders.flatMap((path) => findingOf(path, "a folder", (stat) => stat.isDirectory())),
    ...findingOf(bell, "a pipe", (stat) => stat.isFIFO()),
  ];
}

function findingOf(path: string, wanted: string, fits: (stat: Stats) => boolean): HealthFinding[] {
  const there = statOf(path, lstatSync);
  if (!there) return [];
  const led = statOf(path, statSync);
  if (led && fits(led)) return [];
  const link = there.isSymbolicLink() ? "a link to " : "";
  const found = `${link}${led ? kindOf(led) : "nothing"}`;
  const what = `${path} should be ${wanted} and is ${found}`;
  const aside = freeName(path);
  const fix = `mv ${shellQuote(path)} ${shellQuote(aside)}`;
  return [{ area, ok: false, what, fix, repair: moveAside(path, found, aside) }];
}

const moveAside = (path: string, found: string, aside: string): Repair => ({
  stage: "files",
  id: `move ${path}`,
  will: `rename ${path}, which is ${found}, to ${aside}`,
  async apply() {
    renameSync(path, aside);
    return undefined;
  },
});

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return "a folder";
  if (stat.isFIFO()) return "a pipe";
  if (stat.isFile()) return "a file";
  return stat.isSocket() ? "a socket" : "a device";
}

function freeName(path: string): string {
  for (let n = 0; ; n++) {
    const name = `${path}.old${n || ""}`;
    if (!statOf(name, lstatSync)) return name;
  }
}

function statOf(path: string, how: typeof statSync | typeof lstatSync): Stats | undefined {
  try {
    return how(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // the folder above it is the problem, and reported by itself
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // none, or no folder: reported by itself
  }
}
