// The commits a command would make in this repository, each with its message as far as it can be known.
// Invariant: a message that can't be known is marked, never taken for an empty or a valid one.
import type { Facts } from "../../facts/index.js";
import type { CommitCall } from "../../model/commit-call.js";
import { identify } from "../../project/identify.js";
import { askGit } from "../../project/run-git.js";
import { readSredMessage, type SredMessage } from "../../sred/message.js";

export interface JudgedCommit {
  call: CommitCall;
  /** The work tree it is made in. */
  root: string;
  /** The message, or the known part of it. */
  text?: string;
  /** Nothing of the message is missing in `text`. */
  whole: boolean;
  message?: SredMessage;
}

export const judgedCommits = (facts: Facts): readonly JudgedCommit[] =>
  facts.once("sred commits", () => (facts.shell?.commitCalls ?? []).flatMap((call) => judgedCommit(facts, call) ?? []));

function judgedCommit(facts: Facts, call: CommitCall): JudgedCommit | undefined {
  const { project } = facts.world;
  const repository = identify(call.repo ?? facts.event.cwd);
  // Another repository has its own settings: this one's rules do not hold there.
  if (repository.commonDir === undefined || repository.commonDir !== project.commonDir) return undefined;
  const { root } = repository;
  const known = call.message ?? messageElsewhere(facts, root, call);
  const text = known ?? call.partial ?? call.trailers?.join("\n");
  return {
    call,
    root,
    whole: known !== undefined,
    ...(text !== undefined && { text, message: readSredMessage(text) }),
  };
}

/** The message is in a file outside the project, or it is another commit's. */
function messageElsewhere(facts: Facts, root: string, call: CommitCall): string | undefined {
  const text =
    call.unknown === "file" && call.file !== undefined
      ? unlessWritten(facts, call.file)
      : call.unknown === "reused" && call.reused !== undefined && !call.reused.startsWith("-")
        ? askGit(root, ["log", "-1", "--format=%B", "--no-show-signature", call.reused, "--"])
            ?.toString("utf8")
            .trimEnd()
        : undefined;
  return text === undefined || !call.trailers ? text : `${text}\n\n${call.trailers.join("\n")}`;
}

/** A file that the same command writes does not hold yet what git will read. */
function unlessWritten(facts: Facts, path: string): string | undefined {
  const changed = facts.effects.some((e) => (e.kind === "write" || e.kind === "delete") && e.path === path);
  return changed ? undefined : facts.world.project.read(path);
}
