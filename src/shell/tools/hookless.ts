// How a coding agent is started so that the user's hooks do not run in it: options, settings, variables.
// Invariant: only what leaves hooks out counts; settings that can't be read may leave them out.
import type { Arg, Emit, Invocation } from "../analyze/tool.js";

/** What leaves the hooks out, as written; undefined where nothing does. */
export function leavesHooksOut(call: Invocation, emit: Emit): string | undefined {
  if (call.name === "claude" || call.name === "claude-code") return claude(call, emit);
  if (call.name === "codex") return codex(call.args);
  if (call.name === "gemini") return moved(call, "GEMINI_CLI_HOME", "HOME");
  if (call.name === "copilot") return moved(call, "COPILOT_HOME", "XDG_CONFIG_HOME", "HOME");
  if (call.name === "opencode") return word(call.args, /^--pure$/) ?? set(call, "OPENCODE_PURE");
  return undefined;
}

function claude(call: Invocation, emit: Emit): string | undefined {
  const { args } = call;
  return (
    word(args, /^--(?:bare|safe-mode)(?:=|$)/) ??
    sources(args) ??
    settings(args, emit) ??
    set(call, "CLAUDE_CODE_SIMPLE") ??
    moved(call, "CLAUDE_CONFIG_DIR", "HOME")
  );
}

const word = (args: readonly Arg[], pattern: RegExp): string | undefined =>
  args.find((arg) => pattern.test(arg.value ?? arg.prefix))?.source;

/** The argument of an option, attached or after it. */
function given(args: readonly Arg[], option: string): Arg[] {
  return args.flatMap((arg, index) => {
    const text = arg.value ?? arg.prefix;
    if (arg.value === option) return args[index + 1] ? [args[index + 1]!] : [];
    if (!text.startsWith(`${option}=`)) return [];
    return [{ ...arg, value: arg.value?.slice(option.length + 1), prefix: arg.prefix.slice(option.length + 1) }];
  });
}

function sources(args: readonly Arg[]): string | undefined {
  const all = ["user", "project", "local"];
  const left = given(args, "--setting-sources").find(
    ({ value }) => value === undefined || !all.every((source) => value.split(/[\s,]+/).includes(source)),
  );
  return left && `--setting-sources ${left.source}`;
}

/** Settings on the command line go before all others but the managed ones. */
function settings(args: readonly Arg[], emit: Emit): string | undefined {
  const left = given(args, "--settings").find((arg) => {
    const text = arg.value?.trimStart().startsWith("{") ? arg.value : emit.projectFile(arg);
    return text === undefined || /disableAllHooks|allowManagedHooksOnly|strictPluginOnlyCustomization|\\u/.test(text);
  });
  return left && `--settings ${left.source}`;
}

function codex(args: readonly Arg[]): string | undefined {
  const config = [...given(args, "-c"), ...given(args, "--config"), ...given(args, "--disable")];
  return (
    word(args, /^--dangerously-bypass-hook-trust$/) ??
    config.find((arg) => /hooks/.test(arg.value ?? arg.prefix))?.source
  );
}

function set(call: Invocation, name: string): string | undefined {
  const arg = call.env[name];
  return arg && !/^(?:|0|false|no|off)$/i.test(arg.value ?? "?") ? `${name}=${arg.source}` : undefined;
}

/** Another home or configuration folder: the hooks the user registered are not there. */
function moved(call: Invocation, ...names: string[]): string | undefined {
  for (const name of names) {
    const arg = call.env[name];
    const usual = name === "HOME" ? call.home : name === "CLAUDE_CONFIG_DIR" ? `${call.home}/.claude` : undefined;
    if (!arg || (usual !== undefined && arg.value === usual)) continue;
    return `${name}=${arg.source}`;
  }
  return undefined;
}
