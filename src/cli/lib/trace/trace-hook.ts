// interlock trace hook <name>: what our git hooks call. interlock trace install-hooks, uninstall-hooks.
// Invariant: a hook ends with exit code 0 and says nothing unless attribution was lost.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import {
  type HookPlace,
  installTraceHooks,
  type TraceHook,
  traceHooks,
  uninstallTraceHooks,
} from "../../../trace/git-hooks.js";
import { hookEnvironment, hookTrouble, runTraceHook } from "../../../trace/run-hook.js";
import { atMost } from "../args.js";
import { printJson } from "../current-project.js";
import { say, sayError } from "../wrap.js";
import { type TraceOptions, tracePlace } from "./trace-place.js";

export async function traceHook([name = "", ...args]: string[]): Promise<number> {
  if (!(traceHooks as readonly string[]).includes(name)) return 0; // of a later version
  try {
    const place = tracePlace({}, hookEnvironment(process.env, process.cwd()));
    await runTraceHook(place, name as TraceHook, args, () => readFileSync(0, "utf8"), Date.now());
  } catch (error) {
    sayError(hookTrouble(name, error));
  }
  return 0;
}

export async function changeHooks(
  values: TraceOptions,
  command: "install-hooks" | "uninstall-hooks",
  words: readonly string[],
  usage: string,
): Promise<number> {
  atMost(words, 0, usage);
  const { root } = tracePlace(values);
  const isInstall = command === "install-hooks";
  const changed = isInstall ? installTraceHooks(root, process.argv[1]) : uninstallTraceHooks(root);
  if (values.json) printJson({ hooks: changed });
  else if (!changed.length) say(isInstall ? "All hooks are installed." : "No hooks of ours are installed.");
  for (const place of values.json ? [] : changed) say(isInstall ? installed(root, place) : removed(root, place));
  return 0;
}

const installed = (root: string, { path, state }: HookPlace): string => {
  const how = {
    own: "new",
    shared: "added to the script that is there",
    beside: "the hook that was there is called after it",
  };
  return `${relative(root, path) || path}: ${state === "absent" ? "not written" : how[state]}`;
};

const removed = (root: string, { path, state }: HookPlace): string =>
  `${relative(root, path) || path}: ${state === "own" ? "removed" : "as it was before"}`;
