// Whether a person is at the terminal, and their answer to a question.
// Invariant: commands reserved for a person ask here; `--yes` answers the question, it does not stand in for a person.
import { createInterface } from "node:readline/promises";
import { type Need, whoAsks } from "../../person/terminal.js";
import { printJson } from "./current-project.js";
import { sayError } from "./wrap.js";

/** The name of the person who asks; undefined if it is no person, after saying so. */
export function person(json: boolean | undefined, need: Need = "terminal"): string | undefined {
  const asker = whoAsks(need);
  if (asker.person) return asker.by;
  if (json) printJson({ refused: true, why: asker.why });
  else sayError(`interlock: only a person may do this: ${asker.why}.`);
  return undefined;
}

export async function confirm(question: string, yes = false): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    sayError(`${question} There is no terminal to ask; run again with --yes to agree.`);
    return false;
  }
  const line = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and the end of input close it; the question itself would then never be answered.
  const closed = new Promise<string>((resolve) => line.once("close", () => resolve("\n")));
  const answer = await Promise.race([line.question(`${question} [y/N] `), closed]);
  line.close();
  if (answer === "\n") process.stderr.write("\n");
  return /^y(es)?$/i.test(answer.trim());
}

/** After a question that was not answered with yes. */
export function notDone(json: boolean | undefined): number {
  if (json) printJson({ applied: false, why: "not confirmed; --yes agrees" });
  else sayError("Nothing was changed.");
  return 1;
}
