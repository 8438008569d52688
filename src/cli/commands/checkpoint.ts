// interlock checkpoint: the newest record as a commit trailer, so that every push and clone confirms the history.

import { realIo } from "../../store/io.js";
import { readKey } from "../../store/key/signing-key.js";
import { checkpoint, checkpointTrailer } from "../../store/verify/checkpoints.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";

export const usage = `Usage: interlock checkpoint [--json]
Use it when committing:   git commit --trailer "$(interlock checkpoint)"
Or in .git/hooks/prepare-commit-msg:
  git interpret-trailers --in-place --if-exists replace --trailer "$(interlock checkpoint)" "$1"
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { json: "flag", cwd: "text", home: "text" }, usage);
  const { store } = await openHere(values);
  const key = readKey(realIo, store.place.home);
  const snapshot = store.read();
  if (!key || key === "bad" || snapshot.seq === 0) throw new UsageError("nothing has been recorded here yet\n");
  const value = checkpoint(snapshot, key, store.place.id);
  if (values.json) printJson({ checkpoint: value, trailer: `${checkpointTrailer}: ${value}` });
  else console.log(`${checkpointTrailer}: ${value}`);
  return 0;
}
