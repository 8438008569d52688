// interlock feedback: a person says whether a refusal was right or wrong; `interlock discipline metrics` counts.
// Invariant: only from a person's own terminal; the newest word on a verdict counts, and each is a record.
import type { JsonObject } from "../../model/json.js";
import { type FeedbackState, feedbackKey, feedbackOf } from "../../packs/discipline/session/feedback.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { recordSlices } from "../lib/state-write.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock feedback <verdict-id> right|wrong [--reason "<why>"] [--json]

  Says whether a refusal was right. Nothing is allowed or changed by it; the figures are in
  interlock discipline metrics. It has to be typed by a person, in a terminal that is not the agent's.
  For example: interlock feedback v-12 wrong --reason "the tests had been run"
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    { reason: "text", json: "flag", cwd: "text", home: "text" },
    usage,
    "words",
  );
  const [given, said] = words;
  atMost(words, 2, usage);
  if (!given) throw new UsageError(`which verdict?\n${usage}`);
  if (!said) throw new UsageError(`was it right or wrong?\n${usage}`);
  if (said !== "right" && said !== "wrong") throw unknownWord("unknown word", said, ["right", "wrong"], usage);
  const id = /^\d+$/.test(given) ? `v-${given}` : given.toLowerCase();
  const by = person(values.json);
  if (by === undefined) return 1;
  const { store } = await openHere(values);
  const verdict = store.find(id)?.body["verdict"] as JsonObject | undefined;
  const gate = typeof verdict?.["gate"] === "string" ? verdict["gate"] : undefined;
  const problem = !verdict
    ? `no verdict ${id.slice(0, 20)} in this project's record. \`interlock status\` lists the latest`
    : gate === undefined
      ? `${id} refused nothing; only a refusal can be right or wrong`
      : undefined;
  if (problem) {
    if (values.json) printJson({ recorded: false, why: problem });
    else sayError(`interlock: ${problem}.`);
    return 1;
  }
  const reason = values.reason?.trim().slice(0, 300);
  const body = { verdict: id, gate: gate!, said, by, ...(reason && { reason }) };
  const done = recordSlices(store, "feedback", body, (state) => {
    const next: FeedbackState = structuredClone(feedbackOf(state));
    next.verdicts[id] = { gate: gate!, said, at: Date.now() };
    return { next: { [feedbackKey]: next } };
  });
  const all = Object.values(done.next[feedbackKey]!.verdicts).filter((v) => v.gate === gate);
  const wrong = all.filter((v) => v.said === "wrong").length;
  if (values.json) printJson({ recorded: true, ...body, ofGate: { right: all.length - wrong, wrong } });
  else say(`Noted: ${id} was ${said}. ${gate}: ${all.length - wrong} right, ${wrong} wrong so far.`);
  return 0;
}
