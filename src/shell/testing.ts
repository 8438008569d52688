// For table tests of whole commands: a command line in, its effects as short strings out.
// Invariant: paths below the project /p are shown relative; every effect leaves exactly one line.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Effect } from "../model/effect.js";
import { hazardName } from "../model/hazards.js";
import { analyse, type ShellContext } from "./index.js";

export const project: ShellContext = { cwd: "/p", home: "/home/u", root: "/p" };

export function short(effect: Effect): string {
  const path =
    effect.path === undefined ? (effect.within ? `${inProject(effect.within)}/?` : "?") : inProject(effect.path);
  const hazard = effect.hazard ? ` !${effect.hazard.class}:${effect.hazard.level}:${hazardName(effect.hazard)}` : "";
  const marks = `${effect.recursive ? " recursive" : ""}${effect.noVerify ? " no-verify" : ""}${hazard}`;
  switch (effect.kind) {
    case "read":
    case "write":
    case "delete":
      return `${effect.kind} ${path}${marks}`;
    case "commit":
      return `commit${way(effect)} ${effect.message === undefined ? "?" : JSON.stringify(effect.message)}${marks}`;
    case "push":
    case "rewrite-history":
      return `${effect.kind}${way(effect)}${effect.refs ? ` ${effect.refs.join(",")}` : ""}${marks}`;
    case "network":
      return `network ${effect.host ?? "?"}${effect.upload ? " upload" : ""}${marks}`;
    case "exec":
      return `exec ${effect.program ?? "?"}${marks}`;
    default:
      return `${effect.kind}${marks}`;
  }
}

const way = ({ program, how }: Effect): string => [program, how].flatMap((word) => (word ? ` ${word}` : [])).join("");

function inProject(path: string): string {
  if (path === "/p") return ".";
  return path.startsWith("/p/") ? path.slice(3) : path;
}

export type CommandRow = readonly [command: string, effects: readonly string[], context?: Partial<ShellContext>];

/** One test a row: the effects in any order, repeated ones counted once. */
export function commandTable(title: string, rows: readonly CommandRow[]): void {
  for (const [command, expected, context] of rows)
    test(`${title}: ${command.replaceAll("\n", "\\n").slice(0, 120)}`, () => {
      const { effects } = analyse(command, { ...project, ...context });
      assert.deepEqual([...new Set(effects.map(short))].sort(), [...expected].sort());
    });
}
