// The commands the shell runs itself: those that change what it remembers, and those that run other text.
// Invariant: a builtin that can execute something (eval, trap, source, exec, ...) follows it or says unknown.

import { hazard } from "../../model/hazards.js";
import { isSecretName } from "../hazards/credentials.js";
import { fixedPart } from "../syntax/word-fields.js";
import { warnSubscript } from "../syntax/words.js";
import { secretsSourced } from "../tools/env.js";
import { wordSet } from "../word-set.js";
import { setVariable } from "./assignments.js";
import { emitter } from "./emitter.js";
import { staticOutput } from "./filter-output.js";
import { commonPrefix } from "./listed-paths.js";
import { downloads } from "./output-sources.js";
import { pathEffects } from "./path-effects.js";
import { resolvePath } from "./paths.js";
import type { Output, RunContext } from "./run-context.js";
import { known, type Text, unresolved } from "./scope.js";
import type { Arg } from "./tool.js";
import type { Analyzer } from "./walk.js";

interface Call {
  analyzer: Analyzer;
  context: RunContext;
  args: readonly Arg[];
  env: Record<string, Arg | undefined>;
  source: string;
}

/** Returns what it prints, or undefined when the table of static output should say. */
type Builtin = (call: Call) => Output | undefined;

const quiet = (): Output => ({ text: "", from: [] });
const harmless: Builtin = () => undefined;

export const builtins = new Map<string, Builtin>();
const harmlessNames = wordSet(`
  : true false echo printf test [ pwd exit return break continue wait jobs fg bg disown umask ulimit type help
  shopt times suspend logout caller dirs compgen bind complete compopt history fc`);
for (const name of harmlessNames) builtins.set(name, harmless);

builtins.set("echo", reveals);

builtins.set("cd", (call) => changeDirectory(call));
builtins.set("chdir", (call) => changeDirectory(call));
builtins.set("pushd", (call) => {
  const { scope } = call.context;
  scope.directories = [...scope.directories, scope.cwd].slice(-32);
  return changeDirectory(call);
});
builtins.set("popd", ({ context: { scope } }) => {
  scope.moveTo(scope.directories.at(-1));
  scope.directories = scope.directories.slice(0, -1);
});

builtins.set("pwd", ({ context }) =>
  context.scope.cwd === undefined ? undefined : { text: `${context.scope.cwd}\n`, from: ["pwd"] },
);

builtins.set("eval", (call) => {
  const { analyzer, context, args } = call;
  if (args.length === 0) return quiet();
  if (args.some((arg) => arg.value === undefined)) {
    const origins = args.flatMap((arg) => arg.from ?? []);
    if (args.length > 1 || origins.length === 0 || !origins.every((name) => setsUp.has(name)))
      return notStatic(call, "eval");
    analyzer.step(context, call.source, "environment", `${origins[0]} prints settings for the shell`);
    return { from: origins };
  }
  const text = args.map((arg) => arg.value).join(" ");
  analyzer.step(context, call.source, text, "eval runs its words as a command");
  return analyzer.text(text, { ...context, depth: context.depth + 1 });
});

/** Programs made to be evaluated: they print exports and functions. */
const setsUp = wordSet(`
  ssh-agent gpg-agent keychain brew pyenv rbenv nodenv jenv goenv asdf direnv starship zoxide mise rtx fnm
  dircolors opam conda mamba micromamba luarocks thefuck register-python-argcomplete oh-my-posh atuin fzf`);

builtins.set("trap", ({ analyzer, context, args }) => {
  const words = args[0]?.value === "--" ? args.slice(1) : args;
  const action = words[0];
  if (
    !action ||
    words.length === 1 ||
    action.value === "" ||
    action.value === "-" ||
    /^-[lpP]/.test(action.value ?? "")
  )
    return;
  if (action.value === undefined) return analyzer.unknown(context, "trap: the text is not static", action.source);
  analyzer.step(context, action.value, "trap", "runs when the shell gets the signal or exits");
  analyzer.text(action.value, { ...context, depth: context.depth + 1, conditional: true, scope: context.scope.fork() });
});

/** Files people load by habit; what they hold is the user's own set-up. */
const startupFiles = [
  /(^|\/)(bin|Scripts)\/activate(\.\w+)?$/,
  /(^|\/)(nvm|asdf|sdkman-init|conda)\.sh$/,
  /(^|\/)\.(bashrc|zshrc|profile|bash_profile|zprofile|zshenv)$/,
  /(^|\/)\.(cargo|deno|ghcup|local\/bin)\/env$/,
  /^\/etc\/(profile|bash\.bashrc|os-release)$/,
];
const isStartupFile = (path: string): boolean => startupFiles.some((pattern) => pattern.test(path));

for (const name of ["source", "."])
  builtins.set(name, (call) => {
    const { analyzer, context, args, env } = call;
    const [file, ...rest] = args[0]?.value === "--" ? args.slice(1) : args;
    if (!file) return;
    const emit = emitter(analyzer, context, invocation(call, name), { env, source: call.source });
    const known = isStartupFile(file.value ?? "") && emit.projectFile(file) === undefined;
    if (known) {
      pathEffects(analyzer, context, "read", file, "a start-up file of the user or of an environment is loaded", {
        by: name,
      });
      return;
    }
    const input = /^\/(dev\/(stdin|fd\/0)|proc\/self\/fd\/0)$/.test(file.value ?? "") ? context.stdin : undefined;
    if (input?.kind === "text")
      return analyzer.text(input.text, { ...context, depth: context.depth + 1, hidden: true });
    if (input?.kind === "pipe") return notStatic({ ...call, args: [{ ...file, from: input.sources }] }, name);
    // The variables it sets are used; printing one of them is judged there.
    if (/\.env\b/.test(file.value ?? "")) analyzer.notes.set(secretsSourced, "");
    if (!file.process) pathEffects(analyzer, context, "read", file, `${name} reads it`, { by: name, how: "use" });
    const text = emit.projectFile(file);
    if (text === undefined) {
      emit.script(file, `${name} runs it in this shell`, "shell", rest);
      return { from: [] };
    }
    analyzer.step(context, file.source, "shell text", `${name} runs it in this shell`);
    return analyzer.text(text, { ...context, depth: context.depth + 1, hidden: true });
  });

for (const name of ["command", "builtin", "exec"])
  builtins.set(name, ({ analyzer, context, args, env, source }) => {
    let at = 0;
    for (; at < args.length; at++) {
      const value = args[at]!.value;
      if (value === "--") {
        at++;
        break;
      }
      if (value === undefined || !value.startsWith("-") || value === "-") break;
      if (name === "command" && /[vV]/.test(value)) {
        const named = args[at + 1]?.value;
        return named === undefined ? { from: [] } : { text: `${named}\n`, from: ["command"] };
      }
      if (name === "exec" && /a$/.test(value)) at++;
    }
    const words = args.slice(at);
    if (words.length === 0) return quiet();
    // A builtin behind `command` still changes this shell; functions and aliases are skipped.
    const inside = words[0]?.value !== undefined ? builtins.get(words[0].value) : undefined;
    if (inside) return inside({ analyzer, context, args: words.slice(1), env, source });
    return analyzer.invoke(words, { ...context, depth: context.depth + 1 }, { env, source, external: true });
  });

for (const name of ["export", "declare", "typeset", "local", "readonly"])
  builtins.set(name, ({ analyzer, context, args }) => {
    const flags = args.filter((arg) => /^[-+]/.test(arg.value ?? "")).map((arg) => arg.value!);
    const exported =
      (name === "export" && !flags.includes("-n")) || flags.some((flag) => /^-\w*x/.test(flag)) || undefined;
    const integer = flags.some((flag) => /^-\w*i/.test(flag)) || undefined;
    const functions = flags.some((flag) => /^-\w*[fFp]/.test(flag));
    if (name !== "local" && args.length === flags.length && !flags.some((flag) => /[aAfFi]/.test(flag)))
      dumps(analyzer, context, name);
    if (flags.some((flag) => /^-\w*n/.test(flag)) && name !== "export")
      return analyzer.unknown(context, `${name} -n makes a name stand for another`);
    for (const arg of args) {
      if (/^[-+]/.test(arg.value ?? "") || functions) continue;
      const text = arg.value ?? arg.prefix;
      const found = /^([A-Za-z_]\w*)(\[[\s\S]*?\])?(\+)?(=)?/.exec(text);
      if (!found) {
        if (arg.value === undefined) analyzer.unknown(context, `${name}: the name is not static`, arg.source);
        continue;
      }
      if (found[2]) warnSubscript(known(found[2]), analyzer.expansion(context));
      const variable = found[1]!;
      if (name === "local") context.scope.local(variable);
      if (!found[4]) {
        const old = context.scope.variable(variable);
        if (old) context.scope.set(variable, { ...old, ...(exported && { exported }), ...(integer && { integer }) });
        else if (name === "local" || integer) context.scope.set(variable, { text: known(""), integer });
        continue;
      }
      const cutAt = found[0].length;
      const value: Text = {
        value: arg.value?.slice(cutAt),
        prefix: arg.prefix.slice(cutAt),
        pattern: arg.pattern?.slice(cutAt),
      };
      const { items } = arg as Arg & { items?: Text[] };
      setVariable(analyzer, context, variable, value, {
        items,
        append: found[3] !== undefined,
        indexed: found[2] !== undefined,
        exported,
        integer,
      });
    }
    return quiet();
  });

builtins.set("unset", ({ analyzer, context, args }) => {
  const functions = args.some((arg) => /^-\w*f/.test(arg.value ?? ""));
  for (const arg of args) {
    warnSubscript(arg, analyzer.expansion(context));
    // Without -v or -f a name that is no variable means the function.
    const isFunction =
      functions || (!context.scope.variable(arg.value ?? "") && context.scope.function(arg.value ?? ""));
    if (arg.value && isFunction) context.scope.define(arg.value, undefined);
    else if (arg.value && /^[A-Za-z_]\w*$/.test(arg.value))
      context.scope.set(arg.value, { text: known(""), unset: true });
  }
  return quiet();
});

for (const name of ["read", "mapfile", "readarray", "getopts"])
  builtins.set(name, ({ analyzer, context, args, env }) => {
    for (const arg of args) {
      warnSubscript(arg, analyzer.expansion(context));
      if (arg.value === undefined) continue;
      if (/^[A-Za-z_]\w*$/.test(arg.value))
        context.scope.assign(arg.value, fromDescriptor(context, args) ?? lineOf(context, args.length));
    }
    const callback = args.findIndex((arg) => arg.value === "-C");
    const text = args[callback + 1];
    if (name !== "read" && callback >= 0 && text) {
      if (text.value === undefined) analyzer.unknown(context, `${name} -C: the text is not static`);
      else analyzer.text(text.value, { ...context, depth: context.depth + 1, conditional: true });
    }
    const names = args.filter((arg) => /^[A-Za-z_]\w*$/.test(arg.value ?? ""));
    if (name === "read" && names.length === 0) context.scope.assign("REPLY", unresolved);
    readStatic(context, name, names, env["IFS"]?.value);
    return quiet();
  });

builtins.set("printf", ({ analyzer, context, args }) => {
  if (args[0]?.value !== "-v") return reveals({ analyzer, context, args });
  const name = args[1];
  if (name) warnSubscript(name, analyzer.expansion(context));
  const text = staticOutput("printf", args.slice(2), undefined);
  if (name?.value && /^[A-Za-z_]\w*$/.test(name.value))
    context.scope.assign(name.value, text === undefined ? unresolved : known(text));
  return quiet();
});

builtins.set("let", ({ analyzer, context, args }) => {
  for (const arg of args) {
    warnSubscript(arg, analyzer.expansion(context));
    const name = /^([A-Za-z_]\w*)\s*[-+*/%&|^]?=/.exec(arg.value ?? arg.prefix)?.[1];
    if (name) context.scope.assign(name, unresolved);
  }
  return quiet();
});

builtins.set("set", ({ analyzer, context, args }) => {
  if (args.length === 0) dumps(analyzer, context, "set");
  const marker = args.findIndex((arg) => arg.value === "--");
  const plain = args.findIndex((arg) => arg.value !== undefined && !/^[-+]/.test(arg.value));
  if (marker >= 0) context.scope.positional = args.slice(marker + 1);
  else if (args.some((arg) => arg.value === undefined)) context.scope.positional = undefined;
  else if (plain === 0) context.scope.positional = args;
});

builtins.set("shift", ({ context, args }) => {
  const count = args[0] ? Number(args[0].value ?? Number.NaN) : 1;
  const { positional } = context.scope;
  context.scope.positional = positional && Number.isInteger(count) ? positional.slice(count) : undefined;
});

builtins.set("alias", ({ analyzer, context, args }) => {
  for (const arg of args) {
    const text = arg.value ?? arg.prefix;
    const equals = text.indexOf("=");
    if (equals <= 0) continue;
    context.scope.setAlias(text.slice(0, equals), arg.value === undefined ? `"$__unresolved"` : text.slice(equals + 1));
    analyzer.step(context, arg.source, "alias definition", "followed where the alias is used");
  }
  return quiet();
});

builtins.set("unalias", ({ context, args }) => {
  for (const arg of args) if (arg.value) context.scope.setAlias(arg.value, undefined);
});

builtins.set("hash", ({ analyzer, context, args }) => {
  if (args.some((arg) => arg.value === undefined || arg.value.startsWith("-p")))
    analyzer.unknown(context, "hash -p makes a name stand for another program");
});

builtins.set("enable", ({ analyzer, context, args }) => {
  if (args.some((arg) => arg.value === undefined || /^-\w*f/.test(arg.value)))
    analyzer.unknown(context, "enable -f loads code into the shell");
});

builtins.set("test", conditionOf);
builtins.set("[", conditionOf);

/** `export -p`, `declare -x`, `set`: every variable with its value. */
function dumps(analyzer: Analyzer, context: RunContext, program: string): void {
  if (!context.visible && !downloads(context.pipesTo ?? "")) return;
  analyzer.effect(context, {
    kind: "exec",
    program,
    reason: `${program} prints every variable`,
    hazard: hazard("environment-dump"),
  });
}

/** Printing a secret variable shows it to the agent. */
function reveals({ analyzer, context, args }: Pick<Call, "analyzer" | "context" | "args">): undefined {
  const { pipesTo = "", ends } = context;
  const passes = ends && /^(base64|base32|xxd|od|hexdump|rev|cat|tee|fold)$/.test(pipesTo);
  if (!context.visible && !passes && !downloads(pipesTo)) return;
  for (const arg of args) {
    const name = arg.variables?.find(
      (variable) => isSecretName(variable) && (analyzer.notes.has(secretsSourced) || !context.scope.variable(variable)),
    );
    // ${TOKEN:+set} and ${#TOKEN} show that there is one, not which.
    if (!name || new RegExp(`\\$\\{(#${name}\\}|${name}:?\\+)`).test(arg.source)) continue;
    analyzer.effect(context, {
      kind: "exec",
      program: "echo",
      reason: `prints the variable ${name}`,
      hazard: hazard("secret-variable"),
    });
  }
}

function conditionOf({ analyzer, context, args }: Call): undefined {
  const at = analyzer.expansion(context);
  args.forEach((arg, index) => {
    if (arg.value === "-v" && args[index + 1]) warnSubscript(args[index + 1]!, at);
  });
}

/** What `read -u 3` reads from a descriptor opened before. */
function fromDescriptor(context: RunContext, args: readonly Arg[]): Text | undefined {
  const at = args.findIndex((arg) => /^-\w*u$/.test(arg.value ?? ""));
  const opened = at < 0 ? undefined : context.scope.descriptor(args[at + 1]?.value ?? "")?.input;
  if (!opened) return undefined;
  return opened.text === undefined ? { prefix: "", from: opened.from } : known(opened.text.split("\n")[0]!);
}

/** A line of a list of paths: not known, but where it lies. */
function lineOf(context: RunContext, words: number): Text {
  const paths = context.stdin.kind === "pipe" && words < 6 ? context.stdin.paths : undefined;
  const [path] = paths?.length === 1 ? paths : [];
  if (path?.glob && path.value !== undefined) return { prefix: fixedPart(path.value), pattern: path.value };
  const prefix = commonPrefix(paths);
  return prefix === undefined ? unresolved : { prefix };
}

/** `read x <<< text` and `echo text | read x` with static text. */
function readStatic(context: RunContext, name: string, names: readonly Arg[], separator: string | undefined): void {
  if (name !== "read" || context.stdin.kind !== "text" || context.loops > 0) return;
  const line = context.stdin.text.split("\n")[0]!.trim();
  if (names.length === 1) return context.scope.assign(names[0]!.value!, known(line));
  if (line.includes("\\") || (separator !== undefined && separator.length !== 1) || context.scope.variable("IFS"))
    return;
  const words = line.split(separator ?? /\s+/);
  // The last name takes what is left.
  const rest = words.slice(names.length - 1).join(separator ?? " ");
  for (const [index, { value }] of names.entries())
    context.scope.assign(value!, known((index === names.length - 1 ? rest : words[index]) ?? ""));
}

/** Something earlier in the text may have made the folder. */
const mayMake = ({ analyzer }: Call): boolean =>
  analyzer.analysis.effects.some(({ kind }) => kind === "write" || kind === "exec" || kind === "unknown");

function changeDirectory(call: Call): Output {
  const { analyzer, context, args } = call;
  const { scope } = context;
  const words = args.filter((arg) => !/^-[LPe@n]+$|^--$/.test(arg.value ?? ""));
  const [target] = words;
  if (!target) scope.moveTo(analyzer.options.home);
  else if (target.value === "-") scope.moveTo(scope.previous);
  else if (target.maybeEmpty && scope.cwd !== undefined) {
    // `cd ""` stays here, `cd` goes home; where it fails it stays too.
    const { home } = analyzer.options;
    const empty = target.maybeEmpty === "stays" ? scope.cwd : home;
    const others = new Set([scope.cwd, ...(empty === undefined ? [] : [empty])]);
    scope.moveTo(undefined, [...others], empty === scope.cwd ? [] : [scope.cwd]);
  } else if (target.value === undefined || target.glob || /^[+-]\d/.test(target.value)) scope.moveTo(undefined);
  else if (scope.variable("CDPATH") && !/^[./]/.test(target.value)) scope.moveTo(undefined);
  else if (target.value !== "") {
    const path = resolvePath(scope.cwd, target.value);
    const missing =
      path !== undefined && scope.cwd !== undefined && analyzer.options.isDirectory?.(path) === false && !mayMake(call);
    scope.moveTo(path, missing ? [scope.cwd!] : [], missing ? [scope.cwd!] : []);
  }
  analyzer.step(context, `cd ${target?.source ?? ""}`, scope.cwd ?? "unknown directory", "changes the directory");
  return quiet();
}

function notStatic({ analyzer, context, args, env, source }: Call, name: string): Output {
  const emit = emitter(analyzer, context, invocation({ analyzer, context, args, env, source }, name), { env, source });
  const from = args.flatMap((arg) => arg.from ?? []);
  emit.shell({ source, prefix: "", from }, name);
  return { from };
}

function invocation({ context, args, env, analyzer }: Call, name: string) {
  const command: Arg = { source: name, value: name, prefix: name };
  return {
    name,
    command,
    args: [...args],
    env: env as Record<string, Arg>,
    stdin: context.stdin,
    cwd: context.scope.cwd,
    home: analyzer.options.home,
  };
}
