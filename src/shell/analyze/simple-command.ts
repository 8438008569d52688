// One simple command: expand its words, apply its redirections, find out what the command word names, follow it.
// Invariant: a command that is neither builtin, function, alias nor claimed tool ends in `exec` plus `unknown`.

import type { Assignment, Command } from "unbash";
import { hazard } from "../../model/hazards.js";
import { singleQuote } from "../../model/shell-quote.js";
import { redirect } from "../syntax/redirect.js";
import { expandWords } from "../syntax/words.js";
import { familyOf } from "../tools/find-tool.js";
import { wordSet } from "../word-set.js";
import { abbreviate } from "./analysis.js";
import { assign, assignedValue, assignmentWord, declaredWord, isDeclaring } from "./assignments.js";
import { builtins } from "./builtins.js";
import { deletesTrees, followAsDelete, runDynamic } from "./dynamic-command.js";
import { changedNames } from "./emit-paths.js";
import { emitter } from "./emitter.js";
import { environmentEffects } from "./environment.js";
import { staticOutput } from "./filter-output.js";
import { showsNoValues } from "./hidden-values.js";
import { listedPaths } from "./listed-paths.js";
import { baseName, resolvePath } from "./paths.js";
import type { CallSite, Output, RunContext } from "./run-context.js";
import { emitTaught, taughtFor } from "./taught-programs.js";
import type { Arg, Emit, Invocation, ToolFamily } from "./tool.js";
import type { Analyzer } from "./walk.js";

export function runCommand(analyzer: Analyzer, node: Command, context: RunContext): Output {
  const at = analyzer.expansion(context);
  const words: Arg[] = node.name ? expandWords([node.name], at) : [];
  const declares = isDeclaring(words[0]?.value, node);
  for (const item of node.suffix) {
    if (item.type === "Word") words.push(...expandWords([item], at));
    else if (item.type === "Assignment") words.push(declares ? declaredWord(item, at) : assignmentWord(item, at));
  }
  // Every word that braces make is parsed on its own.
  const made = words.length - node.suffix.length - 1;
  if (words.length > 4 && analyzer.spend(context, (words.length >> 2) + Math.max(made, 0))) return { from: [] };
  const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
  const source = context.source.slice(node.pos, node.end);
  if (words.length === 1 && words[0]!.value === "exec") {
    for (const [name, descriptor] of redirect(analyzer, node.redirects, context).opened)
      context.scope.openDescriptor(name, descriptor);
    return { text: "", from: [] };
  }
  if (words.length === 0) {
    return analyzer.redirected(node.redirects, context, () => {
      const from: string[] = [];
      for (const item of assignments) from.push(...(assign(analyzer, item, context).from ?? []));
      return { text: "", from };
    });
  }
  const env: Record<string, Arg | undefined> = Object.create(context.scope.env);
  for (const item of assignments) env[item.name] = assignedValue(item, at).arg;
  // `wc -l < file`: of what is read only names or counts can be seen.
  const [name, ...values] = words.map((word) => word.value);
  const masks = context.masked === true || showsNoValues(name ?? "", values);
  return analyzer.redirected(node.redirects, masks ? { ...context, masked: true } : context, (inner) =>
    invoke(analyzer, words, inner, {
      env,
      own: assignments.length > 0,
      source,
      ...(analyzer.isTop(context) && { node }),
    }),
  );
}

/** Follows a command given as expanded words. */
export function invoke(analyzer: Analyzer, words: readonly Arg[], context: RunContext, site: CallSite): Output {
  const [command, ...args] = words;
  if (!command) return { text: "", from: [] };
  if (site.own) environmentEffects(analyzer, context, site.env);
  if (command.value === undefined || (command.glob && !site.external))
    return runDynamic(analyzer, command, args, context, site);
  // zsh reads =rm as the path of rm.
  const word = command.value[0] === "=" && familyOf(command.value.slice(1)) ? command.value.slice(1) : command.value;
  const own = runByShell(analyzer, word, args, context, site);
  if (own) return own;
  const call = invocationOf(analyzer, word, command, args, context, site);
  const { name } = call;
  const path = word.includes("/") ? resolvePath(context.scope.cwd, word) : undefined;
  noteStart(analyzer, call, path, context);
  const emit = emitter(analyzer, context, call, site);
  // A file this text wrote itself is that file, whatever well-known name it has.
  let family = path !== undefined && analyzer.written.has(path) ? undefined : familyOf(name);
  if (family && path !== undefined && isOwnScript(analyzer, path)) {
    if (systemNames.has(name)) family = undefined;
    else readBeside(analyzer, emit, command, word, args);
  }
  if (family) return runTool(analyzer, family, call, emit, context, site);
  const { wrappers } = analyzer.options;
  if (wrappers?.includes(name) || wrappers?.includes(word)) {
    const start = args.findIndex((arg) => !arg.value?.startsWith("-"));
    const shown = abbreviate(args.map((arg) => arg.source).join(" "));
    analyzer.step(context, site.source, shown, `${name} is a declared wrapper`);
    emit.run(start < 0 ? [] : args.slice(start), `run by ${name}`);
    return { from: [name] };
  }
  if (word.includes("/")) {
    analyzer.step(context, site.source, word, "a program of the project or of another place, followed as a script");
    emit.script(command, `runs ${word}`, "other", args);
    if (context.setting && word.startsWith("/") && !/^(\/usr(\/local)?|\/opt\/homebrew)?\/s?bin\//.test(word))
      bySetting(analyzer, context, word);
    return { from: [name] };
  }
  return runUnlisted(analyzer, words, word, context, site);
}

/** Programs every system has: a file of the project with such a name is not that program. */
const systemNames = wordSet(`[ awk base64 basename cat cd chmod chown chgrp cmp comm cp curl cut date dd df diff dir
  dirname du echo env expr false file find fold git grep egrep fgrep head hostname id install join kill less ln locate
  ls make mkdir mktemp more mv nl od paste printenv printf ps pwd readlink realpath rm rmdir sed seq sh bash zsh sleep
  sort split stat strings sudo su tail tar tee test time timeout touch tr true tsort tty uname uniq unlink vi vim wc
  wget which who whoami xargs yes zip unzip gzip`);

/** What tools install for the project: the program has its usual name there and is that program. */
const installed = /\/(?:node_modules|vendor|\.?venv|virtualenv|\.tox|\.gradle|\.mvn|_build|\.bin)\//;

/** A readable text file of the project: what it does is what it says. */
function isOwnScript({ options }: Analyzer, path: string): boolean {
  const root = options.root ?? options.cwd;
  if (!path.startsWith(`${root}/`) || installed.test(path.slice(root.length))) return false;
  return options.readFile?.(path) !== undefined;
}

/** A wrapper such as bin/rails does what its tool does, and what its text says beside. */
function readBeside(analyzer: Analyzer, emit: Emit, command: Arg, word: string, args: readonly Arg[]): void {
  const { effects } = analyzer.analysis;
  const before = effects.length;
  emit.script(command, `runs ${word}`, "other", [...args]);
  const known = effects.slice(before).filter((effect) => effect.kind !== "unknown" || effect.hazard);
  effects.length = before;
  effects.push(...known);
}

/** Aliases, functions and builtins; undefined when the word names a program. */
function runByShell(
  analyzer: Analyzer,
  word: string,
  args: readonly Arg[],
  context: RunContext,
  site: CallSite,
): Output | undefined {
  if (word.includes("/")) return undefined;
  if (!site.external) {
    const alias = context.scope.alias(word);
    if (alias !== undefined && !context.calls.includes(`alias ${word}`)) {
      analyzer.step(context, site.source, `${alias} …`, `alias ${word}`);
      return followAlias(analyzer, word, alias, args, context);
    }
    const body = context.scope.function(word);
    const called = body && callFunction(analyzer, word, body, args, context);
    if (called && !body.maybe) return called;
  }
  const builtin = !site.external || alsoPrograms.has(word) ? builtins.get(word) : undefined;
  if (!builtin) return undefined;
  analyzer.step(context, site.source, `${word} (builtin)`, "the shell runs it itself");
  const { env, source } = site;
  return builtin({ analyzer, context, args, env, source }) ?? printed(word, args, context);
}

function invocationOf(
  analyzer: Analyzer,
  word: string,
  command: Arg,
  args: Arg[],
  context: RunContext,
  site: CallSite,
): Invocation {
  return {
    name: baseName(word),
    command,
    args,
    env: site.env as Record<string, Arg>,
    stdin: context.stdin,
    notes: analyzer.notes,
    cwd: context.scope.cwd,
    home: analyzer.options.home,
    ...(context.pipesTo !== undefined && { pipesTo: context.pipesTo }),
  };
}

/** Every program that would run is listed; one that another program starts unseen is an effect as well. */
function noteStart(analyzer: Analyzer, call: Invocation, path: string | undefined, context: RunContext): void {
  const program = call.name;
  const argv = call.args.map((arg) => arg.value);
  analyzer.analysis.commands.push({
    program,
    argv,
    ...(call.command.value!.includes("/") && { path }),
    cwd: context.scope.cwd,
    depth: context.depth,
    ...(context.conditional && { conditional: true }),
    effectsBefore: analyzer.analysis.effects.length,
  });
  if (context.hidden)
    analyzer.effect(context, { kind: "exec", reason: `${program} is run by another program`, program, argv });
}

/** What it costs to read a tool's words by its table, compared with the simplest command. */
const toolWork = 4;

/** A program a table knows. */
function runTool(
  analyzer: Analyzer,
  family: ToolFamily,
  call: Invocation,
  emit: Emit,
  context: RunContext,
  site: CallSite,
): Output {
  const { name, args } = call;
  if (analyzer.spend(context, toolWork)) return { from: [] };
  analyzer.step(context, site.source, name, `known tool ${name}`);
  const before = analyzer.analysis.effects.length;
  analyzer.readings(context, call, (reading) =>
    family.lower(reading, reading === call ? emit : emitter(analyzer, context, reading, site)),
  );
  if (name === "ln") noteLink(analyzer, args, context);
  const output = printed(name, args, context);
  if (name === "git") noteGit(analyzer, args, context, output);
  const asked = analyzer.analysis.effects.slice(before, before + 8).some((effect) => effect.kind === "network");
  // `kubectl completion bash` prints what the program itself brought along.
  if (asked && !args.some((arg) => /^(completions?|shellenv)$/.test(arg.value ?? ""))) output.from.push("network");
  return output;
}

/** What some questions to git print: the project's folder, or the names of changed files. */
function noteGit({ options }: Analyzer, args: readonly Arg[], { scope }: RunContext, output: Output): void {
  const words = args.map((arg) => arg.value ?? "");
  const root = options.root ?? options.cwd;
  if (words.join(" ") === "rev-parse --show-toplevel" && `${scope.cwd}/`.startsWith(`${root}/`))
    output.text = `${root}\n`;
  const [verb = "", ...rest] = words;
  const names = verb === "diff" && rest.includes("--name-only") && !rest.some((word) => /\.\.|^[^-]/.test(word));
  const listed = verb === "ls-files" && rest.some((word) => /^-[a-z]*[mo][a-z]*$|^--(modified|others)$/.test(word));
  const told = verb === "status" && rest.some((word) => /^(-s|-sb|--short|--porcelain(=v\d)?)$/.test(word));
  if (!names && !told && (!listed || rest.includes("-i"))) return;
  output.from.push(changedNames);
  if (output.paths) output.paths = output.paths.map((path) => ({ ...path, from: [changedNames] }));
}

/** A program no table knows: it runs, and what it does is unknown. */
function runUnlisted(
  analyzer: Analyzer,
  words: readonly Arg[],
  name: string,
  context: RunContext,
  site: CallSite,
): Output {
  const [command, ...args] = words;
  analyzer.step(context, site.source, name, `no table knows ${name}`);
  const handler = context.scope.function("command_not_found_handle");
  if (handler) return callFunction(analyzer, "command_not_found_handle", handler, words, context);
  if (invisible.test(name))
    analyzer.effect(context, {
      kind: "unknown",
      reason: "the command word holds characters nobody can see",
      hazard: hazard("hidden-characters"),
    });
  const deletes = /^[\w.+-]+$/.test(name) && args.some((arg) => deletesTrees.test(arg.value ?? ""));
  const taught = deletes ? undefined : taughtFor(analyzer, name, args, context, site);
  if (taught) {
    analyzer.step(context, site.source, name, `you taught ${name} as "${taught}"`);
    const call = invocationOf(analyzer, name, command!, args, context, site);
    emitTaught(taught, name, args, emitter(analyzer, context, call, site));
    return { from: [name] };
  }
  if (!context.hidden)
    analyzer.effect(context, {
      kind: "exec",
      reason: `runs ${name}`,
      program: name,
      argv: args.map((arg) => arg.value),
    });
  if (context.setting && !isViewer(name)) bySetting(analyzer, context, name);
  if (deletes) followAsDelete(analyzer, command!, args, context, site);
  analyzer.effect(context, {
    kind: "unknown",
    reason: isNowhere(analyzer, context, name)
      ? `${name} is neither on PATH nor in the project`
      : `no table knows what ${name} does`,
    program: name,
    word: abbreviate(site.source),
  });
  return { from: [name] };
}

function isNowhere({ options, written }: Analyzer, { remote }: RunContext, name: string): boolean {
  if (remote !== undefined || options.isOnPath?.(name) !== false) return false;
  const root = options.root ?? options.cwd;
  const places = [
    `${options.cwd}/${name}`,
    ...["", "bin/", "scripts/", "node_modules/.bin/"].map((d) => `${root}/${d}${name}`),
  ];
  return places.every((place) => !written.has(place) && options.readFile?.(place) === undefined);
}

/** Builtins that exist as programs too, so that env, xargs or nohup can run them. */
const alsoPrograms = new Set(["true", "false", "echo", "printf", "test", "[", "pwd", "command"]);

/** A program nobody knows, named where nobody looks. */
function bySetting(analyzer: Analyzer, context: RunContext, name: string): void {
  analyzer.effect(context, {
    kind: "unknown",
    reason: `${name}, named in a setting of another program, is known to no table`,
    hazard: hazard("program-by-setting"),
  });
}

/** Programs people do name there. */
const viewerNames = wordSet(`diff-so-fancy plink tortoiseplink tig kate gedit windsurf meld kdiff3 opendiff bcompare
  p4merge vimdiff ssh-askpass ksshaskpass editor e`);
const isViewer = (name: string): boolean =>
  viewerNames.has(name.toLowerCase()) || /^(?:[\w-]*pager|[\w-]*edit(?:or)?)$/i.test(name);

/** Zero-width, joining, directional and byte-order characters. */
const invisible = /[\u0080-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

/** `ln -s target link`: later paths through the link mean the target. */
function noteLink(analyzer: Analyzer, args: readonly Arg[], context: RunContext): void {
  const [target, link, ...more] = args.filter((arg) => !arg.value?.startsWith("-")).map((arg) => arg.value);
  if (
    !args.some((arg) => /^(-[a-zA-Z]*s[a-zA-Z]*|--symbolic)$/.test(arg.value ?? "")) ||
    target === undefined ||
    more.length
  )
    return;
  const place = resolvePath(context.scope.cwd, link ?? baseName(target));
  const meant = resolvePath(place?.replace(/\/[^/]*$/, "") || "/", target);
  if (place && meant && place !== meant && analyzer.links.size < 64) analyzer.links.set(place, meant);
}

function printed(name: string, args: readonly Arg[], context: RunContext): Output {
  const stdin = context.stdin.kind === "text" ? context.stdin.text : undefined;
  const upstream = context.stdin.kind === "pipe" || context.stdin.kind === "text" ? (context.stdin.sources ?? []) : [];
  const paths = listedPaths(name, args, context.stdin.kind === "pipe" ? context.stdin.paths : undefined);
  return {
    text: staticOutput(name, args, stdin),
    ...(paths && { paths }),
    from: [...upstream, name, ...args.flatMap((arg) => [...(arg.from ?? []), ...(arg.process?.from ?? [])])],
  };
}

function followAlias(
  analyzer: Analyzer,
  name: string,
  alias: string,
  args: readonly Arg[],
  context: RunContext,
): Output {
  const quoted = args.map((arg) => (arg.value === undefined ? `"$__unresolved"` : singleQuote(arg.value)));
  return analyzer.text([alias, ...quoted].join(" "), {
    ...context,
    depth: context.depth + 1,
    calls: [...context.calls, `alias ${name}`],
  });
}

function callFunction(
  analyzer: Analyzer,
  name: string,
  { body, source }: { body: Parameters<Analyzer["node"]>[0]; source: string },
  args: readonly Arg[],
  context: RunContext,
): Output {
  if (context.calls.includes(name) || context.calls.length > 16) {
    if (context.parallel && context.calls.includes(name))
      analyzer.effect(context, {
        kind: "exec",
        program: name,
        reason: `function ${name} starts itself again in parallel`,
        hazard: hazard("fork-bomb"),
      });
    else if (!context.calls.includes(name)) analyzer.unknown(context, "functions calling functions, nested too deeply");
    return { from: [] };
  }
  analyzer.step(context, name, `body of ${name}()`, "function defined in the same text");
  const { positional } = context.scope;
  const locals = context.scope.enterFunction();
  context.scope.positional = args;
  const output = analyzer.node(body, {
    ...context,
    source,
    depth: context.depth + 1,
    calls: [...context.calls, name],
  });
  context.scope.positional = positional;
  context.scope.leaveFunction(locals);
  return output;
}
