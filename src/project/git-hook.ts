// A block of ours in one of git's hook files, beside whatever else is there.
// Invariant: installing twice changes nothing; removing leaves the file as it was before.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface HookBlock {
  /** Names the block: "interlock sred". */
  name: string;
  /** Shell lines; `exit 1` refuses. */
  lines: readonly string[];
}

const begins = (name: string): string => `# >>> ${name} >>>`;
const ends = (name: string): string => `# <<< ${name} <<<`;
const shells = /^#!.*\b(?:sh|bash|dash|zsh|ksh)\b/;
const asideSuffix = (name: string): string => `.before-${name.replace(/\W+/g, "-")}`;
const aside = (file: string, name: string): string => file + asideSuffix(name);

/** Puts the block right behind the first line, so that an `exit` of the others does not skip it. */
export function installHookBlock(file: string, block: HookBlock): "installed" | "updated" | "unchanged" {
  const blockOf = (lines: readonly string[]) => [begins(block.name), ...lines, ends(block.name)].join("\n");
  // A hook that is no shell script was put aside: it runs first.
  const other = `"$0${asideSuffix(block.name)}" "$@" || exit $?`;
  const text = blockOf(existsSync(aside(file, block.name)) ? [other, ...block.lines] : block.lines);
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) {
    writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    return "installed";
  }
  const before = readFileSync(file, "utf8");
  const without = withoutBlock(before, block.name);
  if (before !== without) {
    const again = withBlock(without, text);
    if (again === before) return "unchanged";
    writeFileSync(file, again);
    return "updated";
  }
  if (shells.test(before)) writeFileSync(file, withBlock(before, text));
  else {
    renameSync(file, aside(file, block.name));
    writeFileSync(file, `#!/bin/sh\n${blockOf([other, ...block.lines])}\n`);
  }
  chmodSync(file, 0o755);
  return "installed";
}

export function removeHookBlock(file: string, name: string): boolean {
  if (!existsSync(file)) return false;
  const before = readFileSync(file, "utf8");
  const without = withoutBlock(before, name);
  if (without === before) return false;
  if (existsSync(aside(file, name))) renameSync(aside(file, name), file);
  else if (without.trim() === "#!/bin/sh") rmSync(file);
  else writeFileSync(file, without);
  return true;
}

function withBlock(text: string, block: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? `${text}\n${block}\n` : `${text.slice(0, end + 1)}${block}\n${text.slice(end + 1)}`;
}

function withoutBlock(text: string, name: string): string {
  const from = text.indexOf(`${begins(name)}\n`);
  const last = `${ends(name)}\n`;
  const to = text.indexOf(last, from);
  return from < 0 || to < 0 ? text : text.slice(0, from) + text.slice(to + last.length);
}
