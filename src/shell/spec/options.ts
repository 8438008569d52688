// Reads a tool's arguments by a short description of its options ("o|output= i|in-place=? r|recursive").
// Invariant: every word ends as an option, an option's argument or an operand; an unresolved word makes the result
// `unsure`, and a word behind an option nobody listed is reported as doubtful (see readings.ts).
import { isStreamPath } from "../analyze/paths.js";
import type { Arg, Invocation } from "../analyze/tool.js";
import { doubt, listed, settle } from "./readings.js";

interface Spec {
  name: string;
  takes: "none" | "required" | "optional";
}

export interface Syntax {
  specs: ReadonlyMap<string, Spec>;
  style: Style;
}

export interface Style {
  /** Options end at the first operand (POSIX), as for wrappers and most sub-command tools. */
  posix?: boolean;
  /** Options end at the second operand: a sub-command, then another program's words (poetry run CMD ...). */
  command?: boolean;
  /** "-name value": one dash, whole words (terraform, java, openssl). */
  oneDash?: boolean;
  /** "/x" is no option, but "+x" is (vim +cmd). */
  plus?: boolean;
  /** "/x" and "/x:value" are options where the tool lists them, in capital or small letters (Windows). */
  slash?: boolean;
  /** Sub-commands mean the same in capital and small letters. */
  anyCase?: boolean;
}

export interface GivenOption {
  name: string;
  value?: Arg;
}

export interface Parsed {
  /** Options and operands in the order they were written. */
  order: ({ option: GivenOption } | { operand: Arg })[];
  options: GivenOption[];
  operands: Arg[];
  /** A word was not static and could have been an option. */
  unsure: boolean;
  has(...names: string[]): boolean;
  value(...names: string[]): Arg | undefined;
  values(...names: string[]): Arg[];
}

/**
 * Items are separated by spaces; alternatives by "|", the last one is the canonical name; "=" takes an argument,
 * "=?" takes one only when attached. What is not listed is read as a flag, and as one that takes the next word.
 */
export function syntax(items: string, style?: Style): Syntax {
  if (style) return readSyntax(items, style);
  const known = read.get(items);
  if (known) return known;
  const made = readSyntax(items, {});
  if (read.size < 1_000) read.set(items, made);
  return made;
}

const read = new Map<string, Syntax>();

function readSyntax(items: string, style: Style): Syntax {
  const specs = new Map<string, Spec>();
  for (const item of items.split(/\s+/).filter(Boolean)) {
    const takes = item.endsWith("=?") ? "optional" : item.endsWith("=") ? "required" : "none";
    const names = item.replace(/=\??$/, "").split("|");
    for (const name of names) specs.set(name, { name: names.at(-1)!, takes });
  }
  return { specs, style };
}

export function parse(args: readonly Arg[], { specs, style }: Syntax): Parsed {
  const order: Parsed["order"] = [];
  let unsure = false;
  let index = 0;
  let operands = 0;
  const mostOperands = style.posix ? 1 : style.command ? 2 : Number.POSITIVE_INFINITY;
  const option = (name: string, value?: Arg) => order.push({ option: { name, value } });
  const next = (): Arg | undefined => args[++index];

  for (; index < args.length; index++) {
    const arg = args[index]!;
    const text = arg.value ?? arg.prefix;
    if (text === "--" && arg.value !== undefined) {
      for (const rest of args.slice(index + 1)) order.push({ operand: rest });
      break;
    }
    if (arg.value === undefined && (text === "" || text === "-" || text === "--")) unsure = true;
    const plus = style.plus && text.startsWith("+") && text.length > 1;
    if (plus) {
      option("+", cut(arg, 1));
      continue;
    }
    const slash = style.slash ? slashOption(specs, text) : undefined;
    if (slash) {
      if (text.includes(":")) option(slash.name, cut(arg, text.indexOf(":") + 1));
      else option(slash.name, slash.takes === "required" ? next() : undefined);
      continue;
    }
    if (!text.startsWith("-") || text === "-") {
      order.push({ operand: arg });
      if (++operands < mostOperands) continue;
      for (const rest of args.slice(index + 1)) order.push({ operand: rest });
      break;
    }
    if (text.startsWith("--") || style.oneDash) {
      const dashes = text.startsWith("--") ? 2 : 1;
      const equals = text.indexOf("=");
      const written = text.slice(dashes, equals < 0 ? undefined : equals);
      const spec = lookup(specs, written, dashes);
      const name = spec?.name ?? written;
      if (equals >= 0) option(name, cut(arg, equals + 1));
      else if (spec?.takes === "required") option(name, next());
      else option(name);
      if (spec) listed(arg);
      else if (equals < 0 && arg.value !== undefined) doubt(name, arg, args[index + 1]);
      if (arg.value === undefined && equals < 0) unsure = true;
      continue;
    }
    for (let at = 1; at < text.length; at++) {
      const spec = specs.get(text[at]!);
      const name = spec?.name ?? text[at]!;
      if (!spec || spec.takes === "none") {
        option(name);
        if (at < text.length - 1) continue;
        if (arg.value === undefined) unsure = true;
        else if (spec) listed(arg);
        else doubt(name, arg, args[index + 1]);
        continue;
      }
      listed(arg);
      const attached = at + 1 < text.length || arg.value === undefined;
      if (attached) option(name, cut(arg, at + 1));
      else if (spec.takes === "required") option(name, next());
      else option(name);
      break;
    }
  }
  return view(order, unsure);
}

/** `/S`, `/W:C:\\`: only what the tool lists, for `/etc` is a path. */
function slashOption(specs: ReadonlyMap<string, Spec>, text: string): Spec | undefined {
  const [, name] = /^\/([\w?-]+)(?::|$)/.exec(text) ?? [];
  return name === undefined ? undefined : specs.get(name.toLowerCase());
}

/** The word without its first `count` characters, which are static text. */
export function cut(arg: Arg, count: number): Arg {
  return {
    ...arg,
    source: arg.value === arg.source ? arg.source.slice(count) : (arg.value?.slice(count) ?? arg.source),
    value: arg.value?.slice(count),
    prefix: arg.prefix.slice(count),
  };
}

export const literal = (text: string): Arg => ({ source: text, value: text, prefix: text });

/** Long options may be cut short as long as they stay unique (`git reset --h`); a letter after one dash may not. */
function lookup(specs: ReadonlyMap<string, Spec>, written: string, dashes: number): Spec | undefined {
  const exact = specs.get(written);
  if (written === "" || dashes === 1 || (exact && written.length > 1)) return exact;
  const found = new Set<string>();
  let spec: Spec | undefined;
  for (const [name, candidate] of specs) {
    if (name.length < 2 || !name.startsWith(written)) continue;
    found.add(candidate.name);
    spec = candidate;
  }
  return found.size === 1 ? spec : undefined;
}

function view(order: Parsed["order"], unsure: boolean): Parsed {
  const options = order.flatMap((item) => ("option" in item ? [item.option] : []));
  const values = (...names: string[]) =>
    options.flatMap((given) => (names.includes(given.name) && given.value ? [given.value] : []));
  return {
    order,
    options,
    operands: order.flatMap((item) => ("operand" in item ? [item.operand] : [])),
    unsure,
    has: (...names) => {
      settle(names);
      return options.some((given) => names.includes(given.name));
    },
    value: (...names) => values(...names).at(-1),
    values,
  };
}

/** A file of the user's that a tool keeps for itself. */
export const atHome = (call: Invocation, rest: string): Arg =>
  call.home === undefined
    ? { source: `~/${rest}`, prefix: "" }
    : { ...literal(`${call.home}/${rest}`), source: `~/${rest}` };

/** Standard streams written as a word: nothing on disk is meant. */
export const isStream = (word: Arg): boolean => word.value === "-" || isStreamPath(word.value ?? "");
