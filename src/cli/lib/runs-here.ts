// The project whose runs a command is about, and errors that name the remedy.
import { join } from "node:path";
import { interlockHome } from "../../hook/folders.js";
import { keyOf } from "../../hook/open-project.js";
import { sha256 } from "../../model/sha256.js";
import { kitFolder } from "../../packs/kits/uses-kits.js";
import { identify } from "../../project/identify.js";
import type { RunRecords } from "../../runs/run.js";
import { signedRunRecords } from "../../runs/signed-records.js";
import { findRun } from "../../runs/story.js";
import { openStore } from "../../store/index.js";
import { canonical } from "../../store/ledger/canonical-json.js";
import { UsageError } from "./args.js";

export const runsProjectRoot = (values: { cwd?: string }): string => identify(values.cwd ?? process.cwd()).root;

/** The one place where commands choose which records of runs they believe: those signed in Interlock's folder. */
export function runRecordsHere(project: string, home = interlockHome(process.env)): RunRecords {
  const { id, root } = identify(project);
  return signedRunRecords({
    project,
    folder: join(kitFolder(join(home, "projects", id)), "runs"),
    key: () => keyOf(home),
    announce(record) {
      const { run_id, kit, phase, parent_run_id, request_id, depth } = record;
      const body = { run: run_id, kit, phase, parent: parent_run_id, request: request_id, depth };
      openStore({ home, id, label: root }).append(({ condition }) => {
        if (condition.locked) throw new Error("Interlock's record is damaged; run: interlock verify");
        return { type: "kit-run", body: { ...body, sha256: sha256(canonical(record)) } };
      });
    },
  });
}

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
