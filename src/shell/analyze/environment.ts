// Variables that change which code runs: loaders, start-up files, search paths, editors and pagers.
// Invariant: setting one in front of a command or exporting it is never silent.

import { hazard } from "../../model/hazards.js";
import type { Arg } from "./tool.js";
import type { Frame, Lowering } from "./walk.js";

/** Their value is a command line some program runs on its own. */
const runs =
  /^(GIT_(EDITOR|SEQUENCE_EDITOR|PAGER|SSH|SSH_COMMAND|ASKPASS|EXTERNAL_DIFF|PROXY_COMMAND)|SSH_ASKPASS|SUDO_ASKPASS|EDITOR|VISUAL|PAGER|MANPAGER|LESSOPEN|LESSCLOSE|BROWSER|RSYNC_RSH|CVS_RSH|TAR_OPTIONS)$/;
const loads =
  /^(LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_\w+|BASH_ENV|ENV|PYTHONSTARTUP|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|NODE_OPTIONS|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GCONV_PATH|PROMPT_COMMAND|BASH_FUNC_.*|GIT_(EXEC_PATH|CONFIG_GLOBAL|CONFIG_SYSTEM|TEMPLATE_DIR))$/;

export function environmentEffects(lowering: Lowering, frame: Frame, env: Record<string, Arg | undefined>): void {
  for (const name of Object.keys(env)) {
    const arg = env[name];
    if (!arg) continue;
    if (runs.test(name)) command(lowering, frame, name, arg);
    else if (name === "PATH") searchPath(lowering, frame, arg);
    else if (name === "PS1" || name === "PS4" || name === "PROMPT_COMMAND") prompt(lowering, frame, name, arg);
    else if (loads.test(name) && arg.value !== "" && !harmless(name, arg.value)) {
      const loader = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT\w*|BASH_ENV|GCONV_PATH|BASH_FUNC_.*|GIT_EXEC_PATH)$/.test(name);
      lowering.effect(frame, {
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

function command(lowering: Lowering, frame: Frame, name: string, arg: Arg): void {
  if (arg.value === "" || name === "TAR_OPTIONS") return;
  const inner = {
    ...frame,
    conditional: true,
    hidden: true,
    setting: true,
    depth: frame.depth + 1,
    scope: frame.scope.fork(),
  };
  if (arg.value === undefined) lowering.unknown(inner, `${name} names a program that is not static`, arg.source);
  else lowering.text(arg.value.replace(/^\|\|?-?\s*/, ""), inner);
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

function prompt(lowering: Lowering, frame: Frame, name: string, arg: Arg): void {
  if (arg.value !== undefined && !/[$`]\(|`/.test(arg.value) && name !== "PROMPT_COMMAND") return;
  lowering.unknown(frame, `${name} is executed at every prompt`, arg.source);
}

/** Directories put in front of the search path can replace any program named afterwards. */
function searchPath(lowering: Lowering, frame: Frame, arg: Arg): void {
  const text = arg.value ?? arg.prefix;
  const first = text.split(":")[0] ?? "";
  if (/^(\.|\.\.|\/tmp|\/var\/tmp|\/dev\/shm)(\/|$)/.test(first) && !/node_modules\/\.bin|\/bin$/.test(first))
    lowering.effect(frame, {
      kind: "unknown",
      reason: `the search path starts with ${first}, which can replace any program`,
      hazard: hazard("path-hijack"),
    });
}
