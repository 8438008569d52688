// Assignments: `A=b` in front of a command or alone, `export A=b`, arrays, and what setting a variable makes run.
// Invariant: a value that is not known in full leaves the variable unresolved; it never keeps the old value.
import type { Assignment, Command, Word } from "unbash";
import { fixedPart } from "../syntax/word-fields.js";
import { expandOne, expandWords, warnSubscript } from "../syntax/words.js";
import { onlyConnects } from "./captured-secret.js";
import { environmentEffects } from "./environment.js";
import type { RunContext } from "./run-context.js";
import { type Text, unresolved } from "./scope.js";
import type { Arg } from "./tool.js";
import type { Analyzer } from "./walk.js";

const declaring = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** Whether the command's words are read like assignments: `export A=b`, `command declare A=b`. */
export const isDeclaring = (first: string | undefined, node: Command): boolean =>
  declaring.has(first ?? "") ||
  ((first === "command" || first === "builtin") &&
    node.suffix.some((item) => item.type === "Word" && declaring.has(item.value)));

/** `export A=b`: the shell parses the value like an assignment, so it stays one word. */
export function declaredWord(item: Assignment, at: Parameters<typeof assignedValue>[1]): Arg {
  const { arg, items } = assignedValue(item, at);
  const head = `${item.name}${item.append ? "+=" : "="}`;
  return {
    ...arg,
    source: item.text,
    value: arg.value === undefined ? undefined : head + arg.value,
    prefix: head + arg.prefix,
    ...(arg.pattern !== undefined && { pattern: head + arg.pattern }),
    ...(items && { items }),
  };
}

/** `dd of=x`, `env A=b`: an ordinary word that looks like an assignment. */
export function assignmentWord(item: Assignment, at: Parameters<typeof assignedValue>[1]): Arg {
  if (item.index) return { source: item.text, prefix: "" };
  return declaredWord(item, at);
}

interface Value {
  arg: Arg;
  items?: Text[];
}

export function assignedValue(item: Assignment, at: Parameters<typeof expandOne>[1]): Value {
  if (item.index) warnSubscript(expandOne(item.index, at), at);
  if (item.value.type === "Word") return { arg: withTildes(expandOne(item.value, at), item.value, at) };
  const items = expandWords(item.value.elements, at);
  const placed = items.some((element) => /^\[[^\]]*\]\+?=/.test(element.value ?? element.prefix));
  if (placed) return { arg: { source: item.text, prefix: "" }, items: byIndex(items) };
  for (const element of items)
    if (/^\[.*(\$\(|`)/.test(element.value ?? "")) at.substitution.unknown("a subscript that runs a command");
  return {
    arg: { source: item.text, prefix: "", from: items.flatMap((element) => element.from ?? []) },
    items: items.map((element) =>
      element.glob && element.value !== undefined
        ? { prefix: fixedPart(element.value), pattern: element.value }
        : element,
    ),
  };
}

/** `([0]=a [1]=b)`: the elements in the order of their numbers, when they count up from none. */
function byIndex(items: readonly Arg[]): Text[] | undefined {
  const texts: Text[] = [];
  for (const [at, { value }] of items.entries()) {
    const element = /^\[(\d+)\]=([\s\S]*)$/.exec(value ?? "");
    if (Number(element?.[1] ?? -1) !== at) return undefined;
    texts.push({ value: element![2]!, prefix: element![2]! });
  }
  return texts;
}

/** In assignments a tilde also counts after a colon. */
function withTildes(arg: Arg, word: Word, at: Parameters<typeof expandOne>[1]): Arg {
  const { home } = at.substitution;
  if (home === undefined || arg.value === undefined || word.parts || !arg.value.includes(":~")) return arg;
  const value = arg.value.replace(/:~(?=\/|:|$)/g, `:${home}`);
  return { ...arg, value, prefix: value };
}

const isUsedOnly = ({ source }: RunContext, { name, text }: Assignment): boolean => onlyConnects(source, name, text);

/** An assignment that stays in the shell. */
export function assign(analyzer: Analyzer, item: Assignment, context: RunContext): Arg {
  const used = item.text.includes("$(") && analyzer.isTop(context) && isUsedOnly(context, item);
  const { arg, items } = assignedValue(item, analyzer.expansion(used ? { ...context, masked: true } : context));
  setVariable(analyzer, context, item.name, arg, { items, append: item.append, indexed: item.index !== undefined });
  return arg;
}

export function setVariable(
  analyzer: Analyzer,
  context: RunContext,
  name: string,
  value: Text,
  how: { items?: Text[]; append?: boolean; indexed?: boolean; exported?: boolean; integer?: boolean } = {},
): void {
  const { scope } = context;
  const old = scope.variable(name);
  const integer = how.integer ?? old?.integer;
  if (integer) warnSubscript(value, analyzer.expansion(context));
  const exported = how.exported ?? old?.exported;
  if (how.indexed) return scope.set(name, { text: unresolved, exported });
  if (how.items) {
    const items = how.append ? (old?.items ?? []).concat(how.items) : how.items;
    return scope.set(name, { text: unresolved, items, exported });
  }
  let text: Text = {
    value: value.value,
    prefix: value.prefix,
    ...(value.from && { from: value.from }),
    ...(value.pattern !== undefined && { pattern: value.pattern }),
  };
  if (how.append) {
    const before = old?.text ?? unresolved;
    text =
      before.value === undefined
        ? before
        : {
            value: value.value === undefined ? undefined : before.value + value.value,
            prefix: before.prefix + value.prefix,
          };
  }
  if (integer && !/^\d+$/.test(text.value ?? "")) text = unresolved;
  // Growing a text by itself in a loop must not cost more than the program text did.
  if ((text.value?.length ?? 0) > 65_536) text = unresolved;
  scope.set(name, { text, exported, integer });
  if (name === "PWD" || name === "HOME") return;
  if (exported || alwaysRuns.has(name))
    environmentEffects(analyzer, context, { [name]: { source: `$${name}`, ...text } });
}

const alwaysRuns = new Set(["PATH", "PROMPT_COMMAND", "PS1", "PS4", "BASH_ENV", "ENV"]);
