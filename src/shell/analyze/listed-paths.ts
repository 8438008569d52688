// Programs that print paths, one a line, and what those can be: `find src -name x | xargs rm` stays below src.
// Invariant: an answer covers every line the program can print; a filter in between may drop lines, never change them.

import { fdMatches, matchesOf } from "../tools/walks.js";
import type { Arg } from "./tool.js";

export function listedPaths(
  name: string,
  args: readonly Arg[],
  upstream: readonly Arg[] | undefined,
): Arg[] | undefined {
  if (/^(find|gfind|bfs)$/.test(name))
    return args.some((arg) => /^-f?print(f|0)?$|^-ls$/.test(arg.value ?? "") && !/^-print0?$/.test(arg.value ?? ""))
      ? undefined
      : matchesOf(args);
  if (/^fd(find)?$/.test(name)) return fdMatches(args);
  if (name === "echo" || name === "printf") return printed(name === "echo" ? args : args.slice(1));
  if (/^(ls|gls|dir|exa|eza)$/.test(name)) return named(args);
  if (name === "mktemp") return made(args);
  if (name === "git" && args[0]?.value === "ls-files") return [below("")];
  if (/^(grep|egrep|fgrep|rg|ag)$/.test(name)) return searched(name, args, upstream);
  if (/^(head|tail|sort|uniq|tac|shuf|cat|tee)$/.test(name))
    return args.some((arg) => !/^[-+]|^\d+$/.test(arg.value ?? "x"))
      ? undefined
      : /^(head|tail|uniq|shuf)$/.test(name)
        ? upstream?.map(some)
        : upstream?.slice();
  return undefined;
}

/** `ls` names all that lies in this directory; `ls dir` prints names without their directory. */
function named(args: readonly Arg[]): Arg[] | undefined {
  if (args.some((arg) => /^-[a-zA-Z]*[lRsi]|^--(format|recursive|size|inode|long)/.test(arg.value ?? "")))
    return undefined;
  const operands = args.filter((arg) => !arg.value?.startsWith("-"));
  const itself = args.some((arg) => /^-[a-zA-Z]*d/.test(arg.value ?? ""));
  if (operands.length === 0 || operands.every((arg) => /^(\.\/?|\*)$/.test(arg.value ?? "")))
    return itself && operands.length === 0 ? undefined : [{ source: "./*", value: "./*", prefix: "./*", glob: true }];
  return (itself || operands.every((arg) => arg.glob)) && operands.every((arg) => arg.value !== undefined)
    ? operands
    : undefined;
}

/** `printf '%s\n' dir/*`: the words it prints, when a pattern is among them. */
function printed(args: readonly Arg[]): Arg[] | undefined {
  const words = args.filter((arg) => !/^-[neE]+$/.test(arg.value ?? ""));
  return words.some((arg) => arg.glob) && words.every((arg) => arg.value !== undefined) ? words : undefined;
}

/** The name mktemp makes up: below the temporary folder unless a directory is given. */
function made(args: readonly Arg[]): Arg[] | undefined {
  if (args.some((arg) => arg.value === undefined || /^(-p|--tmpdir)/.test(arg.value))) return undefined;
  const template = args.find(
    (arg, index) => !arg.value!.startsWith("-") && args[index - 1]?.value !== "--suffix",
  )?.value;
  const inTemp = template === undefined || args.some((arg) => /^-[a-zA-Z]*t/.test(arg.value!));
  const directory = inTemp ? "/tmp/" : `./${template}`.replace(/^\.\/\//, "/").replace(/[^/]*$/, "");
  return [{ source: "mktemp", prefix: directory, glob: true }];
}

/** Not all of what was listed, but some of it. */
function some(path: Arg): Arg {
  if (!path.value?.endsWith("/*")) return path;
  const prefix = path.value.replace(/(\*\*\/)?\*$/, "");
  return { source: path.source, prefix, glob: true };
}

/** `grep -rl text src` prints files below src; without files it only drops lines. */
function searched(name: string, args: readonly Arg[], upstream: readonly Arg[] | undefined): Arg[] | undefined {
  const flags = args.filter((arg) => arg.value?.startsWith("-")).map((arg) => arg.value!);
  const operands = args.filter((arg) => !arg.value?.startsWith("-"));
  if (flags.includes("--files")) return operands.length ? operands.map((arg) => below(arg.value ?? "")) : [below("")];
  const files = operands.slice(1);
  if (!flags.some((flag) => /^-[a-zA-Z]*[lL]|^--files-with(out)?-match/.test(flag)))
    return files.length ? undefined : upstream?.map(some);
  if (files.some((file) => file.value === undefined)) return undefined;
  if (files.length) return files.map((file) => below(file.value!));
  return name === "rg" || name === "ag" || flags.some((flag) => /^-[a-zA-Z]*[rR]/.test(flag)) ? [below("")] : undefined;
}

/** Some path in a directory, or the path itself. */
const below = (directory: string): Arg => {
  const prefix = directory === "" ? "./" : `${directory.replace(/\/+$/, "")}/`;
  return { source: prefix, prefix, glob: true };
};

/** The static beginning all listed paths share, when there is but one kind of them. */
export function commonPrefix(paths: readonly Arg[] | undefined): string | undefined {
  if (paths?.length !== 1) return undefined;
  const [path] = paths;
  const text = path!.value ?? path!.prefix;
  const cut = text.search(/[*?[]/);
  const fixed = cut < 0 ? text : text.slice(0, cut);
  return fixed.slice(0, fixed.lastIndexOf("/") + 1) || undefined;
}
