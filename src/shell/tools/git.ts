// git: global options, configuration given on the command line, and the way to each sub-command.
// Invariant: an option, variable or key that can run a program or move the repository is never ignored.

import type { Arg, Emit, Invocation } from "../analyze/tool.js";
import { tools } from "../spec/interpret.js";
import { cut, literal, parse, syntax } from "../spec/options.js";
import { configured, isExecutingKey, noHooks } from "./git/config.js";
import type { Git } from "./git/repo.js";
import { joinDirectory } from "./git/repo.js";
import { verbs } from "./git/verbs.js";

const globalOptions = [
  "C= c= git-dir= work-tree= namespace= exec-path=? super-prefix= config-env= attr-source= list-cmds= p|paginate",
  "P|no-pager pager= bare no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs",
  "no-optional-locks no-advice no-lazy-fetch html-path man-path info-path v|version h|help",
].join(" ");
const globalSyntax = syntax(globalOptions, { posix: true });

export const git = tools(
  "git",
  `
tool git
  style posix
  options ${globalOptions}
  otherwise do git
`,
  {
    git({ call }, emit) {
      // git-filter-repo and its kin are sub-commands with a hyphen.
      const verb = /^git-(.+)$/i.exec(call.name)?.[1];
      lower(call, verb ? [literal(verb), ...call.args] : call.args, emit, 0);
    },
  },
);

function lower(call: Invocation, args: readonly Arg[], emit: Emit, aliases: number): void {
  const given = parse(args, globalSyntax);
  let directory: Arg = literal(".");
  for (const next of given.values("C")) directory = joinDirectory(directory, next);
  const settings = [...fromEnvironment(call), ...given.values("c"), ...given.values("config-env")];
  for (const option of given.options)
    if (option.name === "exec-path" && option.value) emit.unknown("git --exec-path replaces git's own programs");
  for (const text of given.values("pager")) emit.shell(text, "git --pager runs it");
  const workTree = given.value("work-tree") ?? call.env["GIT_WORK_TREE"];
  const gitDirectory = given.value("git-dir") ?? call.env["GIT_DIR"];
  const hooksSkipped = noHooks(call, settings);

  let operands = given.operands;
  if (operands[0]?.value === "--") operands = operands.slice(1);
  const [verb, ...rest] = operands;
  if (!verb) return configured(settings, undefined, emit);
  if (verb.value === undefined) return emit.unknown(`git: the sub-command ${verb.source} is not static`);
  const repo: Git = {
    call,
    emit,
    verb: verb.value,
    args: rest,
    directory: workTree ? joinDirectory(directory, workTree) : directory,
    gitDirectory: gitDirectory && joinDirectory(directory, gitDirectory),
    settings,
    hooksSkipped,
  };
  if (rest.some((arg, index) => arg.value === "--help" && !takesWord(rest[index - 1])) || rest[0]?.value === "-h")
    return;
  configured(settings, verb.value, emit);
  // File systems that ignore case find git-RESET too.
  const lowered = verbs[verb.value] ?? verbs[verb.value.toLowerCase()];
  if (lowered) return lowered(repo);
  const alias = settings.findLast((setting) =>
    setting.value?.toLowerCase().startsWith(`alias.${verb.value!.toLowerCase()}=`),
  );
  const stored = alias ? undefined : storedAlias(call, verb.value, directory, emit);
  const text = alias ? cut(alias, alias.value!.indexOf("=") + 1) : stored === undefined ? undefined : literal(stored);
  if (text && aliases < 5) return followAlias(call, text, rest, given, emit, aliases);
  emit.effect({
    kind: "exec",
    program: `git-${verb.value}`,
    argv: rest.map((arg) => arg.value),
    reason: `git ${verb.value}`,
  });
  emit.unknown(`git ${verb.value} is an alias or a plug-in; what it does is not known here`);
}

/** An option in front of `--help` that takes it as its argument: `--repo --help`. */
const takesWord = (before: Arg | undefined): boolean =>
  /^--(repo|replace-text|push-option|message|file|author|date|trailer|strategy|onto|exec)$|^-[mFoXsc]$/.test(
    before?.value ?? "",
  );

function followAlias(
  call: Invocation,
  text: Arg,
  rest: readonly Arg[],
  given: ReturnType<typeof parse>,
  emit: Emit,
  aliases: number,
): void {
  if (text.value === undefined) return emit.unknown("a git alias whose text is not static");
  if (text.value.startsWith("!")) {
    const command = `${text.value.slice(1)} "$@"`;
    return emit.shell({ source: text.source, value: command, prefix: command }, "a git alias runs it", {
      positional: [literal("git"), ...rest],
    });
  }
  const words = text.value.split(/\s+/).filter(Boolean).map(literal);
  const globals = given.order.flatMap((item) =>
    "option" in item && item.option.value && item.option.name !== "c"
      ? [literal(`${item.option.name.length === 1 ? "-" : "--"}${item.option.name}`), item.option.value]
      : [],
  );
  lower(call, [...globals, ...words, ...rest], emit, aliases + 1);
}

/** An alias this text defined before, or one in the repository's or the user's configuration. */
function storedAlias(call: Invocation, verb: string, directory: Arg, emit: Emit): string | undefined {
  const noted = call.notes?.get(`git alias.${verb.toLowerCase()}`);
  if (noted !== undefined) return noted;
  const files = [
    joinDirectory(directory, literal(".git/config")),
    ...(call.home ? [literal(`${call.home}/.gitconfig`)] : []),
  ];
  for (const file of files) {
    const section = /^\[alias\]\s*$([\s\S]*?)(?=^\[|(?![\s\S]))/im.exec(emit.projectFile(file) ?? "")?.[1];
    for (const line of section?.split("\n") ?? []) {
      const [name, ...value] = line.split("=");
      if (name!.trim().toLowerCase() === verb.toLowerCase() && value.length)
        return value
          .join("=")
          .trim()
          .replace(/^"(.*)"$/, "$1")
          .replace(/\\(["\\])/g, "$1");
    }
  }
  return undefined;
}

/** GIT_CONFIG_COUNT with its keys and values, GIT_CONFIG_PARAMETERS: configuration by environment. */
function fromEnvironment(call: Invocation): Arg[] {
  const settings: Arg[] = [];
  const count = Math.min(Number(call.env["GIT_CONFIG_COUNT"]?.value ?? 0) || 0, 32);
  for (let at = 0; at < count; at++) {
    const key = call.env[`GIT_CONFIG_KEY_${at}`]?.value;
    const value = call.env[`GIT_CONFIG_VALUE_${at}`];
    if (key !== undefined && value)
      settings.push({
        source: value.source,
        value: value.value === undefined ? undefined : `${key}=${value.value}`,
        prefix: `${key}=${value.prefix}`,
      });
  }
  const packed = call.env["GIT_CONFIG_PARAMETERS"]?.value;
  for (const [, pair] of packed?.matchAll(/'([^']*)'/g) ?? []) if (isExecutingKey(pair!)) settings.push(literal(pair!));
  return settings;
}
