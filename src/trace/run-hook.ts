// One of our git hooks, as git runs it: from the top of a work tree, with or without GIT_DIR.
// Invariant: never throws and never fails; what went wrong is one line on standard error.
import { resolve } from "node:path";
import { inert } from "../model/text.js";
import { finishMessage, prepareMessage } from "./commit-message.js";
import { type CommitPlace, finaliseCommit } from "./finalise.js";
import type { TraceHook } from "./git-hooks.js";
import { carryOverNotes, parseRewritten } from "./rewrite.js";

export async function runTraceHook(
  place: CommitPlace,
  hook: TraceHook,
  args: readonly string[],
  input: () => string,
  now: number,
): Promise<void> {
  switch (hook) {
    case "post-commit":
      await finaliseCommit(place, "HEAD", now);
      return;
    case "post-rewrite":
      await carryOverNotes(place, parseRewritten(input()), now);
      return;
    case "prepare-commit-msg":
      if (args[0]) await prepareMessage(place, args[0], args[1] ?? "");
      return;
    case "commit-msg":
      if (args[0]) await finishMessage(place, args[0]);
      return;
  }
}

/** The variables by which git told the hook where its repository is. */
export function hookEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR"])
    if (env[name]) found[name] = resolve(cwd, env[name]);
  if (found["GIT_DIR"] && !found["GIT_WORK_TREE"]) found["GIT_WORK_TREE"] = cwd;
  return found;
}

export const hookTrouble = (hook: string, error: unknown): string =>
  `interlock: ${hook}: attribution was not updated ` +
  `(${inert(error instanceof Error ? error.message : String(error), 160)}). ` +
  "Repair it later: interlock trace reconcile";
