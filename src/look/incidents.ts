// What a judged call amounts to, beyond the opinions of gates: commits on main, deletes outside, loops on one error.
// Invariant: derived from the engine's facts, never from the text of a command.
import { belowRoot, scratch } from "../facts/changes.js";
import type { Facts } from "../facts/index.js";
import { mainBranches } from "../model/branches.js";
import { isStreamPath } from "../shell/analyze/paths.js";
import type { CallStep } from "./steps.js";

/** The main branch a call commits to; undefined where it does not, or where that can't be told. */
export function committedBranch(call: CallStep, { shell, world, event }: Facts): string | undefined {
  if (!shell?.commits.length || !mainBranches.some((name) => name === call.branch)) return undefined;
  const here = shell.commits.some(({ repo }) => {
    const at = repo ?? event.cwd;
    return at === event.cwd || belowRoot(world.project.root, at) !== undefined;
  });
  return here && !shell.commands.some(movesBranch) ? call.branch : undefined;
}

/** A command that leaves the branch the row was noted on. */
function movesBranch({ program, argv }: { program: string; argv: readonly (string | undefined)[] }): boolean {
  if (program !== "git") return false;
  const verb = argv.findIndex((word) => word === "checkout" || word === "switch" || word === "worktree");
  // `git checkout -- file` stays where it is.
  return verb >= 0 && argv[verb + 1] !== "--";
}

/** Paths outside the project that a call deletes; scratch files and moves are none. */
export function deletedOutside(facts: Facts): string[] {
  const { project, userHome } = facts.world;
  const found = facts.effects.flatMap((effect) => {
    if (effect.kind !== "delete" || effect.how === "move" || effect.path === undefined) return [];
    const { path } = effect;
    const below = belowRoot(project.root, path);
    if (below !== undefined || isStreamPath(path)) return [];
    return isScratch(path, userHome) ? [] : [path];
  });
  return [...new Set(found)];
}

/** Temporary folders, those of macOS included whatever system looks. */
export const isScratch = (path: string, userHome: string): boolean =>
  scratch({ kind: "write", path, shown: path, reason: "" }, userHome) || /^(?:\/private)?\/var\/folders\//.test(path);

/** Folders and files a call makes, so that removing them later is no surprise. */
export const writtenPaths = (facts: Facts): string[] =>
  facts.effects.flatMap((effect) => (effect.kind === "write" && effect.path !== undefined ? [effect.path] : []));

const loopLength = 3;
const loopWindow = 30 * 60_000;

interface Repeated {
  count: number;
  last: number;
  agent: string;
  command: string;
  runner: string | undefined;
}

/** Failures by signature. The same one three times within half an hour, with no success between, is a loop. */
export class ErrorLoops {
  readonly #open = new Map<string, Repeated>();

  /** The length of the loop this result belongs to; undefined where it is none. */
  add(call: CallStep, { failure, run, event }: Facts): number | undefined {
    const agent = call.agent ?? "";
    const command = event.tool?.command?.trim() ?? "";
    if (!failure) {
      for (const [key, open] of this.#open)
        if (open.agent === agent && endedBy(open, command, run?.ok === true ? run.runner : undefined))
          this.#open.delete(key);
      return undefined;
    }
    if (event.tool!.kind === "read" || event.tool!.kind === "search" || event.tool!.kind === "web") return undefined;
    const key = `${agent} ${failure.signature}`;
    const before = this.#open.get(key);
    const count = before && call.time - before.last <= loopWindow ? before.count + 1 : 1;
    this.#open.set(key, { count, last: call.time, agent, command, runner: run?.runner });
    return count >= loopLength ? count : undefined;
  }
}

const endedBy = (open: Repeated, command: string, runner: string | undefined): boolean =>
  (command !== "" && open.command === command) || (runner !== undefined && open.runner === runner);

/** What each agent has seen of which files: read, written, or named in a result. */
export class SeenFiles {
  readonly #paths = new Set<string>();
  readonly #results: { agent: string; text: string }[] = [];
  #kept = 0;

  saw(agent: string | undefined, path: string): void {
    this.#paths.add(`${agent ?? ""} ${path}`);
  }

  /** A result in which files may be named with their lines: of a search, or of a shell command. */
  result(agent: string | undefined, text: string): void {
    if (text.length < 3 || this.#kept > mostKept) return;
    this.#kept += text.length;
    this.#results.push({ agent: agent ?? "", text });
  }

  /** Whether the agent has met the file: under its path, or the part of it below the project. */
  has(agent: string | undefined, path: string, below: string | undefined): boolean {
    const own = agent ?? "";
    if (this.#paths.has(`${own} ${path}`)) return true;
    const short = below ?? path;
    const found = this.#results.some((result) => result.agent === own && result.text.includes(short));
    if (found) this.saw(agent, path);
    return found;
  }
}

/** Characters of results kept per session. */
const mostKept = 64 << 20;

/** Files a call changes in place, which therefore exist: sed -i and its like. */
export const editedInPlace = (facts: Facts): string[] =>
  facts.effects.flatMap((e) =>
    e.kind === "read" && e.how === "edit" && e.path !== undefined && !e.glob ? [e.path] : [],
  );
