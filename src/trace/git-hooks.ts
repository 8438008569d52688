// The git hooks that keep attribution: which there are, what they run, where they stand.
// Invariant: a hook never fails a commit, also when Interlock is no longer installed.
import { join, relative } from "node:path";
import { shellQuote } from "../model/shell-quote.js";
import { type HookState, hookState, hooksFolder, installHookBlock, removeHookBlock } from "../project/git-hook.js";

export const traceHooks = ["post-commit", "post-rewrite", "prepare-commit-msg", "commit-msg"] as const;
export type TraceHook = (typeof traceHooks)[number];

const name = "interlock trace";

export interface HookPlace {
  hook: TraceHook;
  path: string;
  state: HookState;
}

export function hookPlaces(root: string): HookPlace[] {
  const folder = hooksFolder(root);
  if (!folder) return [];
  return traceHooks.map((hook) => {
    const path = join(folder, hook);
    return { hook, path, state: hookState(path, name) };
  });
}

/** Hooks that `init` may add by itself: those of this clone, not scripts that the team keeps in the tree. */
export function missingTraceHooks(root: string): TraceHook[] {
  const absent = hookPlaces(root).filter(({ state }) => state === "absent");
  return absent.some(({ path }) => isInTree(root, path)) ? [] : absent.map(({ hook }) => hook);
}

const isInTree = (root: string, path: string): boolean => !/^(?:\.\.|\.git)(?:[\\/]|$)/.test(relative(root, path));

/** Returns the hooks it added; none when all were there. `program`: this package's entry, for hooks not in the tree. */
export function installTraceHooks(root: string, program?: string): HookPlace[] {
  const missing = hookPlaces(root).filter(({ state }) => state === "absent");
  for (const { hook, path } of missing)
    installHookBlock(path, {
      name,
      hint: "remove with: interlock trace uninstall-hooks",
      lines: linesOf(hook, isInTree(root, path) ? undefined : program),
    });
  const added = new Set(missing.map(({ path }) => path));
  return hookPlaces(root).filter(({ path, state }) => added.has(path) && state !== "absent");
}

/** post-rewrite gets its commits on standard input, which the other hook needs too. */
function linesOf(hook: TraceHook, program: string | undefined): string[] {
  const run = (command: string) => feed(hook, `${command} trace hook ${hook} "$@"`);
  const other = program && [
    `elif [ -f ${shellQuote(program)} ] && command -v node >/dev/null 2>&1; then`,
    `  ${run(`node ${shellQuote(program)}`)}`,
  ];
  return [
    ...(hook === "post-rewrite" ? ["interlock_rewritten=$(cat)"] : []),
    "if command -v interlock >/dev/null 2>&1; then",
    `  ${run("interlock")}`,
    ...(other || []),
    "fi",
    ...(hook === "post-rewrite" ? ["exec <<INTERLOCK_END", "$interlock_rewritten", "INTERLOCK_END"] : []),
  ];
}

const feed = (hook: TraceHook, command: string): string =>
  hook === "post-rewrite" ? `printf '%s\\n' "$interlock_rewritten" | ${command} || :` : `${command} </dev/null || :`;

/** Returns the hooks it removed. */
export function uninstallTraceHooks(root: string): HookPlace[] {
  const found = hookPlaces(root).filter(({ state }) => state !== "absent");
  for (const { path } of found) removeHookBlock(path, name);
  return found;
}
