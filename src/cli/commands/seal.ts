// interlock seal: signs the record forward, so that its past cannot be rewritten with the keys on this machine.
// The seed that verifies it is shown once.
import { parseOptions } from "../lib/args.js";
import { confirm, notDone, person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock seal [--yes] [--json]

  --yes   do not ask; needed where there is no terminal
`;

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { yes: "flag", json: "flag", cwd: "text", home: "text" }, usage);
  if (person(values.json, "script") === undefined) return 1;
  sayError("Earlier keys are destroyed, and the seed that verifies the record is shown once.");
  if (!(await confirm("Seal the record from here on?", values.yes))) return notDone(values.json);
  const { store } = await openHere(values);
  const { seed, record } = store.seal();
  if (values.json) {
    printJson({ sealed: true, seed, seq: record.seq });
    return 0;
  }
  say(`Sealed from record ${record.seq} on. Each segment gets a key of its own; earlier ones are destroyed.

  ${seed}

Keep this seed away from this machine: it is shown once and stored nowhere.
Check the whole record with it: interlock verify --seed <seed>`);
  return 0;
}
