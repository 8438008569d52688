// Blocks of ours in git's hook files, beside whatever hooks are there.
// Invariant: an existing hook goes on running with the same arguments and input; installing twice changes nothing;
// removing the last block restores the file byte for byte.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { identify } from "./identify.js";
import { askGit } from "./run-git.js";

export interface HookBlock {
  /** Begins with "interlock": "interlock sred". */
  name: string;
  /** Shell lines; `exit 1` refuses. */
  lines: readonly string[];
  /** Stands in the first line of the block: how a person gets rid of it. */
  hint?: string;
}

/** `absent`: the block is not there; `own`: the file is ours; `shared`: the block stands in a script with other lines;
 * `beside`: the other hook was moved aside and is called. */
export type HookState = "absent" | "own" | "shared" | "beside";

const opening = "# >>> ";
const begins = (name: string): string => `${opening}${name} >>>`;
const ends = (name: string): string => `# <<< ${name} <<<`;
/** In a file that was not there before. */
const ownLine = "# interlock made this file";
const keptSuffix = ".before-interlock";

/** The folder git runs hooks from, husky's own scripts instead of its generated ones. */
export function hooksFolder(root: string): string | undefined {
  const answer = askGit(root, ["rev-parse", "--git-path", "hooks"]);
  // `askGit` turns hooks off by the same setting, so the configured folder is asked for apart.
  const configured = askGit(root, ["config", "--path", "--get-all", "core.hooksPath"])?.toString("utf8").split("\n");
  const named = configured?.filter((one) => one && one !== "/dev/null").at(-1);
  const { commonDir } = identify(root);
  if (named === undefined) return commonDir ? join(commonDir, "hooks") : answer && resolve(root, String(answer).trim());
  const folder = isAbsolute(named) ? named : resolve(root, named);
  return /[\\/]\.husky[\\/]_$/.test(folder) ? dirname(folder) : folder;
}

export function hookState(path: string, name: string): HookState {
  const text = read(path);
  if (!text?.includes(begins(name))) return "absent";
  const rest = withoutBlock(text, name);
  // Another block of ours still needs the file.
  if (rest.includes(`${opening}interlock`)) return "shared";
  if (existsSync(path + keptSuffix)) return "beside";
  return rest === `#!/bin/sh\n${ownLine}\n` ? "own" : "shared";
}

export function installHookBlock(path: string, block: HookBlock): "installed" | "updated" | "unchanged" {
  const text = blockText(block);
  const before = read(path);
  if (before?.includes(text)) return "unchanged";
  if (before?.includes(begins(block.name))) {
    writeFileSync(path, withBlock(withoutBlock(before, block.name), text), "latin1");
    return "updated";
  }
  mkdirSync(dirname(path), { recursive: true });
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const runs = stat !== undefined && ((stat.mode & 0o111) !== 0 || isHusky(path));
  if (!stat) writeNew(path, `#!/bin/sh\n${text}${ownLine}\n`);
  else if (runs && stat.isFile() && before !== undefined && isShell(before))
    writeFileSync(path, withBlock(before, text), "latin1");
  else {
    // Another language, a link, or a file git does not run: it keeps its bytes under another name.
    renameSync(path, path + keptSuffix);
    const call = `[ ! -x "$0${keptSuffix}" ] || exec "$0${keptSuffix}" "$@"\n`;
    writeNew(path, `#!/bin/sh\n${text}${runs ? call : ""}`);
  }
  return "installed";
}

/** Returns whether the block was there. */
export function removeHookBlock(path: string, name: string): boolean {
  const state = hookState(path, name);
  if (state === "absent") return false;
  if (state === "shared") writeFileSync(path, withoutBlock(readFileSync(path, "latin1"), name), "latin1");
  else rmSync(path, { force: true });
  if (state === "beside") renameSync(path + keptSuffix, path);
  return true;
}

const blockText = ({ name, lines, hint }: HookBlock): string =>
  `${[begins(name) + (hint ? ` ${hint}` : ""), ...lines, ends(name)].join("\n")}\n`;

const isHusky = (path: string): boolean => /[\\/]\.husky[\\/][^\\/]+$/.test(path);
const isShell = (text: string): boolean =>
  !text.startsWith("#!") || /^#!\s*\S*\/(?:env\s+(?:-\S+\s+)*)?(?:ba|da|z|k|a)?sh\b/.test(text);

/** Right behind the first line, so that an `exit` of the others does not skip it. */
function withBlock(text: string, block: string): string {
  const head = /^#![^\n]*\n/.exec(text)?.[0] ?? "";
  return `${head}${block}${text.slice(head.length)}`;
}

function withoutBlock(text: string, name: string): string {
  const from = text.indexOf(begins(name));
  const last = `${ends(name)}\n`;
  const to = text.indexOf(last, from);
  return from < 0 || to < 0 ? text : text.slice(0, from) + text.slice(to + last.length);
}

function writeNew(path: string, text: string): void {
  writeFileSync(path, text, { flag: "wx", mode: 0o755 });
  chmodSync(path, 0o755);
}

/** One character per byte, so that writing it back changes none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
