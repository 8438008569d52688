// Status reports for people, used by typed commands and by the terminal.
// Invariant: pure over the memories' values.

import { userCommands } from "../../facts/typed-commands.js";
import type { JsonObject } from "../../model/json.js";
import { counted, inert } from "../../model/text.js";
import type { FailureState } from "./breaker/failures-memory.js";
import type { LoopState } from "./loop/loop-memory.js";
import type { PlanState } from "./plan/plan-memory.js";
import type { SafemodeState } from "./prompts/safemode-memory.js";
import type { ResearchStatus } from "./research/research-status.js";
import type { HistoryState } from "./session/history-memory.js";
import { runsOf } from "./session/session-stats.js";

const ago = (then: number, now: number): string => {
  const minutes = Math.max(0, Math.round((now - then) / 60_000));
  return minutes < 1 ? "just now" : minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
};

export const safemodeReport = ({ on, since }: Readonly<SafemodeState>, now: number): string =>
  on ? `Safemode is on (since ${ago(since, now)}): every change is refused. s- switches it off.` : "Safemode is off.";

export function breakerReport({ tripped, half, recent, trips }: Readonly<FailureState>, now: number): string {
  const counts = new Map<string, { shown: string; n: number }>();
  for (const { signature, shown } of recent) counts.set(signature, { shown, n: (counts.get(signature)?.n ?? 0) + 1 });
  const top = [...counts.values()]
    .sort((a, b) => b.n - a.n)
    .slice(0, 3)
    .map(({ shown, n }) => `${n}x ${inert(shown, 80)}`);
  const state = !tripped
    ? "closed"
    : half
      ? "half-open: one more try is allowed"
      : `tripped ${ago(tripped.at, now)}, ${tripped.why}`;
  const lines = [`Breaker: ${state}. Trips this session: ${trips}.`];
  if (tripped) lines.push(...tripped.failures.map((f) => `  ${inert(f, 120)}`));
  else if (top.length) lines.push(`Failures counted: ${top.join("; ")}`);
  if (tripped) lines.push("rb- resets it.");
  return lines.join("\n");
}

export function researchReport({ done, missing, excused }: ResearchStatus): string {
  const part = (title: string, list: string[]) => (list.length ? `${title}: ${list.join(", ")}. ` : "");
  return `Research of this task. ${part("Done", done)}${part("Missing", missing)}${part(
    "Completed by itself",
    excused.map((e) => `${e.category} (${e.why})`),
  )}`.trim();
}

export const planReport = ({ required, shown, approved }: Readonly<PlanState>): string =>
  approved
    ? "The plan is approved."
    : required
      ? `A plan is required${shown ? "; it is shown and waits for pa+" : " and not shown yet"}.`
      : "No plan is required.";

export function loopReport({ active, past }: Readonly<LoopState>, now: number): string {
  if (!active) {
    const last = past.at(-1);
    return last
      ? `No loop is active. The last one (${inert(last.task, 60)}) was ${last.ended}, ${last.ticked} of ` +
          `${last.criteria} criteria met.`
      : "No loop is active.";
  }
  return [
    `Loop: ${inert(active.task, 100)} (iteration ${active.iteration} of ${active.max}, started ` +
      `${ago(active.startedAt, now)})`,
    ...active.criteria.map((c, i) => `  ${c.at === undefined ? "[ ]" : "[x]"} ${i + 1}. ${inert(c.text, 100)}`),
    ...active.log.slice(-3).map((l) => `  - ${inert(l.action, 60)}: ${inert(l.result, 60)}`),
  ].join("\n");
}

export const commandList = (): string =>
  Object.values(userCommands)
    .map(({ words, does }) => `  ${words.join(", ")}: ${does}`)
    .join("\n");

/** One line for `interlock status`, if anything is unusual. */
export function disciplineStatusLine(state: JsonObject, now: number): string | undefined {
  const of = <S>(id: string) =>
    Object.entries(state).flatMap(([key, v]) => (key === id || key.startsWith(`${id}@`) ? [v as unknown as S] : []));
  const parts: string[] = [];
  if (of<SafemodeState>("discipline/safe").some((s) => s.on)) parts.push("safemode is on");
  const tripped = of<FailureState>("discipline/failures").filter(
    (f) => f.tripped && !f.half && now - f.tripped.at < 24 * 3_600_000,
  ).length;
  if (tripped) parts.push(`the breaker is tripped in ${tripped} session${tripped === 1 ? "" : "s"}`);
  const [loop] = of<LoopState>("discipline/loop");
  if (loop?.active) parts.push(`a loop runs (iteration ${loop.active.iteration} of ${loop.active.max})`);
  const last = of<HistoryState>("discipline/history")[0]?.sessions.at(-1);
  if (last)
    parts.push(
      `last session: score ${last.score} of 10, ${runsOf(last)}, ${counted(last.unverified, "file")} not tested`,
    );
  return parts.length ? parts.join("; ") : undefined;
}
