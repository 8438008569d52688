// interlock discipline: the user's commands on the discipline pack.
// Invariant: what changes something needs a person at a terminal, and is recorded.

import { projectOf } from "../../engine/project-reader.js";
import { probeSession } from "../../facts/probe-session.js";
import type { JsonObject } from "../../model/json.js";
import type { FailureState } from "../../packs/discipline/breaker/failures-memory.js";
import type { DisciplineOptions } from "../../packs/discipline/discipline-options.js";
import type { PlanState } from "../../packs/discipline/plan/plan-memory.js";
import { type SafemodeState, safemodeState } from "../../packs/discipline/prompts/safemode-memory.js";
import { commitAtHead } from "../../packs/discipline/release/artifact.js";
import type { ResearchState } from "../../packs/discipline/research/research-memory.js";
import { metricsLines, validationMetrics } from "../../packs/discipline/session/feedback.js";
import { type HistoryState, historyState } from "../../packs/discipline/session/history-memory.js";
import { summaryLines } from "../../packs/discipline/session/session-summary.js";
import {
  approvePlan,
  clearRelease,
  finishStartup,
  loopOf,
  type NextSlices,
  resetBlocks,
  resetBreaker,
  resetResearch,
  sessionSlices,
  setSafemode,
} from "../../packs/discipline/state-commands.js";
import { breakerReport, loopReport, planReport, safemodeReport } from "../../packs/discipline/state-reports.js";
import type { WorkState } from "../../packs/discipline/verification/work-memory.js";
import type { Store } from "../../store/index.js";
import { atMost, parseOptions, UsageError, unknownWord } from "../lib/args.js";
import { person } from "../lib/confirm.js";
import { openHere, printJson } from "../lib/current-project.js";
import { shown } from "../lib/paint.js";
import { recordSlices, stateWithWords } from "../lib/state-write.js";
import { say } from "../lib/wrap.js";

export const usage = `Usage: interlock discipline status                     where everything stands
       interlock discipline safemode on|off          refuse every change / allow changes again
       interlock discipline breaker reset            close the circuit breaker
       interlock discipline research reset           ask for research again
       interlock discipline plan approve             approve the plan
       interlock discipline startup done             let start-up steps that can't be taken here count as taken
       interlock discipline blocks reset             forget how often the same call was refused
       interlock discipline clear <release rule>     clear the commit at hand for publication
       interlock discipline summary                  what the last sessions did and could do better
       interlock discipline metrics                  refusals right and wrong, doom loops and what they cost
       interlock discipline evidence                 the test runs on record
       interlock discipline log                      the last calls and what became of them
Options: --session <id> for one session, --json.
Commands that change something have to be typed in a terminal that is not the agent's.
`;

export async function run(args: string[]): Promise<number> {
  const { values, words } = parseOptions(
    args,
    { session: "text", json: "flag", cwd: "text", home: "text" },
    usage,
    "words",
  );
  const [topic = "status", verb] = words;
  const { store, settings, repository } = await openHere(values);
  const config = settings.config.packs["discipline"]!.options as unknown as DisciplineOptions;
  const now = Date.now();
  if (!Object.hasOwn(verbs, topic)) throw unknownWord("unknown: discipline", topic, Object.keys(verbs), usage);
  atMost(words, verbs[topic]!.length ? 2 : 1, usage);
  if (verbs[topic]!.length && !(verb && (topic === "clear" || verbs[topic]!.includes(verb))))
    throw new UsageError(`say: interlock discipline ${topic} ${verbs[topic]!.join("|")}\n${usage}`);
  if (topic === "status") return show(stateWithWords(store), now, values);
  if (topic === "summary") {
    const history = ((stateWithWords(store)["discipline/history"] as unknown) ?? historyState.initial) as HistoryState;
    if (values.json) printJson({ sessions: history.sessions, learnings: history.learnings });
    else say(summaryLines(history).join("\n"));
    return 0;
  }
  if (topic === "metrics") {
    const { state } = store.read();
    const history = ((state["discipline/history"] as unknown) ?? historyState.initial) as HistoryState;
    const metrics = validationMetrics(history, state as JsonObject);
    if (values.json) printJson({ metrics });
    else say(metricsLines(metrics).join("\n"));
    return 0;
  }
  if (topic === "evidence") return evidence(stateWithWords(store), values);
  if (topic === "log") return log(store, values.json);
  const change = changeFor();
  const by = person(values.json);
  if (by === undefined) return 1;
  const done = recordSlices(store, "command", { command: words.join(" ").slice(0, 100), by }, (state) => ({
    next: change(state, by),
  }));
  if (values.json) printJson({ changed: Object.keys(done.next) });
  else
    say(
      Object.keys(done.next).length
        ? `Done: ${words.join(" ")}.`
        : "Nothing to do: no session has anything of the kind.",
    );
  return 0;

  function changeFor(): (state: JsonObject, by: string) => NextSlices {
    if (topic === "safemode") return (state) => setSafemode(state, verb === "on", now);
    if (topic === "breaker") return (state) => resetBreaker(state, values.session);
    if (topic === "research") return (state) => resetResearch(state, values.session);
    if (topic === "blocks") return (state) => resetBlocks(state, values.session);
    if (topic === "plan") return (state) => approvePlan(state, values.session);
    if (topic === "startup") return (state) => finishStartup(state, config.startup.steps, values.session);
    const known = config.release.rules.map((r) => r.id);
    if (!known.length)
      throw new UsageError("there is no release rule: name one in packs.discipline.release of interlock.yaml");
    if (!known.includes(verb!)) throw new UsageError(`no release rule "${verb}"; known: ${known.join(", ")}`);
    const commit = commitAtHead(projectOf(repository));
    if (!commit) throw new UsageError("there is no commit to clear: commit first, then clear what was committed");
    return (state, by) => clearRelease(state, verb!, commit, now + config.release.clearanceHours * 3_600_000, by);
  }
}

/** The words each topic accepts; topics without any only show. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  status: [],
  summary: [],
  metrics: [],
  evidence: [],
  log: [],
  safemode: ["on", "off"],
  breaker: ["reset"],
  research: ["reset"],
  plan: ["approve"],
  startup: ["done"],
  blocks: ["reset"],
  clear: ["<release rule>"],
};

interface Wanted {
  session?: string;
  json?: boolean;
}

function show(state: JsonObject, now: number, { session: one, json }: Wanted): number {
  const safe = ((state["discipline/safe"] as unknown) ?? safemodeState.initial) as SafemodeState;
  const breakers = sessionSlices<FailureState>(state, "discipline/failures", one);
  const researched = sessionSlices<ResearchState>(state, "discipline/researched", one);
  const plans = sessionSlices<PlanState>(state, "discipline/planned", one);
  if (json) {
    printJson({
      safemode: safe,
      breakers: Object.fromEntries(breakers),
      research: Object.fromEntries(researched),
      plans: Object.fromEntries(plans),
      loop: loopOf(state).active ?? null,
    });
    return 0;
  }
  say(safemodeReport(safe, now));
  say(loopReport(loopOf(state), now));
  for (const [key, breaker] of breakers) say(`${session(key)} ${breakerReport(breaker, now)}`);
  for (const [key, r] of researched.filter(([key]) => !key.includes(`@${probeSession}`)))
    say(`${session(key)} Researched: ${Object.keys(r.marks["main"] ?? {}).join(", ") || "nothing yet"}.`);
  for (const [key, p] of plans) if (p.required) say(`${session(key)} ${planReport(p)}`);
  return 0;
}

function evidence(state: JsonObject, { session: one, json }: Wanted): number {
  const runs = sessionSlices<WorkState>(state, "discipline/work", one).flatMap(([key, w]) =>
    w.runs.map((r) => ({ session: session(key), ...r })),
  );
  if (json) printJson({ runs });
  else if (!runs.length) say("No test run is on record.");
  else
    for (const r of runs) {
      const counts =
        r.collected === undefined
          ? ""
          : ` ${r.collected} collected, ${r.passed} passed, ${r.failed} failed, ${r.skipped} skipped`;
      const outcome = r.ok === true ? "good  " : r.ok === false ? "failed" : "no proof";
      const head = `${r.session} ${when(r.at)} ${outcome} exit ${r.exit ?? "?"} ${shown(r.command, 60)}`;
      say(`${head}${counts}${r.why ? ` (${r.why})` : ""}`);
    }
  return 0;
}

const logged = 30;

function log(store: Store, json: boolean | undefined): number {
  const { seq } = store.read();
  const actions = [...store.records({ from: Math.max(1, seq - 400) })].filter(
    (r) =>
      r.type === "event" &&
      (r.body["event"] === "tool.after" ||
        r.body["event"] === "tool.failed" ||
        (r.body["verdict"] as JsonObject)?.["outcome"] === "deny"),
  );
  const rows = actions.slice(-logged).map((r) => {
    const tool = (r.body["tool"] ?? {}) as JsonObject;
    const verdict = r.body["verdict"] as JsonObject;
    const input = (tool["input"] ?? {}) as JsonObject;
    return {
      seq: r.seq,
      event: r.body["event"],
      tool: tool["name"] ?? "",
      what: String(input["command"] ?? input["file_path"] ?? input["query"] ?? input["url"] ?? ""),
      came:
        verdict["outcome"] === "deny"
          ? `refused by ${verdict["gate"]}`
          : r.body["event"] === "tool.failed"
            ? "failed"
            : "done",
    };
  });
  if (json) printJson({ actions: rows });
  else if (!rows.length) say("No call is on record.");
  else
    for (const r of rows)
      say(`${String(r.seq).padStart(6)}  ${String(r.tool).padEnd(12)} ${shown(r.what, 70)}  ${r.came}`);
  return 0;
}

const when = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
const session = (key: string): string => `[${key.slice(key.indexOf("@") + 1, key.indexOf("@") + 13)}]`;
