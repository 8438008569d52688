// The project whose runs a command is about, and errors that name the remedy.
import { identify } from "../../project/identify.js";
import { fileRunRecords, type RunRecords } from "../../runs/run.js";
import { findRun } from "../../runs/story.js";
import { UsageError } from "./args.js";

export const runsProjectRoot = (values: { cwd?: string }): string => identify(values.cwd ?? process.cwd()).root;

/** The one place where commands choose which records of runs they believe. */
export const runRecordsHere = (project: string): RunRecords => fileRunRecords(project);

/** The full id of the run a person named. */
export function namedRun(project: string, given: string | undefined, usage: string): string {
  if (given === undefined) throw new UsageError(`say which run: an id, the beginning of one, or last\n${usage}`);
  const found = findRun(project, given);
  if (Array.isArray(found))
    throw new UsageError(
      `"${given}" may be ${found.slice(0, 4).join(", ")}${found.length > 4 ? " or others" : ""}; say more of it`,
    );
  if (found === undefined)
    throw new UsageError(`there is no run "${given}" in ${project}; list them: interlock run list`);
  return found;
}

/** A whole number of at least 1, from an option. */
export function countOption(name: string, text: string | undefined, usage: string): number | undefined {
  if (text === undefined) return undefined;
  const n = Number(text);
  if (!Number.isSafeInteger(n) || n < 1)
    throw new UsageError(`--${name} wants a whole number, not "${text}"\n${usage}`);
  return n;
}
