// interlock sred install-hook: the commit-msg hook of this repository, beside other hooks.
// Invariant: nothing machine-specific is written to the hook; a machine without Interlock commits as before.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hooksFolder, installHookBlock, removeHookBlock } from "../../../project/git-hook.js";
import { hookMarkFile } from "../../../sred/hook-mark.js";
import { parseOptions, UsageError } from "../args.js";
import { openHere } from "../current-project.js";
import { say } from "../wrap.js";

export const usage = `Usage: interlock sred install-hook [--remove]

Puts a block into the commit-msg hook (core.hooksPath is respected) that runs interlock sred check. What else the hook
does stays. With it, messages that the gate can't see (an editor, another program's output) are checked by git.

  --remove         take the block out again
  --cwd <folder>   the repository, instead of the current folder
`;

const block = {
  name: "interlock sred",
  lines: [
    "if command -v interlock >/dev/null 2>&1; then",
    '  interlock sred check "$1" || exit 1',
    "else",
    '  echo "interlock is not in PATH: the SR&ED trailers of this commit were not checked" >&2',
    "fi",
  ],
};

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { remove: "flag", cwd: "text", home: "text" } as const, usage);
  const opened = await openHere(values);
  const { root, kind } = opened.repository;
  if (kind !== "git") throw new UsageError(`${root} is no git repository`);
  const folder = hooksFolder(root);
  if (folder === undefined) throw new UsageError(`git does not say where the hooks of ${root} are`);
  const file = join(folder, "commit-msg");
  const mark = hookMarkFile(opened.folder);
  if (values.remove) {
    rmSync(mark, { force: true });
    say(removeHookBlock(file, block.name) ? `removed from ${file}` : `nothing of ours is in ${file}`);
    return 0;
  }
  const done = installHookBlock(file, block);
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, `${file}\n`);
  say(done === "unchanged" ? `nothing to do: ${file} checks commits already` : `${done}: ${file}`);
  return 0;
}
