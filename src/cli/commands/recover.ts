// interlock recover: a person accepts damage to the record and gives the reason; the loss stays recorded.
import { verify } from "../../store/verify/verify.js";
import { parseOptions, UsageError } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { withProgress } from "../lib/progress.js";
import { say } from "../lib/wrap.js";

export const usage = 'Usage: interlock recover --reason "<what happened>" [--json]\n';

export async function run(args: string[]): Promise<number> {
  const { values } = parseOptions(args, { reason: "text", json: "flag", cwd: "text", home: "text" }, usage);
  if (!values.reason?.trim()) throw new UsageError(`a reason is needed: it goes in the record\n${usage}`);
  const { store } = await openHere(values);
  const { condition } = store.read();
  const isWhole = () => !condition.tampered && !condition.locked && verify(store.place).verdict === "intact";
  if (await withProgress("checking the record", isWhole)) {
    if (values.json) printJson({ recovered: false, why: "nothing is damaged" });
    else say("Nothing to recover: the record is whole.");
    return 0;
  }
  const by = person(values.json);
  if (by === undefined) return 1;
  const { record } = store.recover(values.reason, by);
  if (values.json) printJson({ recovered: true, seq: record.seq, findings: condition.findings });
  else say(`Recovered. Record ${record.seq} says what was found and why you went on. Check with: interlock verify`);
  return 0;
}
