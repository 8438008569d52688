// One simple command: expand its words, apply its redirections, find out what the command word names, follow it.
// Invariant: a command that is neither builtin, function, alias nor claimed tool ends in `exec` plus `unknown`.

import type { Assignment, Command, Word } from "unbash";
import { hazard } from "../../model/hazards.js";
import { redirect } from "../syntax/redirect.js";
import { expandOne, expandWords, fixedPart, warnSubscript } from "../syntax/words.js";
import { familyOf } from "../tools/find-tool.js";
import { claimedNames } from "../tools/index.js";
import { builtins } from "./builtins.js";
import { emitter } from "./emitter.js";
import { environmentEffects } from "./environment.js";
import { staticOutput } from "./filter-output.js";
import { listedPaths } from "./listed-paths.js";
import { baseName, resolvePath } from "./paths.js";
import { type Text, unresolved } from "./scope.js";
import type { Arg, Invocation } from "./tool.js";
import { cut, type Frame, type Lowering, type Output } from "./walk.js";

export function runCommand(lowering: Lowering, node: Command, frame: Frame): Output {
  const at = lowering.expansion(frame);
  const words: Arg[] = node.name ? expandWords([node.name], at) : [];
  const declares = declaring.has(words[0]?.value ?? "") || isDeclaring(words[0]?.value, node);
  for (const item of node.suffix) {
    if (item.type === "Word") words.push(...expandWords([item], at));
    else if (item.type === "Assignment") words.push(declares ? declaration(item, at) : assignmentWord(item, at));
  }
  const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
  const source = frame.source.slice(node.pos, node.end);
  if (words.length === 1 && words[0]!.value === "exec") {
    for (const [name, descriptor] of redirect(lowering, node.redirects, frame).opened)
      frame.scope.openDescriptor(name, descriptor);
    return { text: "", from: [] };
  }
  if (words.length === 0) {
    return lowering.redirected(node.redirects, frame, () => {
      const from: string[] = [];
      for (const item of assignments) from.push(...(assign(lowering, item, frame).from ?? []));
      return { text: "", from };
    });
  }
  const env: Record<string, Arg | undefined> = Object.create(frame.scope.env);
  for (const item of assignments) env[item.name] = assignedValue(item, at).arg;
  return lowering.redirected(node.redirects, frame, (inner) =>
    invoke(lowering, words, inner, { env, own: assignments.length > 0, source }),
  );
}

export interface Around {
  env: Record<string, Arg | undefined>;
  /** Assignments stand in front of the command itself. */
  own?: boolean;
  source: string;
  /** The command word is not looked up among functions and aliases (`command x`, `env x`). */
  external?: boolean;
}

/** Follows a command given as expanded words. */
export function invoke(lowering: Lowering, words: readonly Arg[], frame: Frame, around: Around): Output {
  const [command, ...args] = words;
  if (!command) return { text: "", from: [] };
  if (around.own) environmentEffects(lowering, frame, around.env);
  if (command.value === undefined || (command.glob && !around.external))
    return dynamic(lowering, command, args, frame, around);
  // zsh reads =rm as the path of rm.
  const word = command.value[0] === "=" && familyOf(command.value.slice(1)) ? command.value.slice(1) : command.value;
  const name = baseName(word);
  const shown = around.source;

  if (!around.external && !word.includes("/")) {
    const alias = frame.scope.alias(word);
    if (alias !== undefined && !frame.calls.includes(`alias ${word}`)) {
      lowering.step(frame, shown, `${alias} …`, `alias ${word}`);
      return followAlias(lowering, word, alias, args, frame);
    }
    const body = frame.scope.function(word);
    const called = body && callFunction(lowering, word, body, args, frame);
    if (called && !body.maybe) return called;
  }
  if (!around.external || alsoPrograms.has(word)) {
    const builtin = word.includes("/") ? undefined : builtins.get(word);
    if (builtin) {
      lowering.step(frame, shown, `${word} (builtin)`, "the shell runs it itself");
      return builtin({ lowering, frame, args, env: around.env, source: shown }) ?? printed(name, args, frame);
    }
  }

  lowering.analysis.commands.push({
    program: name,
    argv: args.map((arg) => arg.value),
    ...(word.includes("/") && { path: resolvePath(frame.scope.cwd, word) }),
    cwd: frame.scope.cwd,
    depth: frame.depth,
    ...(frame.conditional && { conditional: true }),
  });
  const call: Invocation = {
    name,
    command,
    args,
    env: around.env as Record<string, Arg>,
    stdin: frame.stdin,
    notes: lowering.notes,
    cwd: frame.scope.cwd,
    home: lowering.context.home,
    ...(frame.pipesTo !== undefined && { pipesTo: frame.pipesTo }),
  };
  if (frame.hidden)
    lowering.effect(frame, {
      kind: "exec",
      reason: `${name} is run by another program`,
      program: name,
      argv: args.map((arg) => arg.value),
    });
  const emit = emitter(lowering, frame, call, around);
  // A file this text wrote itself is that file, whatever well-known name it has.
  const path = word.includes("/") ? resolvePath(frame.scope.cwd, word) : undefined;
  const family = path !== undefined && lowering.written.has(path) ? undefined : familyOf(name);
  const declared = lowering.context.wrappers?.includes(name) || lowering.context.wrappers?.includes(word);
  if (declared && !family) {
    lowering.step(frame, shown, cut(args.map((arg) => arg.source).join(" ")), `${name} is a declared wrapper`);
    const start = args.findIndex((arg) => !arg.value?.startsWith("-"));
    emit.run(start < 0 ? [] : args.slice(start), `run by ${name}`);
    return { from: [name] };
  }
  if (family) {
    lowering.step(frame, shown, name, `known tool ${name}`);
    const before = lowering.analysis.effects.length;
    lowering.readings(frame, call, (reading) =>
      family.lower(reading, reading === call ? emit : emitter(lowering, frame, reading, around)),
    );
    if (name === "ln") noteLink(lowering, args, frame);
    const output = printed(name, args, frame);
    const asked = lowering.analysis.effects.slice(before, before + 8).some((effect) => effect.kind === "network");
    // `kubectl completion bash` prints what the program itself brought along.
    if (asked && !args.some((arg) => /^(completions?|shellenv)$/.test(arg.value ?? ""))) output.from.push("network");
    return output;
  }
  if (word.includes("/")) {
    lowering.step(frame, shown, word, "a program of the project or of another place, followed as a script");
    emit.script(command, `runs ${word}`, "other", args);
    if (frame.setting && word.startsWith("/") && !/^(\/usr(\/local)?|\/opt\/homebrew)?\/s?bin\//.test(word))
      bySetting(lowering, frame, word);
    return { from: [name] };
  }
  lowering.step(frame, shown, name, `no table knows ${name}`);
  const handler = frame.scope.function("command_not_found_handle");
  if (handler) return callFunction(lowering, "command_not_found_handle", handler, words, frame);
  if (invisible.test(word))
    lowering.effect(frame, {
      kind: "unknown",
      reason: "the command word holds characters nobody can see",
      hazard: hazard("hidden-characters"),
    });
  if (!frame.hidden)
    lowering.effect(frame, {
      kind: "exec",
      reason: `runs ${name}`,
      program: name,
      argv: args.map((arg) => arg.value),
    });
  if (frame.setting && !viewers.test(name)) bySetting(lowering, frame, name);
  if (/^[\w.+-]+$/.test(word) && args.some((arg) => deletesTrees.test(arg.value ?? "")))
    asDelete(lowering, command, args, frame, around);
  lowering.unknown(frame, `no table knows what ${name} does`, shown);
  return { from: [name] };
}

/** Builtins that exist as programs too, so that env, xargs or nohup can run them. */
const alsoPrograms = new Set(["true", "false", "echo", "printf", "test", "[", "pwd", "command"]);

/** A program nobody knows, named where nobody looks. */
function bySetting(lowering: Lowering, frame: Frame, name: string): void {
  lowering.effect(frame, {
    kind: "unknown",
    reason: `${name}, named in a setting of another program, is known to no table`,
    hazard: hazard("program-by-setting"),
  });
}

/** Programs people do name there. */
const viewers =
  /^(diff-so-fancy|plink|tortoiseplink|tig|kate|gedit|windsurf|meld|kdiff3|opendiff|bcompare|p4merge|vimdiff|ssh-askpass|ksshaskpass|[\w-]*pager|[\w-]*edit(or)?|editor|e)$/i;

/** Zero-width, joining, directional and byte-order characters. */
const invisible = /[\u0080-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/** `ln -s target link`: later paths through the link mean the target. */
function noteLink(lowering: Lowering, args: readonly Arg[], frame: Frame): void {
  const [target, link, ...more] = args.filter((arg) => !arg.value?.startsWith("-")).map((arg) => arg.value);
  if (
    !args.some((arg) => /^(-[a-zA-Z]*s[a-zA-Z]*|--symbolic)$/.test(arg.value ?? "")) ||
    target === undefined ||
    more.length
  )
    return;
  const place = resolvePath(frame.scope.cwd, link ?? baseName(target));
  const meant = resolvePath(place?.replace(/\/[^/]*$/, "") || "/", target);
  if (place && meant && place !== meant && lowering.links.size < 64) lowering.links.set(place, meant);
}

function printed(name: string, args: readonly Arg[], frame: Frame): Output {
  const stdin = frame.stdin.kind === "text" ? frame.stdin.text : undefined;
  const upstream = frame.stdin.kind === "pipe" || frame.stdin.kind === "text" ? (frame.stdin.sources ?? []) : [];
  const paths = listedPaths(name, args, frame.stdin.kind === "pipe" ? frame.stdin.paths : undefined);
  return {
    text: staticOutput(name, args, stdin),
    ...(paths && { paths }),
    from: [...upstream, name, ...args.flatMap((arg) => [...(arg.from ?? []), ...(arg.process?.from ?? [])])],
  };
}

/** A command word that is not static: unknown, and every claimed tool a glob in it can name is followed too. */
function dynamic(lowering: Lowering, command: Arg, args: readonly Arg[], frame: Frame, around: Around): Output {
  lowering.step(frame, around.source, "unknown", `the command word ${command.source} is not static`);
  lowering.effect(frame, {
    kind: "unknown",
    reason: `the command word ${cut(command.source)} is not static`,
    word: cut(around.source),
  });
  if (command.value === undefined && args.some((arg) => deletesTrees.test(arg.value ?? "")))
    asDelete(lowering, command, args, frame, around);
  const placed =
    command.value?.includes("/") &&
    !/^\/(usr\/|usr\/local\/|opt\/homebrew\/)?[^/]*bin[^/]*\/|[?*[][^/]*\//.test(command.value);
  if (command.value !== undefined && command.value.length < 64 && !placed) {
    const pattern = baseName(command.value);
    const matcher = globMatcher(pattern);
    const names = matcher ? claimedNames().filter((name) => matcher.test(name)) : [];
    if (names.length > 0 && names.length <= 40)
      for (const name of names)
        invoke(
          lowering,
          [{ source: command.source, value: name, prefix: name }, ...args],
          { ...frame, conditional: true },
          {
            ...around,
            own: false,
            external: true,
          },
        );
  }
  return { from: [] };
}

const deletesTrees = /^-[a-zA-Z]*(r[a-zA-Z]*f|f[a-zA-Z]*r|R[a-zA-Z]*f|fR)[a-zA-Z]*$/;

/** Hardly anything but a delete is called with -rf: what it names is judged as such too. */
function asDelete(lowering: Lowering, command: Arg, args: readonly Arg[], frame: Frame, around: Around): void {
  invoke(
    lowering,
    [{ source: command.source, value: "rm", prefix: "rm" }, ...args],
    { ...frame, conditional: true },
    { ...around, own: false, external: true },
  );
}

function globMatcher(pattern: string): RegExp | undefined {
  if ((pattern.match(/[*]/g)?.length ?? 0) > 2 || !/\w/.test(pattern)) return undefined;
  try {
    return new RegExp(
      `^${pattern
        .replace(/[.+^${}()|\\]/g, "\\$&")
        .replace(/\?/g, ".")
        .replace(/\*/g, ".*")
        .replace(/\[!/g, "[^")}$`,
    );
  } catch {
    // An odd bracket expression: it names no tool we could follow; the command stays unknown.
    return undefined;
  }
}

function followAlias(lowering: Lowering, name: string, alias: string, args: readonly Arg[], frame: Frame): Output {
  const quoted = args.map((arg) => (arg.value === undefined ? `"$__unresolved"` : quote(arg.value)));
  return lowering.text([alias, ...quoted].join(" "), {
    ...frame,
    depth: frame.depth + 1,
    calls: [...frame.calls, `alias ${name}`],
  });
}

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function callFunction(
  lowering: Lowering,
  name: string,
  { body, source }: { body: Parameters<Lowering["node"]>[0]; source: string },
  args: readonly Arg[],
  frame: Frame,
): Output {
  if (frame.calls.includes(name) || frame.calls.length > 16) {
    if (frame.parallel && frame.calls.includes(name))
      lowering.effect(frame, {
        kind: "exec",
        program: name,
        reason: `function ${name} starts itself again in parallel`,
        hazard: hazard("fork-bomb"),
      });
    else if (!frame.calls.includes(name)) lowering.unknown(frame, "functions calling functions, nested too deeply");
    return { from: [] };
  }
  lowering.step(frame, name, `body of ${name}()`, "function defined in the same text");
  const { positional } = frame.scope;
  const locals = frame.scope.enterFunction();
  frame.scope.positional = args;
  const output = lowering.node(body, {
    ...frame,
    source,
    depth: frame.depth + 1,
    calls: [...frame.calls, name],
  });
  frame.scope.positional = positional;
  frame.scope.leaveFunction(locals);
  return output;
}

const declaring = new Set(["declare", "typeset", "local", "export", "readonly"]);

const isDeclaring = (first: string | undefined, node: Command): boolean =>
  (first === "command" || first === "builtin") &&
  node.suffix.some((item) => item.type === "Word" && declaring.has(item.value));

/** `export A=b`: the shell parses the value like an assignment, so it stays one word. */
function declaration(item: Assignment, at: Parameters<typeof assignedValue>[1]): Arg {
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
function assignmentWord(item: Assignment, at: Parameters<typeof assignedValue>[1]): Arg {
  if (item.index) return { source: item.text, prefix: "" };
  return declaration(item, at);
}

interface Value {
  arg: Arg;
  items?: Text[];
}

function assignedValue(item: Assignment, at: Parameters<typeof expandOne>[1]): Value {
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

/** An assignment that stays in the shell. */
export function assign(lowering: Lowering, item: Assignment, frame: Frame): Arg {
  const { arg, items } = assignedValue(item, lowering.expansion(frame));
  setVariable(lowering, frame, item.name, arg, { items, append: item.append, indexed: item.index !== undefined });
  return arg;
}

export function setVariable(
  lowering: Lowering,
  frame: Frame,
  name: string,
  value: Text,
  how: { items?: Text[]; append?: boolean; indexed?: boolean; exported?: boolean; integer?: boolean } = {},
): void {
  const { scope } = frame;
  const old = scope.variable(name);
  const integer = how.integer ?? old?.integer;
  if (integer) warnSubscript(value, lowering.expansion(frame));
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
    environmentEffects(lowering, frame, { [name]: { source: `$${name}`, ...text } });
}

const alwaysRuns = new Set(["PATH", "PROMPT_COMMAND", "PS1", "PS4", "BASH_ENV", "ENV"]);
