// Where copied, moved and linked files end up: cp, mv, ln, install.
// Invariant: a source keeps its name inside a directory; a destination that may be a file is itself.
import type { Arg } from "../analyze/tool.js";
import { literal, type Parsed } from "./options.js";

export interface Transfer {
  sources: Arg[];
  target?: Arg;
  /** The target is a directory for certain. */
  into: boolean;
}

/** Sources, then a destination unless `--target-directory` names it. */
export function transferOf(given: Parsed, operands: Arg[]): Transfer {
  const directory = given.value("target-directory");
  if (directory) return { sources: operands, target: directory, into: true };
  return { sources: operands.slice(0, -1), target: operands.at(-1), into: false };
}

export function landing({ sources, target, into }: Transfer): Arg[] {
  if (!target) return [];
  // One word alone: `ln -s /a/b` makes b here.
  if (sources.length === 0) return into ? [] : [placedIn(literal("."), target)];
  const inside = sources.map((source) => placedIn(target, source));
  if (into || sources.length > 1) return inside;
  return target.value?.endsWith("/") || target.value === "." || target.value === ".." ? inside : [target];
}

/** The last part of a path, in a directory; a name that is not known is somewhere in it. */
export function placedIn(directory: Arg, { value }: Pick<Arg, "value">): Arg {
  if (!value)
    return {
      source: directory.source,
      prefix: directory.value === undefined ? directory.prefix : `${directory.value.replace(/\/+$/, "")}/`,
    };
  const name = value.replace(/\/+$/, "").split("/").at(-1) || ".";
  const add = (text: string) => `${text.replace(/\/+$/, "")}/${name}`;
  return {
    source: add(directory.source),
    value: directory.value === undefined ? undefined : directory.value === "/" ? `/${name}` : add(directory.value),
    prefix: directory.prefix,
    ...(/[*?[]/.test(name) && { glob: true }),
  };
}
