// Variables that change which code runs: loaders, start-up files, search paths, editors and pagers.
// Invariant: setting one in front of a command or exporting it is never silent.

import { hazard } from "../../model/hazards.js";
import { wordSet } from "../word-set.js";
import type { RunContext } from "./run-context.js";
import type { Arg } from "./tool.js";
import type { Analyzer } from "./walk.js";

/** Their value is a command line some program runs on its own. */
const runs = wordSet(`GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_EXTERNAL_DIFF
  GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE BROWSER
  RSYNC_RSH CVS_RSH TAR_OPTIONS`);

/** Their value names code, or options that name code, which a program loads when it starts. */
const loadingNames = wordSet(`LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH BASH_ENV ENV PYTHONSTARTUP PERL5OPT PERL5LIB
  RUBYOPT RUBYLIB NODE_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS GCONV_PATH PROMPT_COMMAND
  GIT_EXEC_PATH GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_TEMPLATE_DIR`);
const loads = (name: string): boolean => loadingNames.has(name) || /^(?:DYLD_\w+|BASH_FUNC_.*)$/.test(name);

export function environmentEffects(
  analyzer: Analyzer,
  context: RunContext,
  env: Record<string, Arg | undefined>,
): void {
  for (const name of Object.keys(env)) {
    const arg = env[name];
    if (!arg) continue;
    if (runs.has(name)) command(analyzer, context, name, arg);
    else if (name === "PATH") searchPath(analyzer, context, arg);
    else if (name === "PS1" || name === "PS4" || name === "PROMPT_COMMAND") prompt(analyzer, context, name, arg);
    else if (loads(name) && arg.value !== "" && !harmless(name, arg.value)) {
      const loader = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT\w*|BASH_ENV|GCONV_PATH|BASH_FUNC_.*|GIT_EXEC_PATH)$/.test(name);
      analyzer.effect(context, {
        kind: "unknown",
        reason: `${name} makes the program load code from ${arg.source}`,
        word: arg.source,
        hazard: hazard(
          !loader ? "code-by-environment-weak" : isPassing(arg) ? "code-by-passing-file" : "code-by-environment",
        ),
      });
    }
  }
}

/** In the project or in a place anybody may write to. */
const isPassing = (arg: Arg): boolean => /^(\.|\/tmp|\/var\/tmp|\/dev\/shm)/.test(arg.value ?? "");

function command(analyzer: Analyzer, context: RunContext, name: string, arg: Arg): void {
  if (arg.value === "" || name === "TAR_OPTIONS") return;
  const inner = {
    ...context,
    conditional: true,
    hidden: true,
    setting: true,
    depth: context.depth + 1,
    scope: context.scope.fork(),
  };
  if (arg.value === undefined) analyzer.unknown(inner, `${name} names a program that is not static`, arg.source);
  else analyzer.text(arg.value.replace(/^\|\|?-?\s*/, ""), inner);
}

/** Options everybody sets and that load nothing. */
function harmless(name: string, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (name.startsWith("GIT_")) return value === "/dev/null" || value === "/etc/gitconfig";
  if (name === "NODE_OPTIONS") return !/(^|\s)(-r|--require|--import|--loader|--experimental-loader)\b/.test(value);
  if (name === "RUBYOPT") return !/-r|-I/.test(value);
  if (name === "PERL5OPT") return !/-[mMdI]/.test(value);
  if (name.endsWith("JAVA_TOOL_OPTIONS") || name === "_JAVA_OPTIONS") return !/-javaagent|-agent/.test(value);
  return name === "LD_LIBRARY_PATH" || name === "DYLD_LIBRARY_PATH" || name === "PERL5LIB" || name === "RUBYLIB";
}

function prompt(analyzer: Analyzer, context: RunContext, name: string, arg: Arg): void {
  if (arg.value !== undefined && !/[$`]\(|`/.test(arg.value) && name !== "PROMPT_COMMAND") return;
  analyzer.unknown(context, `${name} is executed at every prompt`, arg.source);
}

/** Directories put in front of the search path can replace any program named afterwards. */
function searchPath(analyzer: Analyzer, context: RunContext, arg: Arg): void {
  const text = arg.value ?? arg.prefix;
  const first = text.split(":")[0] ?? "";
  if (/^(\.|\.\.|\/tmp|\/var\/tmp|\/dev\/shm)(\/|$)/.test(first) && !/node_modules\/\.bin|\/bin$/.test(first))
    analyzer.effect(context, {
      kind: "unknown",
      reason: `the search path starts with ${first}, which can replace any program`,
      hazard: hazard("path-hijack"),
    });
}
