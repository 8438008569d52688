// What a call changes, whatever tool it uses, in the terms of process gates: files, commits, or what can't be known.
// Invariant: writing to a stream and running tests are no changes; a call we can't see into is `unknown`,
// unless its name says that it only reads.
import { join, relative, sep } from "node:path";
import type { Effect, UnknownEffect } from "../model/effect.js";
import { os } from "../project/node-builtins.js";
import { isStreamPath } from "../shell/analyze/paths.js";
import { readsByName, writesByName } from "./effects.js";
import type { Facts } from "./index.js";
import { setOf } from "./lazy-pattern.js";
import { surprises } from "./observed-changes.js";
import { type ProgramCall, runnerOf } from "./test-runners.js";

export interface Change {
  kind: "write" | "delete" | "commit" | "push" | "unknown";
  /** Absolute; undefined when it can't be known. */
  path?: string;
  /** Path below the project root with forward slashes, when it lies there. */
  below?: string;
  /** The path is a pattern or stands for everything below it. */
  broad?: boolean;
  /** write, delete: the shell program that does it, or "redirection". */
  by?: string;
  /** Git puts committed content in place (pull, merge, rebase, switch); nothing of it is new. */
  committed?: boolean;
  /** unknown: the programs that make it so, when only they do. */
  programs?: readonly ProgramCall[];
  /** unknown: a program on the command line that loads modules and calls them, and does nothing else unknown. */
  loads?: boolean;
  /** For people: the path below the root, the server's tool, the command. */
  shown: string;
  reason: string;
}

export function changesOf(facts: Facts): Change[] {
  const { tool } = facts.event;
  if (!tool) return [];
  const predicted =
    tool.kind === "mcp" ? mcpChanges(facts) : facts.effects.flatMap((effect) => changeOf(facts, effect));
  return [...predicted, ...foundAfterwards(facts)];
}

/** Unpredicted changes of project files, found after the call; what a test run leaves behind does not count. */
function foundAfterwards(facts: Facts): Change[] {
  if (!facts.observed || facts.run) return [];
  return surprises(facts.observed).flatMap(({ path, op }) => {
    const below = path.endsWith("/") ? undefined : belowRoot(facts.world.project.root, path);
    if (below === undefined || below.startsWith(".git/")) return [];
    return [
      { kind: op === "deleted" ? "delete" : "write", path, below, shown: below, reason: `${op} while the call ran` },
    ];
  });
}

function changeOf(facts: Facts, effect: Effect): Change[] {
  const { kind, reason } = effect;
  if (kind === "commit" || kind === "push") return [{ kind, shown: kind, reason }];
  if (kind === "rewrite-history")
    return [
      {
        kind: "unknown",
        shown: `rewriting history (${reason})`,
        reason,
        ...(keepsContent.has(effect.how ?? "") && { committed: true }),
      },
    ];
  if (kind === "unknown") return unknownChange(facts, effect);
  if (kind !== "write" && kind !== "delete") return [];
  const by = effect.by === undefined ? {} : { by: effect.by };
  if (effect.path === undefined) {
    const { within } = effect;
    // What mktemp made up, wherever it lies in the temporary folder.
    if (within !== undefined && isTemporary(within) && belowRoot(within, facts.world.project.root) === undefined)
      return [];
    return [{ kind, ...by, shown: effect.word ?? "an unknown path", reason }];
  }
  const path = effect.glob ? effect.path : facts.canonical(effect.path).path;
  if (isStreamPath(path)) return [];
  const below = belowRoot(facts.world.project.root, path);
  const broad = effect.glob === true || effect.recursive === true;
  // Without --force, git removes another worktree only when nothing in it would be lost.
  const keeps = onlyMoves(facts) || (kind === "delete" && below === undefined);
  return [
    {
      kind,
      path,
      ...by,
      ...(below !== undefined && { below }),
      ...(broad && { broad }),
      ...(effect.how === "git" && effect.recursive && !effect.hazard && keeps && { committed: true }),
      shown: below ?? path,
      reason,
    },
  ];
}

/** The unknown word is this whole call as it was written. */
const spells = ({ program, argv }: ProgramCall, { word }: UnknownEffect): boolean =>
  word !== undefined &&
  new RegExp(`^(?:\\w+=\\S*\\s+)*${program.replace(/[^\w-]/g, "\\$&")}\\s`).test(word) &&
  word.includes(argv[0] ?? "");

const moving = setOf("pull merge rebase checkout switch cherry-pick revert");
const besides = setOf("status log diff show fetch add commit push branch remote rev-parse tag describe stash config");

/** Whether the call's git commands only put commits in place; what was set aside by the same call may come back. */
function onlyMoves({ shell }: Facts): boolean {
  const calls = (shell?.commands ?? []).filter((c) => c.program === "git").map((c) => c.argv.map((w) => w ?? ""));
  const verbs = calls.map((argv) => argv.find((w) => !w.startsWith("-")) ?? "");
  const brought = calls.findIndex((argv) => argv.includes("stash") && /^(?:pop|apply)$/.test(argv.at(-1) ?? ""));
  const aside = calls.findIndex(
    (argv) => argv.includes("stash") && !/^(?:pop|apply|list|show)$/.test(argv.at(-1) ?? ""),
  );
  return (
    verbs.some((v) => moving.has(v)) &&
    verbs.every((v) => moving.has(v) || besides.has(v)) &&
    (brought < 0 || (aside >= 0 && aside < brought))
  );
}

/** Rewrites that give commits another place or take a name away, and leave every file as some commit has it. */
const keepsContent = new Set(["rebase", "reset-soft", "reset-mixed", "delete-branch", "delete-tag"]);

/** `mise run lint` names a task of the project, not a program called lint. */
const isCheckTask = (task: ProgramCall, { shell, world }: Facts): boolean =>
  task.path === undefined &&
  shell!.commands.some(
    (c) => c.argv[0] === "run" && c.argv[1] === task.program && runnerOf(c, world.project.root) !== undefined,
  );

function unknownChange(facts: Facts, effect: UnknownEffect): Change[] {
  const shown = effect.word ?? effect.program ?? facts.event.tool!.command?.slice(0, 80) ?? facts.event.tool!.name;
  const named = facts.shell?.commands.filter((c) => c.program === effect.program) ?? [];
  const { root } = facts.world.project;
  const runs = (p: ProgramCall) => runnerOf(p, root) !== undefined || isCheckTask(p, facts);
  if (named.length && named.every(runs)) return [];
  // A program called by its path is known by that, not by its name alone.
  const called = facts.shell?.commands.filter((c) => c.path !== undefined && effect.word?.endsWith(c.program)) ?? [];
  const programs = named.length
    ? named
    : called.length
      ? called
      : (facts.shell?.commands.filter((c) => spells(c, effect)) ?? []);
  if (programs.length && programs.every((p) => runnerOf(p, root))) return [];
  const loads = effect.loads ? { loads: true } : {};
  return [{ kind: "unknown", shown, reason: effect.reason, ...(programs.length && { programs }), ...loads }];
}

const temporary = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"];

/** Scratch files: below a temporary folder or the agent's own notes, and not below the project. */
export function scratch(change: Change, userHome: string): boolean {
  const { path, below } = change;
  if (path === undefined || below !== undefined) return false;
  const notes = [join(userHome, ".claude", "plans"), join(userHome, ".claude", "todos")];
  const inside = (folder: string) => path.startsWith(`${folder}/`);
  return [...temporary, ...notes].some(inside) || inside(os().tmpdir());
}

const isTemporary = (folder: string): boolean =>
  [...temporary, os().tmpdir()].some((t) => folder === t || folder.startsWith(`${t}/`));

/** The path below a root with forward slashes; undefined when it is not below it. */
export function belowRoot(root: string, path: string): string | undefined {
  // Nearly always: a plain path, written below the root, needs no arithmetic.
  if (sep === "/" && path.startsWith(`${root}/`) && !/\/(?:\.|\/|$)/.test(path)) return path.slice(root.length + 1);
  const short = relative(root, path);
  if (short === "") return ".";
  return short === ".." || short.startsWith(`..${sep}`) || short.startsWith("/")
    ? undefined
    : short.split(sep).join("/");
}

/** Servers that drive a browser: what their tools change is a page. */
const browser = /(?:^|[_-])(?:browser|chrome|playwright|puppeteer|devtools|selenium)/i;

/** An undeclared server is judged by the verb in its tool's name; a verb of change anywhere in the name wins. */
function mcpChanges({ event, effects }: Facts): Change[] {
  const { mcp, name } = event.tool!;
  const shown = mcp ? `${mcp.server}/${mcp.tool}` : name;
  const [effect] = effects;
  if (!effect || effect.kind === "read") return [];
  const named = writesByName(mcp?.tool ?? "");
  if (effect.kind === "unknown" && mcp && (readsByName(mcp.tool) || browser.test(mcp.server))) return [];
  return [{ kind: effect.kind === "write" || named ? "write" : "unknown", shown, reason: effect.reason }];
}
