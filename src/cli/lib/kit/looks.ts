// The verbs of kits that only look: status, watch, and the handoff that waits for a person.
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { handoffFindings, questionsIn } from "../../../packs/kits/research/research-documents.js";
import type { KitName } from "../../../runs/actions.js";
import { logTail, progressLine } from "../../../runs/agent-runner.js";
import { listRuns, openRun, readEvents } from "../../../runs/run.js";
import { summaryOf } from "../../../runs/story.js";
import { shown } from "../paint.js";
import { runRecordsHere } from "../runs-here.js";
import { say, sayError } from "../wrap.js";
import { constructionsIn } from "./chains.js";

const textAt = (project: string, path: string): string =>
  existsSync(join(project, path)) ? readFileSync(join(project, path), "utf8") : "";

export async function look(project: string, kit: KitName, verb: string, args: readonly string[]): Promise<number> {
  if (verb === "watch") return watchRun(project, kit, args[0]);
  if (verb === "validate-handoff" || verb === "complete-handoff") return handoff(project, verb === "complete-handoff");
  if (kit === "research")
    for (const q of questionsIn(textAt(project, "QUESTIONS.md")))
      say(`P${q.priority}  ${q.status.padEnd(12)}  ${shown(q.question, 100)}`);
  if (kit === "math")
    for (const c of constructionsIn(textAt(project, "CONSTRUCTIONS.md")))
      say(`${c.status.padEnd(12)}  ${shown(c.name, 60)}  ${shown(c.spec, 60)}`);
  const records = runRecordsHere(project);
  const runs = listRuns(project).filter((run) => records.read(run)?.kit === kit);
  if (!runs.length) say(`No run of ${kit} yet. Start one: interlock kit ${kit} <phase>`);
  for (const id of runs.slice(0, 10)) {
    const { action, status } = summaryOf(project, id, records);
    say(`${id}  ${status}  ${action}`);
  }
  return 0;
}

/** Shows the newest run of the kit until it ends; of one phase if it is named. */
async function watchRun(project: string, kit: KitName, phase: string | undefined): Promise<number> {
  const records = runRecordsHere(project);
  const id = listRuns(project).find((run) => records.read(run)?.kit === kit);
  if (!id) {
    sayError(`interlock: there is no run of ${kit}. Start one: interlock kit ${kit} <phase>`);
    return 1;
  }
  const run = openRun(project, id, records)!;
  const printed = new Map<string, number>();
  for (;;) {
    const { events } = readEvents(project, id);
    for (const { event, pointers, phase: of } of events) {
      if (event !== "phase_started" || !pointers?.["log"] || (phase && of !== phase)) continue;
      const lines = logTail(join(project, pointers["log"])).split("\n").slice(0, -1);
      const from = printed.get(of!) ?? Math.max(0, lines.length - 40);
      for (const line of lines.slice(from)) {
        const told = progressLine(line);
        if (told) say(`[${kit} ${of}] ${shown(told, 160)}`);
      }
      printed.set(of!, lines.length);
    }
    const ended = events.findLast((e) => e.event === "run_finished");
    if (ended) {
      say(`${run.id}: exit code ${ended.exit_code}`);
      return 0;
    }
    await wait(500);
  }
}

function handoff(project: string, complete: boolean): number {
  const file = join(project, "HANDOFF.md");
  if (!existsSync(file)) {
    say("no handoff waits");
    return complete ? 1 : 0;
  }
  const findings = handoffFindings(readFileSync(file, "utf8"));
  for (const problem of findings) sayError(`HANDOFF.md: ${problem}`);
  if (findings.length || !complete) return findings.length ? 1 : 0;
  const to = `handoffs/${new Date().toISOString().slice(0, 19).replace(/[-:]/g, "")}.md`;
  mkdirSync(join(project, "handoffs"), { recursive: true });
  renameSync(file, join(project, to));
  say(`HANDOFF.md is now ${to}`);
  return 0;
}
