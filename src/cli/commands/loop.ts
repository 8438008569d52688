// interlock loop: the loop of a big task, for agent and person; every change is recorded.

import type { DisciplineOptions } from "../../packs/discipline/discipline-options.js";
import {
  beginLoop,
  finishLoop,
  type LoopAnswer,
  logIteration,
  loopOf,
  tickCriterion,
} from "../../packs/discipline/state-commands.js";
import { loopReport } from "../../packs/discipline/state-reports.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { openHere, printJson } from "../lib/current-project.js";
import { recordSlices, stateWithWords, textWithWords, wordKeeper } from "../lib/state-write.js";
import { say, sayError } from "../lib/wrap.js";

export const usage = `Usage: interlock loop start "<task>" --criterion "<what must hold>" [--criterion ...] [--max <n>]
       interlock loop check <number>
       interlock loop log "<action>" "<result>"
       interlock loop status | complete | cancel      [--json]
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    { criterion: "texts", max: "text", json: "flag", cwd: "text", home: "text" },
    usage,
    "words",
  );
  const [verb = "status", ...rest] = words;
  checkWords(verb, rest, values.criterion ?? []);
  const { store, settings } = await openHere(values);
  const configured = (settings.config.packs["discipline"]!.options as unknown as DisciplineOptions).loop.maxIterations;
  const max = values.max === undefined ? configured : Number(values.max);
  if (!Number.isInteger(max) || max < 1 || max > configured)
    throw new UsageError(`--max is a number from 1 to ${configured}\n${usage}`);
  const now = Date.now();
  const criteria = (values.criterion ?? []).filter((c) => c.trim());
  const { words: kept, keep } = wordKeeper(store);
  const short = (text: string) => keep(text.slice(0, 200));
  const step = (state: Parameters<typeof loopOf>[0]): LoopAnswer | undefined => {
    if (verb === "start") return beginLoop(state, short(rest.join(" ")), criteria.map(short), max, now);
    if (verb === "check") return tickCriterion(state, Number(rest[0]), now);
    if (verb === "log") return logIteration(state, short(rest[0]!), short(rest[1]!), now);
    if (verb === "complete" || verb === "cancel")
      return finishLoop(state, verb === "complete" ? "completed" : "cancelled", now);
    return undefined;
  };
  const answer =
    verb === "status"
      ? undefined
      : recordSlices(store, "loop", { verb, words: rest.slice(0, 2) }, (state) => step(state)!, kept);
  const state = loopOf(stateWithWords(store));
  const says = textWithWords(store, answer?.says ?? "");
  if (values.json) printJson({ ok: answer?.ok ?? true, says, loop: state.active ?? null });
  else {
    if (answer) (answer.ok ? say : sayError)(says);
    if (!answer || verb === "start") say(loopReport(state, now));
  }
  return answer && !answer.ok ? 1 : 0;
}

const most: Readonly<Record<string, number>> = { start: 100, check: 1, log: 2, status: 0, complete: 0, cancel: 0 };

function checkWords(verb: string, rest: readonly string[], criteria: readonly string[]): void {
  if (!Object.hasOwn(most, verb)) throw unknownWord("unknown: loop", verb, Object.keys(most), usage);
  atMost(rest, most[verb]!, usage);
  if (verb === "start" && !(rest.join("").trim() && criteria.some((c) => c.trim())))
    throw new UsageError(`a loop needs a task and at least one --criterion "<what must hold>"\n${usage}`);
  if (verb === "check" && !/^[1-9]\d*$/.test(rest[0] ?? ""))
    throw new UsageError(`say which criterion by its number, as \`interlock loop status\` lists them\n${usage}`);
  if (verb === "log" && !(rest[0]?.trim() && rest[1]?.trim()))
    throw new UsageError(`say what was done and what came of it\n${usage}`);
}
