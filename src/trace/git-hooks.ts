// Installs the git hooks that keep attribution, beside whatever hooks are there.
// Invariant: an existing hook goes on running with the same arguments and input; removing ours restores it byte for
// byte; a hook never fails a commit, also when Interlock is no longer installed.
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { shellQuote } from "../model/shell-quote.js";
import { identify } from "../project/identify.js";
import { askGit } from "../project/run-git.js";

export const traceHooks = ["post-commit", "post-rewrite", "prepare-commit-msg", "commit-msg"] as const;
export type TraceHook = (typeof traceHooks)[number];

const first = "# >>> interlock trace >>> remove with: interlock trace uninstall-hooks";
const last = "# <<< interlock trace <<<";
/** In a file that was not there before. */
const ownLine = "# interlock made this file";
const keptSuffix = ".before-interlock";

export interface HookPlace {
  hook: TraceHook;
  path: string;
  /** `absent`: ours is not there; `own`: the file is ours; `shared`: our lines in another's script; `beside`: the other
   * hook was moved aside and is called. */
  state: "absent" | "own" | "shared" | "beside";
}

/** The folder git runs hooks from, husky's own scripts instead of its generated ones. */
export function hooksFolder(root: string): string | undefined {
  const answer = askGit(root, ["rev-parse", "--git-path", "hooks"]);
  // `askGit` turns hooks off by the same setting, so the configured folder is asked for apart.
  const configured = askGit(root, ["config", "--path", "--get-all", "core.hooksPath"])?.toString("utf8").split("\n");
  const named = configured?.filter((one) => one && one !== "/dev/null").at(-1);
  const { commonDir } = identify(root);
  if (named === undefined) return commonDir ? join(commonDir, "hooks") : answer && resolve(root, String(answer).trim());
  const folder = isAbsolute(named) ? named : resolve(root, named);
  return /[\\/]\.husky[\\/]_$/.test(folder) ? dirname(folder) : folder;
}

export function hookPlaces(root: string): HookPlace[] {
  const folder = hooksFolder(root);
  if (!folder) return [];
  return traceHooks.map((hook) => {
    const path = join(folder, hook);
    const text = read(path);
    const ours = text?.includes(first) ?? false;
    if (!ours) return { hook, path, state: "absent" };
    const made = withoutBlock(text!) === `#!/bin/sh\n${ownLine}\n`;
    return { hook, path, state: existsSync(path + keptSuffix) ? "beside" : made ? "own" : "shared" };
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
  for (const { hook, path } of missing) {
    mkdirSync(dirname(path), { recursive: true });
    install(hook, path, isInTree(root, path) ? undefined : program);
  }
  const added = new Set(missing.map(({ path }) => path));
  return hookPlaces(root).filter(({ path, state }) => added.has(path) && state !== "absent");
}

function install(hook: TraceHook, path: string, program: string | undefined): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return writeNew(path, `#!/bin/sh\n${ownLine}\n${block(hook, program)}`);
  const text = stat.isFile() ? read(path) : undefined;
  const runs = (stat.mode & 0o111) !== 0 || isHusky(path);
  if (runs && text !== undefined && isShell(text)) {
    const head = /^#![^\n]*\n/.exec(text)?.[0] ?? "";
    writeFileSync(path, `${head}${block(hook, program)}${text.slice(head.length)}`, "latin1");
    return;
  }
  // Another language, a link, or a file git does not run: it keeps its bytes under another name.
  renameSync(path, path + keptSuffix);
  const call = `[ ! -x "$0${keptSuffix}" ] || exec "$0${keptSuffix}" "$@"\n`;
  writeNew(path, `#!/bin/sh\n${block(hook, program)}${runs ? call : ""}`);
}

const isHusky = (path: string): boolean => /[\\/]\.husky[\\/][^\\/]+$/.test(path);
const isShell = (text: string): boolean =>
  !text.startsWith("#!") || /^#!\s*\S*\/(?:env\s+(?:-\S+\s+)*)?(?:ba|da|z|k|a)?sh\b/.test(text);

function writeNew(path: string, text: string): void {
  writeFileSync(path, text, { flag: "wx", mode: 0o755 });
  chmodSync(path, 0o755);
}

/** post-rewrite gets its commits on standard input, which the other hook needs too. */
function block(hook: TraceHook, program: string | undefined): string {
  const run = (name: string) => `${name} trace hook ${hook} "$@"`;
  const other = program
    ? `elif [ -f ${shellQuote(program)} ] && command -v node >/dev/null 2>&1; then\n` +
      `  ${feed(hook, run(`node ${shellQuote(program)}`))}\n`
    : "";
  return [
    first,
    ...(hook === "post-rewrite" ? ["interlock_rewritten=$(cat)"] : []),
    "if command -v interlock >/dev/null 2>&1; then",
    `  ${feed(hook, run("interlock"))}`,
    `${other}fi`,
    ...(hook === "post-rewrite" ? ["exec <<INTERLOCK_END", "$interlock_rewritten", "INTERLOCK_END"] : []),
    last,
    "",
  ].join("\n");
}

const feed = (hook: TraceHook, command: string): string =>
  hook === "post-rewrite" ? `printf '%s\\n' "$interlock_rewritten" | ${command} || :` : `${command} </dev/null || :`;

/** Returns the hooks it removed. */
export function uninstallTraceHooks(root: string): HookPlace[] {
  const found = hookPlaces(root).filter(({ state }) => state !== "absent");
  for (const { path, state } of found) {
    if (state === "shared") writeFileSync(path, withoutBlock(readFileSync(path, "latin1")), "latin1");
    else rmSync(path, { force: true });
    if (state === "beside") renameSync(path + keptSuffix, path);
  }
  return found;
}

function withoutBlock(text: string): string {
  const from = text.indexOf(first);
  const to = text.indexOf(`${last}\n`, from);
  return from < 0 || to < 0 ? text : text.slice(0, from) + text.slice(to + last.length + 1);
}

/** One character per byte, so that writing it back changes none. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
