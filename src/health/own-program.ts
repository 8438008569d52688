// Interlock's program as entries start it: a copy in Interlock's home, so that removing the package breaks no project,
// and a launcher that knows where the copy is. Invariant: planning looks only; a copy is whole or absent.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { version } from "../hook/folders.js";
import { namedInShim } from "../hosts/claude-code/install/own-entries.js";
import { singleQuote } from "../model/shell-quote.js";
import { replaceFile } from "../project/replace-file.js";

export interface OwnProgram {
  /** The program that entries, shim and server start. */
  script: string;
  copy?: { from: string; to: string };
}

/**
 * A package manager may remove or replace what lies in `node_modules` any day, so such a program is copied and the copy
 * is registered. A checkout is registered where it is.
 */
export function programToRegister(home: string): OwnProgram {
  const script = realpathSync(process.argv[1]!);
  if (!/[\\/](?:_npx|node_modules)[\\/]/.test(script)) return { script };
  const from = dirname(script);
  const to = join(home, "versions", version, "dist");
  const copied = join(to, "interlock.cjs");
  return sameFiles(from, to) ? { script: copied } : { script: copied, copy: { from, to } };
}

function sameFiles(from: string, to: string): boolean {
  if (!existsSync(to)) return false;
  return readdirSync(from, { recursive: true, encoding: "utf8" }).every((name) => {
    const [file, copy] = [join(from, name), join(to, name)];
    if (name.endsWith(".map") || statSync(file).isDirectory()) return true;
    return existsSync(copy) && readFileSync(file).equals(readFileSync(copy));
  });
}

export function copyProgram({ from, to }: { from: string; to: string }): void {
  const draft = `${to}.${process.pid}`;
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  cpSync(from, draft, { recursive: true, filter: (name) => !name.endsWith(".map") });
  rmSync(to, { recursive: true, force: true });
  renameSync(draft, to);
}

export const launcherPath = (home: string): string => join(home, "bin", "interlock");

export interface LaunchedProgram {
  home: string;
  node: string;
  script: string;
}

/** What the entry starts first: knows where the program is on this machine, and prefers the shim for events. */
export const launcherText = ({ home, node, script }: LaunchedProgram): string => `#!/bin/sh
# Starts Interlock; written by interlock init for hook entries that name no path of this machine.
node=${singleQuote(node)}
script=${singleQuote(script)}
home=${singleQuote(home)}
[ -x "$node" ] || node=node
if [ ! -f "$script" ]; then
  echo "Interlock's program is gone ($script). Run: npx agent-interlock init" >&2
  echo "To go on without it, delete the entries with 'hook claude-code' from .claude/settings*.json" >&2
  exit 2
fi
[ "$1" = hook ] || exec "$node" "$script" "$@"
# At the start of a session the program also starts the server; the shim answers every other event faster.
[ "$4" = SessionStart ] || [ ! -f "$home/bin/interlock.sh" ] || exec /bin/sh "$home/bin/interlock.sh" "$@"
exec "$node" "$script" "$@" --home "$home"
`;

export const launcherInPlace = (program: LaunchedProgram): boolean =>
  existsSync(launcherPath(program.home)) && readFileSync(launcherPath(program.home), "utf8") === launcherText(program);

export function writeLauncher(program: LaunchedProgram): void {
  const path = launcherPath(program.home);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, launcherText(program), 0o700);
  chmodSync(path, 0o700);
}

/** The program a team entry starts here, found in the order of its own search; undefined where there is none. */
export function teamProgram(home: string, root: string, path = process.env["PATH"] ?? ""): string | undefined {
  const launcher = launcherPath(home);
  const script = existsSync(launcher) ? namedInShim(readFileSync(launcher, "utf8"), "script") : undefined;
  if (script !== undefined) return script;
  const folders = [...path.split(delimiter), join(root, "node_modules", ".bin")];
  return folders.map((folder) => join(folder, "agent-interlock")).find((file) => existsSync(file));
}
